"""What makes a view a public page: kept while its content is the same, and never with anything private in it.

A page is rendered once for each language and theme and kept in the process under the version of the content, which
triggers of the database change with every write. The owner's pages go round all that, with `request.is_owner` set,
and no cache may keep them.
"""

import re
from collections.abc import Callable
from functools import wraps
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.utils.cache import get_conditional_response, patch_vary_headers
from django.views.decorators.http import require_safe

from papers.content import content_version
from papers.pages.kept_pages import KeptPage, KeptPages
from papers.personal.access import is_owner

View = Callable[..., HttpResponse]
THEME_COOKIE = "papersite-theme"
THEMES = ("light", "dark")
# Anyone may keep it, and asks each time whether it is still the same.
_PUBLIC = "public, max-age=0, must-revalidate"
_PRIVATE = "private, no-store"
# As Django's GZipMiddleware, which would compress what this let through.
_GZIP = re.compile(r"\bgzip\b")

kept_pages = KeptPages()


def public_page(view: View) -> View:
    """Make `view` a page that anyone may see and caches may keep, asked for anew by its ETag each time.

    No time to live: a page shows a finished summary at once, and a deleted paper no longer. Kept are whole pages
    (status 200) whose view did not call `not_kept`. A page may depend on the address, the language, the theme and
    the tables of papers, and on nothing else; of its headers, those that the view set are kept with it.
    """

    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        request.is_owner = is_owner(request)  # type: ignore[attr-defined]
        if request.is_owner:  # type: ignore[attr-defined]
            return _with_cache_control(view(request, *args, **kwargs), _PRIVATE)
        # Before anything is read: what is written meanwhile makes the page an old one.
        version = content_version()
        kept = kept_pages.get(_key(request), version) if version is not None else None
        return answer_kept(request, kept) if kept else _fresh(request, version, view(request, *args, **kwargs))

    return require_safe(page)


def not_kept(response: HttpResponse) -> HttpResponse:
    """Mark a page that shows more than the tables of papers, such as the time or a log."""
    response.is_not_kept = True  # type: ignore[attr-defined]
    return response


def theme(request: HttpRequest) -> str:
    """Return the theme that the reader chose; nothing where the system's own is wanted."""
    chosen = request.COOKIES.get(THEME_COOKIE, "")
    return chosen if chosen in THEMES else ""


def _key(request: HttpRequest) -> tuple:
    return (request.scheme, request.get_host(), request.get_full_path(), translation.get_language(), theme(request))


def _fresh(request: HttpRequest, version: int | None, response: HttpResponse) -> HttpResponse:
    if response.status_code != 200 or response.streaming:
        return _with_cache_control(response, _PUBLIC)
    if not _is_for_everybody(request, response):
        return _with_cache_control(response, _PRIVATE)
    page = KeptPage(version, response.content, tuple(response.items()))
    if version is not None and _may_fill(request, response):
        kept_pages.keep(_key(request), page)
    return answer_kept(request, page)


def _is_for_everybody(request: HttpRequest, response: HttpResponse) -> bool:
    """Tell whether nothing of one person is in the answer: a cookie, or a form's token."""
    return not response.cookies and not request.META.get("CSRF_COOKIE_NEEDS_UPDATE")


def _may_fill(request: HttpRequest, response: HttpResponse) -> bool:
    """Tell whether others may be shown this page: one made for somebody with a session might greet them by name."""
    return settings.SESSION_COOKIE_NAME not in request.COOKIES and not getattr(response, "is_not_kept", False)


def answer_kept(request: HttpRequest, page: KeptPage) -> HttpResponse:
    """Return the page, compressed where that is accepted, or that it is the same as before."""
    compressed = page.compressed if _GZIP.search(request.headers.get("Accept-Encoding", "")) else None
    response = HttpResponse(compressed or page.body, headers=dict(page.headers))
    if compressed:
        response.headers["Content-Encoding"] = "gzip"
    response.headers["ETag"] = page.etag
    patch_vary_headers(response, ("Accept-Encoding",))
    _with_cache_control(response, _PUBLIC)
    return get_conditional_response(request, etag=page.etag, response=response) or response


def _with_cache_control(response: HttpResponse, value: str) -> HttpResponse:
    response.headers["Cache-Control"] = value
    return response
