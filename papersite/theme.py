"""The theme of pages: the system's own, until a reader chooses light or dark."""

from django.conf import settings
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect

from papers.pages.public import THEME_COOKIE, THEMES
from papersite.preferences import COOKIE_AGE, preference_form, way_back

SYSTEM = "system"


@preference_form
def set_theme(request: HttpRequest) -> HttpResponse:
    """Remember the theme of the form in a cookie, or forget it, and go back to the page it was sent from.

    The cookie is for scripts too: with them the switch needs no request.
    """
    chosen = request.POST.get("theme")
    response = HttpResponseRedirect(way_back(request))
    if chosen == SYSTEM:
        response.delete_cookie(THEME_COOKIE, samesite="Lax")
    elif chosen in THEMES:
        response.set_cookie(
            THEME_COOKIE, chosen, max_age=COOKIE_AGE, samesite="Lax", secure=settings.SESSION_COOKIE_SECURE
        )
    else:
        raise BadRequest("no such theme")
    return response
