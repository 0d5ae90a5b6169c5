"""What pages have in common on which people choose days, wait for work, and watch it."""

from typing import Any

from django import forms
from django.contrib import admin
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from operations import maintenance
from operations.feed import worker_is_alive

# Seconds between two looks at work that goes on; without JavaScript the whole page is loaded again, less often.
REFRESH_SECONDS = 3
_RELOAD_SECONDS = 9


class DateInput(forms.DateInput):
    """The browser's own choice of a day."""

    input_type = "date"

    def __init__(self) -> None:
        """Write days as browsers do."""
        super().__init__(format="%Y-%m-%d")


def with_circumstances(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what every page of the admin has, and what keeps work from being begun."""
    return {
        **admin.site.each_context(request),
        "worker_is_alive": worker_is_alive(),
        "switch": maintenance.current(),
        **context,
    }


def refreshed(*, goes_on: bool) -> dict[str, Any]:
    """Return what makes a page look again while its work goes on."""
    return {"refresh": _RELOAD_SECONDS if goes_on else None, "refresh_seconds": REFRESH_SECONDS}


def changing_part(request: HttpRequest, template: str, context: dict[str, Any], *, goes_on: bool) -> HttpResponse:
    """Answer with the part of a page that changes; nobody asks for it again once the work is over."""
    answer = render(request, template, context)
    if not goes_on:
        answer["Refresh-Ended"] = "yes"
    return answer
