"""What makes a view a page for the owner alone.

Who asks is looked at before anything else: before the method, the address and the database. So everything under
`/mine/` answers everybody else the same, whether there is such a paper, list or file or not.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotAllowed, JsonResponse
from django.http.response import HttpResponseBase
from django.shortcuts import render, resolve_url
from django.urls import reverse
from django.utils.cache import patch_cache_control

from papers.personal.access import is_owner

View = Callable[..., HttpResponseBase]
_READING = ("GET", "HEAD")
_WRITING = ("POST",)


def reading_page(view: View) -> View:
    """Make `view` a page that the owner reads."""
    return _owners(view, _READING)


def writing_page(view: View) -> View:
    """Make `view` one that takes what the owner changes."""
    return _owners(view, _WRITING)


def wants_json(request: HttpRequest) -> bool:
    """Tell whether a script asks, rather than a form of a page."""
    return "application/json" in request.headers.get("Accept", "")


def _owners(view: View, methods: tuple[str, ...]) -> View:
    @wraps(view)
    def page(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        request.is_owner = is_owner(request)  # type: ignore[attr-defined]
        if not request.is_owner:  # type: ignore[attr-defined]
            return _private(_refusal(request))
        if request.method not in methods:
            return _private(HttpResponseNotAllowed(methods))
        return _private(_answer(view, request, *args, **kwargs))

    return page


def _answer(view: View, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
    try:
        return view(request, *args, **kwargs)
    except Http404:  # made here, so that no cache keeps what is not there either
        return render(request, "404.html", status=404)


def _refusal(request: HttpRequest) -> HttpResponse:
    is_signed_in = request.user.is_authenticated
    if wants_json(request):
        status, code = (403, "not_allowed") if is_signed_in else (401, "signed_out")
        return JsonResponse({"code": code}, status=status)
    if is_signed_in:
        return render(request, "403.html", status=403)
    if request.method in _READING:
        return redirect_to_login(request.get_full_path(), resolve_url(reverse("admin:login")))
    # What was written in a form goes back to whoever sent it, so that the end of a session loses no text.
    return render(request, "papers/mine/signed_out.html", {"text": request.POST.get("content", "")}, status=401)


def _private(response: HttpResponseBase) -> HttpResponseBase:
    patch_cache_control(response, private=True, no_store=True)
    return response
