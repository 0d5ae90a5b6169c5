"""The owner's lists, with their filters."""

from typing import NoReturn
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from papers.models import ReadingStatus
from papers.pages.mine.access import reading_page
from papers.pages.page_number import page_number
from papers.personal.bookmarked import bookmark_parts
from papers.personal.context import personal_context
from papers.personal.lists import BOOKMARKS, LISTS, NOTES, SORTS, UNREAD_OF_WEEK, OwnList, own_list

LONGEST_QUERY = 200
_NAMES = {BOOKMARKS: _("收藏"), NOTES: _("笔记"), UNREAD_OF_WEEK: _("本周未读"), **dict(ReadingStatus.choices)}
_FORMATS = {"bibtex": "BibTeX", "ris": "RIS", "csljson": "CSL-JSON", "markdown": "Markdown", "csv": "CSV"}
_SORTS = {"marked": _("按标记时间"), "newest": _("按日期"), "votes": _("按票数")}


@reading_page
def mine(request: HttpRequest) -> HttpResponse:
    """Show one of the owner's lists; what is no list, order or page number stands for the first."""
    chosen = {
        "show": _one_of(LISTS, request.GET.get("show")),
        "sort": _one_of(SORTS, request.GET.get("sort")),
        "q": request.GET.get("q", "").replace("\x00", "")[:LONGEST_QUERY].strip(),
    }
    found = own_list(
        chosen["show"], words=chosen["q"], sort=chosen["sort"], page=page_number(request.GET.get("page", ""))
    )
    context = {"chosen": chosen, "found": found, "name": _NAMES[chosen["show"]]}
    context |= {"lists": _choices(chosen, "show", _NAMES), "sorts": _choices(chosen, "sort", _SORTS)}
    context |= _other_pages(chosen, found) | {"bookmark_files": _bookmark_files()}
    context |= personal_context(request, [item.card.arxiv_id for item in found.items])
    return render(request, "papers/mine/list.html", context)


@reading_page
def nowhere(request: HttpRequest) -> NoReturn:
    """Answer the owner that there is no such page."""
    raise Http404("there is no such page")


def _bookmark_files() -> list[tuple[int, list[tuple[str, str]]]]:
    """Return for each part of the bookmarked papers the names of its formats and their addresses."""
    parts = range(1, bookmark_parts() + 1)
    return [(part, [(name, _bookmark_file(key, part)) for key, name in _FORMATS.items()]) for part in parts]


def _bookmark_file(export_format: str, part: int) -> str:
    return reverse("papers:mine_bookmarks_export", args=[export_format] if part == 1 else [export_format, part])


def _one_of(known: tuple[str, ...], asked: str | None) -> str:
    return asked if asked in known else known[0]


def _address(chosen: dict[str, str], **changed: str | int) -> str:
    first = {"show": LISTS[0], "sort": SORTS[0], "q": "", "page": 1}
    given = {**chosen, **changed}
    return "?" + urlencode({name: value for name, value in given.items() if value != first[name]})


def _choices(chosen: dict[str, str], name: str, labels: dict) -> list[tuple[object, str, bool]]:
    """Return each choice's label, its address, and whether it is the one at hand."""
    return [(label, _address(chosen, **{name: key}), key == chosen[name]) for key, label in labels.items()]


def _other_pages(chosen: dict[str, str], found: OwnList) -> dict[str, str]:
    earlier = _address(chosen, page=found.page - 1) if found.page > 1 else ""
    later = _address(chosen, page=found.page + 1) if found.page < found.pages else ""
    return {"previous_page": earlier, "next_page": later}
