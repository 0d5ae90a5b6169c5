"""The readers' pages. Public: they touch no session, show nothing private, and caches may keep them."""

import datetime as dt
import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import conditional_page, require_safe

from papers import queries
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.models import Paper, SummaryQuality
from papers.notices import summary_notice
from papers.presentation import present
from papers.result_pages import result_page

View = Callable[..., HttpResponse]
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def public_page(view: View) -> View:
    """Make `view` a page that anyone may see and caches may keep, asked for anew by its ETag each time.

    No time to live: a page shows a finished summary at once, and a deleted paper no longer.
    """
    cached = cache_control(public=True, max_age=0, must_revalidate=True)(view)
    return wraps(view)(require_safe(conditional_page(cached)))


@public_page
def home(request: HttpRequest) -> HttpResponse:
    """Show the newest day that has papers, or how to begin."""
    newest = queries.newest_day()
    if newest is None:
        return render(request, "papers/welcome.html")
    return _day_page(request, newest)


@public_page
def choose_day(request: HttpRequest) -> HttpResponse:
    """Go to the day of the date field; without one, to the newest."""
    chosen = request.GET.get("date", "").strip()
    if not chosen:
        return redirect("papers:home")
    try:
        return redirect("papers:day", day=_parse_day(chosen).isoformat())
    except ValueError:
        return _no_such_day(request)


@public_page
def day(request: HttpRequest, day: str) -> HttpResponse:
    """Show the papers of one day, or why there are none."""
    try:
        shown = _parse_day(day)
    except ValueError:
        return _no_such_day(request)
    return _day_page(request, shown)


@public_page
def paper(request: HttpRequest, arxiv_id: str) -> HttpResponse:
    """Show one paper; an id with a version, or written otherwise, leads to the plain one."""
    try:
        plain, _version = split_arxiv_id(arxiv_id)
    except InvalidArxivId:
        return _missing_paper(request, arxiv_id, is_id=False)
    if plain != arxiv_id:
        return HttpResponsePermanentRedirect(reverse("papers:paper", args=[plain]))
    found = queries.find_paper(plain)
    if found is None:
        return _missing_paper(request, plain, is_id=True)
    return render(request, "papers/paper.html", _paper_context(found))


@public_page
def search(request: HttpRequest) -> HttpResponse:
    """Show what a query finds; the id of a known paper leads straight to it."""
    query = request.GET.get("q", "").strip()
    known = _known_id(query)
    if known:
        return redirect("papers:paper", arxiv_id=known)
    found = result_page(query, page=request.GET.get("page", ""), order=request.GET.get("order", "")) if query else None
    return render(request, "papers/search.html", {"search_text": query, "found": found})


def _parse_day(text: str) -> dt.date:
    # fromisoformat alone also takes 20260605 and 2026-W23-5: one day, one address.
    if not _DAY.fullmatch(text):
        raise ValueError(text)
    return dt.date.fromisoformat(text)


def _no_such_day(request: HttpRequest) -> HttpResponse:
    detail = _("没有这一天。日期写成 2026-06-05 这样。")
    return render(request, "404.html", {"detail": detail}, status=404)


def _day_page(request: HttpRequest, shown: dt.date) -> HttpResponse:
    cards = queries.cards_of_day(shown)
    context = {
        "day": shown,
        "cards": cards,
        "earlier": queries.day_before(shown),
        "later": queries.day_after(shown),
    }
    return render(request, "papers/day.html", context)


def _paper_context(found: Paper) -> dict[str, Any]:
    stored = getattr(found, "summary", None)
    return {
        "paper": found,
        "summary": present(stored) if stored else None,
        "notice": summary_notice(found, has_summary=stored is not None),
        "is_low": stored is not None and found.summary_quality == SummaryQuality.LOW,
        "authors": [author.name for author in found.authors.all()],
        "tags": queries.distinct_tags(found.tags.all()),
        "neighbours": queries.neighbours(found),
    }


def _missing_paper(request: HttpRequest, asked: str, *, is_id: bool) -> HttpResponse:
    context = {"asked": asked[:200], "is_id": is_id}
    return render(request, "papers/missing_paper.html", context, status=404)


def _known_id(query: str) -> str | None:
    try:
        plain, _version = split_arxiv_id(query)
    except InvalidArxivId:
        return None
    return plain if queries.is_known(plain) else None
