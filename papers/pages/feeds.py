"""Atom feeds, and the page that tells of them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from papers.addresses import absolute, author_address, site_root, tag_address
from papers.feeds import choice
from papers.feeds.atom import CONTENT_TYPE, Feed, write_atom
from papers.feeds.entries import entries
from papers.pages.public import public_page
from papers.pages.search_choice import read_search
from papers.pages.search_facets import chosen_filters
from papers.text import fold

# As long as a tag or a name sensibly is.
_LONGEST = 400


@public_page
def index(request: HttpRequest) -> HttpResponse:
    """Tell which feeds there are and how to follow them."""
    return render(request, "papers/feeds.html", {"host": site_root(request)})


@public_page
def as_opml(request: HttpRequest) -> HttpResponse:
    """Give the feeds of the whole site as a list that feed readers import."""
    feeds = [
        (_("最新论文"), absolute(request, reverse("papers:feed_newest"))),
        (_("一周最佳"), absolute(request, reverse("papers:feed_best"))),
    ]
    context = {"feeds": feeds, "page": absolute(request, reverse("papers:feeds"))}
    response = render(request, "papers/feeds.opml", context, content_type="text/x-opml; charset=utf-8")
    response.headers["Content-Disposition"] = 'attachment; filename="papersite.opml"'
    return response


@public_page
def newest(request: HttpRequest) -> HttpResponse:
    """Feed the newest papers."""
    home = reverse("papers:home")
    return _feed(
        request, "newest", _("最新论文"), _("Hugging Face Daily Papers 的新论文和中文总结"), home, choice.newest()
    )


@public_page
def best(request: HttpRequest) -> HttpResponse:
    """Feed the papers of the week with most votes."""
    home = reverse("papers:home")
    about = _("最近七天里得票最多的二十五篇")
    return _feed(request, "best", _("一周最佳"), about, home, choice.best_of_the_week())


@public_page
def with_tag(request: HttpRequest, name: str) -> HttpResponse:
    """Feed the newest papers with a tag."""
    tag = name.strip()[:_LONGEST]
    title = _("标签：%(tag)s") % {"tag": tag}
    about = _("带有这个标签的新论文")
    return _feed(request, f"tag/{fold(tag)}", title, about, tag_address(tag), choice.with_tag(tag))


@public_page
def by_author(request: HttpRequest, name: str) -> HttpResponse:
    """Feed the newest papers of an author."""
    author = name.strip()[:_LONGEST]
    title = _("作者：%(author)s") % {"author": author}
    page = author_address(author)
    return _feed(request, f"author/{author}", title, _("这位作者的新论文"), page, choice.by_author(author))


@public_page
def found_by(request: HttpRequest) -> HttpResponse:
    """Feed the newest papers that a search finds, narrowed by the filters of its page."""
    search, _ignored = read_search(request.GET)
    # A search without filters has the name it had before there were any: readers follow it by that.
    name = f"narrowed-search/{search.selection}" if search.has_filters else f"search/{search.query}"
    words = " · ".join([search.query, *(chosen.label for chosen in chosen_filters(search))])
    title = _("搜索：%(query)s") % {"query": words}
    page = f"{reverse('papers:search')}?{search.selection}"
    found = choice.found_by(search.query, search.filters)
    return _feed(request, name, title, _("符合这个搜索的新论文"), page, found)


def _feed(request: HttpRequest, name: str, title: str, about: str, page: str, papers: list[int]) -> HttpResponse:
    feed = Feed(
        name=name,
        title=f"{title} · Papersite",
        subtitle=about,
        page=absolute(request, page),
        address=absolute(request, request.get_full_path()),
    )
    language = "en" if translation.get_language() == "en" else "zh-Hans"
    xml = write_atom(feed, entries(papers), root=site_root(request), language=language)
    return HttpResponse(xml, headers={"Content-Type": CONTENT_TYPE, "X-Content-Type-Options": "nosniff"})
