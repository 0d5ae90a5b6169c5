"""Public pages about the work."""

import datetime

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_date

from operations.status import Status
from papers.pages.public import not_kept, public_page

# No paper is older than arXiv; far earlier years would run below the first day of the calendar.
_FIRST_YEAR = 1991


@public_page
def status(request: HttpRequest) -> HttpResponse:
    """Show whether the site is alive, and the account of each of the last days; `?to=DATE` shows earlier ones.

    Public: error texts, paths and process names stay in the admin. Logs and the time are no part of the version
    that pages are kept under, so it is made anew each time; browsers ask by its ETag.
    """
    return not_kept(render(request, "operations/status.html", {"status": Status(newest=_asked_day(request))}))


def _asked_day(request: HttpRequest) -> datetime.date | None:
    asked = request.GET.get("to")
    if asked is None:
        return None
    try:
        day = parse_date(asked)
    except ValueError:
        day = None
    if day is None or day.year < _FIRST_YEAR:
        raise Http404(asked)
    return day
