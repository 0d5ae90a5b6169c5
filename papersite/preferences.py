"""Forms by which a reader tells what their pages should be like, remembered in a cookie."""

from collections.abc import Callable
from functools import wraps

from django.http import HttpRequest, HttpResponse, HttpResponseForbidden
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

View = Callable[[HttpRequest], HttpResponse]
# A choice is kept for a year.
COOKIE_AGE = 365 * 24 * 3600


def preference_form(view: View) -> View:
    """Make `view` take a form without a CSRF token, and refuse what another site sends.

    A token would put a cookie on every public page and keep it out of every cache. What a forged request could do
    is change the language of the buttons, or the colours.
    """

    @wraps(view)
    def checked(request: HttpRequest) -> HttpResponse:
        if request.headers.get("Sec-Fetch-Site", "same-origin") == "cross-site":
            return HttpResponseForbidden()
        return view(request)

    return csrf_exempt(require_POST(checked))


def way_back(request: HttpRequest) -> str:
    """Return the address of this site that the form was sent from; the first page where it names none."""
    for address in (request.POST.get("next"), request.headers.get("Referer")):
        if url_has_allowed_host_and_scheme(address, {request.get_host()}, require_https=request.is_secure()):
            return str(address)
    return "/"
