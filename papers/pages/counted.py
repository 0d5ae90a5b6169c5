"""The lists of tags and of authors, and the page of one of them."""

from dataclasses import dataclass

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import urlencode

from papers.pages.counted_kinds import AUTHOR, TAG, Kind
from papers.pages.page_number import page_number
from papers.pages.public import not_kept, public_page
from papers.personal.context import personal_context
from papers.queries.cards import cards_by_id
from papers.queries.counted import AUTHORS, TAGS, Counted, by_count, find, paper_ids
from papers.text import fold, one_line

PAGE_SIZE = 60
PAPERS_ON_A_PAGE = 25
# Pages of a list by count; further down every name has a paper or two and is found by the box.
MOST_PAGES = 100
_LONGEST_QUERY = 100
# Longer than any tag or name that can be stored in earnest.
_LONGEST_NAME = 1000


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of names with their addresses, found by a part of them or by count; pages are counted from 1."""

    query: str
    page: int
    items: tuple[tuple[Counted, str], ...]
    has_next: bool

    @property
    def previous_page(self) -> str:
        """The address of the page before; empty on the first."""
        return _page_query(self.page - 1) if self.page > 1 else ""

    @property
    def next_page(self) -> str:
        """The address of the page after; empty on the last."""
        return _page_query(self.page + 1) if self.has_next else ""


@public_page
def tags(request: HttpRequest) -> HttpResponse:
    """List the tags, those with most papers first, or those that hold what is asked for."""
    return _list_page(request, TAG)


@public_page
def authors(request: HttpRequest) -> HttpResponse:
    """List the authors, those with most papers first, or those whose names hold what is asked for."""
    return _list_page(request, AUTHOR)


@public_page
def tag(request: HttpRequest, name: str) -> HttpResponse:
    """Show the papers with a tag; another spelling leads to the one that is shown."""
    asked = one_line(name[:_LONGEST_NAME])
    found = find(TAGS, fold(asked))
    if found is None:
        return _unknown(request, TAG, asked)
    if found.name != name:
        return redirect(TAG.address(found.name))
    return _papers_page(request, TAG, found)


@public_page
def author(request: HttpRequest, name: str) -> HttpResponse:
    """Show the papers that name an author exactly so."""
    found = find(AUTHORS, name[:_LONGEST_NAME])
    if found is None:
        return _unknown(request, AUTHOR, one_line(name[:_LONGEST_NAME]))
    return _papers_page(request, AUTHOR, found)


def _list_page(request: HttpRequest, kind: Kind) -> HttpResponse:
    query = one_line(request.GET.get("q", "")[:_LONGEST_QUERY])
    if query:
        found = kind.like(query, limit=PAGE_SIZE)
        listed = Listed(query, 1, _named(kind, found.items), has_next=False)
        context = {"kind": kind, "listed": listed, "is_cut": found.has_next, "most": PAGE_SIZE}
        return not_kept(render(request, "papers/names.html", context))  # any text may be asked for
    page = min(page_number(request.GET.get("page", "")), MOST_PAGES)
    found = by_count(kind.index, limit=PAGE_SIZE, offset=(page - 1) * PAGE_SIZE)
    listed = Listed("", page, _named(kind, found.items), found.has_next and page < MOST_PAGES)
    return render(request, "papers/names.html", {"kind": kind, "listed": listed})


def _named(kind: Kind, items: tuple[Counted, ...]) -> tuple[tuple[Counted, str], ...]:
    return tuple((item, kind.address(item.name)) for item in items)


def _papers_page(request: HttpRequest, kind: Kind, counted: Counted) -> HttpResponse:
    pages = max(1, -(-counted.papers // PAPERS_ON_A_PAGE))
    page = min(page_number(request.GET.get("page", "")), pages)
    first = (page - 1) * PAPERS_ON_A_PAGE
    cards = list(cards_by_id(paper_ids(kind.index, counted, limit=PAPERS_ON_A_PAGE, offset=first)).values())
    context = {
        "kind": kind,
        "counted": counted,
        "cards": cards,
        "first_number": first + 1,
        "page": page,
        "pages": pages,
        "previous_page": _page_query(page - 1) if page > 1 else "",
        "next_page": _page_query(page + 1) if page < pages else "",
        "feed_address": kind.feed_address(counted.name),
        "selection": urlencode({"q": kind.search_for(counted.name)}),
        **personal_context(request, [card.arxiv_id for card in cards]),
    }
    return render(request, "papers/name.html", context)


def _unknown(request: HttpRequest, kind: Kind, asked: str) -> HttpResponse:
    search = f"{reverse('papers:search')}?{urlencode({'q': asked[:200]})}"
    context = {"kind": kind, "asked": asked[:200], "search": search}
    return render(request, "papers/unknown_name.html", context, status=404)


def _page_query(page: int) -> str:
    return f"?page={page}" if page > 1 else "?"
