"""The page of a day's papers, which the newest day's is the first page of the site, and the ways to days."""

import datetime as dt

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from papers.pages.day_calendar import month_of, parse_day, parse_month, place_of
from papers.pages.day_choice import read_choice
from papers.pages.day_list import day_list
from papers.pages.day_progress import progress
from papers.pages.public import not_kept, public_page
from papers.personal.context import personal_context
from papers.queries.day_papers import day_papers, day_states
from papers.queries.days import newest_day


@public_page
def home(request: HttpRequest) -> HttpResponse:
    """Show the newest day that has papers, or how to begin."""
    if request.GET:
        return redirect("papers:home")  # what others put behind addresses makes no pages of its own
    newest = newest_day()
    if newest is None:
        return render(request, "papers/welcome.html")
    return _day_page(request, newest)


@public_page
def choose_day(request: HttpRequest) -> HttpResponse:
    """Go to the day of the date field, or show the calendar of a month; without either, go to the newest day."""
    chosen, month = (request.GET.get(name, "").strip() for name in ("date", "month"))
    try:
        if chosen:
            return redirect("papers:day", day=parse_day(chosen).isoformat())
        return _month_page(request, parse_month(month)) if month else redirect("papers:home")
    except ValueError:
        return _no_such_day(request)


@public_page
def day(request: HttpRequest, day: str) -> HttpResponse:
    """Show the papers of one day, or why there are none."""
    try:
        shown = parse_day(day)
    except ValueError:
        return _no_such_day(request)
    return _day_page(request, shown)


@public_page
def day_progress(request: HttpRequest, day: str) -> HttpResponse:
    """Show how far the summaries of a day are, as the piece of its page that is brought up to date."""
    try:
        shown = parse_day(day)
    except ValueError:
        return _no_such_day(request)
    if request.GET:
        return redirect("papers:day_progress", day=day)
    context = {"day": shown, "progress": progress(day_states(shown))}
    response = render(request, "papers/_day_progress.html", context)
    response.headers["X-Robots-Tag"] = "noindex"
    return response


def _no_such_day(request: HttpRequest) -> HttpResponse:
    detail = _("没有这一天。日期写成 2026-06-05 这样。")
    return render(request, "404.html", {"detail": detail}, status=404)


def _month_page(request: HttpRequest, first: dt.date) -> HttpResponse:
    query = f"month={first.isoformat()[:7]}"
    if request.META["QUERY_STRING"] != query:
        return redirect(f"{request.path}?{query}")
    return render(request, "papers/month.html", {"month": month_of(first)})


def _day_page(request: HttpRequest, shown: dt.date) -> HttpResponse:
    """Show a day; an address that says the same as a shorter one leads there."""
    choice, ignored = read_choice(request.GET)
    listing = day_list(shown, day_papers(shown), choice)
    asked = _pairs(request)
    if request.GET and not ignored and asked != listing.choice.pairs:
        return redirect(listing.canonical)
    context = {"day": shown, "list": listing, "cards": listing.cards, "ignored": ignored, "place": place_of(shown)}
    context |= personal_context(request, [card.arxiv_id for card in listing.cards])
    page = render(request, "papers/day.html", context)
    # Why a day is empty is told by the logs. Of a filter only what it finds is kept: there is no end of others.
    is_known = listing.cards and not ignored and request.META["QUERY_STRING"] == listing.choice.query[1:]
    return page if is_known else not_kept(page)


def _pairs(request: HttpRequest) -> list[tuple[str, str]]:
    return [(name, value) for name, values in request.GET.lists() for value in values]
