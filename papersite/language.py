"""The language of pages: the installation's own, until a reader chooses another.

What a browser says it prefers is left aside on purpose: the site's texts are mostly Chinese whatever the
browser, and a page that depends on one cookie can be kept by caches where one that depends on
`Accept-Language`, which differs from browser to browser, cannot.
"""

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.locale import LocaleMiddleware
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.views import i18n

from papersite.preferences import preference_form


class SiteLanguageMiddleware(LocaleMiddleware):
    """Uses the language of the cookie that `set_language` writes, else LANGUAGE_CODE."""

    def process_request(self, request: HttpRequest) -> None:
        """Activate the language of this request."""
        chosen = request.COOKIES.get(settings.LANGUAGE_COOKIE_NAME)
        known = {code for code, _name in settings.LANGUAGES}
        translation.activate(chosen if chosen in known else settings.LANGUAGE_CODE)
        request.LANGUAGE_CODE = translation.get_language()

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> HttpResponseBase:
        """Say what the answer depends on and which language it is in."""
        patch_vary_headers(response, ("Cookie",))
        response.headers.setdefault("Content-Language", translation.get_language())
        return response


@preference_form
def set_language(request: HttpRequest) -> HttpResponse:
    """Remember the language of the form in a cookie and go back to the page it was sent from."""
    return i18n.set_language(request)
