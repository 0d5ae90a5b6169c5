"""Public pages about the work."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from operations.status import Status


@require_safe
def status(request: HttpRequest) -> HttpResponse:
    """Show whether the site is alive, and the account of each of the last days.

    Public: error texts, paths and process names stay in the admin.
    """
    return render(request, "operations/status.html", {"status": Status()})
