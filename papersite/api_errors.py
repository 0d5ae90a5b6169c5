"""Errors of the API: always `{"detail": "…", "code": "…"}`, whoever answers."""

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

from django.core.exceptions import BadRequest, RequestDataTooBig, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, UnreadablePostError
from django.http.multipartparser import MultiPartParserError
from ninja import NinjaAPI, Schema
from ninja.errors import HttpError, ValidationError
from pydantic import Field

API_PREFIX = "/api/"
CODES = {
    400: ("bad_request", "The request cannot be understood."),
    401: ("unauthorized", "Sign in or send a token."),
    403: ("forbidden", "This is not allowed."),
    404: ("not_found", "There is nothing here."),
    405: ("method_not_allowed", "This address does not take this method."),
    409: ("conflict", "This cannot be done in the present state."),
    413: ("too_large", "The request is too large."),
    422: ("invalid", "The request has a parameter that cannot be used."),
    429: ("too_many_requests", "Too many requests."),
    500: ("server_error", "Something went wrong on the server; it has been logged."),
    503: ("unavailable", "The service is not available now."),
}
# A message names at most so many faults of one request.
_FAULTS_NAMED = 5
# Characters of a field's name in it; those of a body are the caller's own.
_LONGEST_NAME = 80
# What Django raises where a request's body cannot be read, or is too large.
_UNREADABLE = (BadRequest, MultiPartParserError, SuspiciousOperation, UnreadablePostError)

logger = logging.getLogger(__name__)


class ErrorOut(Schema):
    """Any error."""

    detail: str = Field(description="What is wrong, in a sentence.", examples=["There is no paper 2605.00001."])
    code: str = Field(description="The same in one word, for programs.", examples=["not_found"])


class ApiError(HttpError):
    """An error with a code of its own."""

    def __init__(self, status_code: int, code: str, detail: str) -> None:
        """Keep the code beside status and sentence."""
        super().__init__(status_code, detail)
        self.code = code


def error_body(status: int, detail: str | None = None, code: str | None = None) -> dict[str, str]:
    """Return the body of an error; what is left out is the usual for its status."""
    usual_code, usual_detail = CODES.get(status, ("error", "The request failed."))
    return {"detail": detail or usual_detail, "code": code or usual_code}


def add_error_handlers(api: NinjaAPI) -> None:
    """Make every error that an operation raises one of ours."""
    answer = partial(_answer, api)

    @api.exception_handler(Http404)
    def not_found(request: HttpRequest, error: Http404) -> HttpResponse:
        return answer(request, 404)

    @api.exception_handler(HttpError)
    def http_error(request: HttpRequest, error: HttpError) -> HttpResponse:
        return answer(request, error.status_code, str(error), getattr(error, "code", None))

    @api.exception_handler(ValidationError)
    def invalid(request: HttpRequest, error: ValidationError) -> HttpResponse:
        return answer(request, 422, faults_in_words(error.errors))

    def unreadable(request: HttpRequest, error: Any) -> HttpResponse:
        return answer(request, 413 if isinstance(error, RequestDataTooBig) else 400)

    for kind in _UNREADABLE:
        api.add_exception_handler(kind, unreadable)

    @api.exception_handler(Exception)
    def unexpected(request: HttpRequest, error: Exception) -> HttpResponse:
        logger.exception("%s %s failed", request.method, request.path, exc_info=error)
        return answer(request, 500)


def _answer(
    api: NinjaAPI, request: HttpRequest, status: int, detail: str | None = None, code: str | None = None
) -> HttpResponse:
    response = api.create_response(request, error_body(status, detail, code), status=status)
    if status == 401:
        response.headers["WWW-Authenticate"] = "Bearer"
    if status in (401, 403):
        response.headers["Cache-Control"] = "no-store"
    return response


def faults_in_words(faults: list[dict[str, Any]]) -> str:
    """Return what pydantic found in a sentence: `limit: Input should be less than or equal to 200`."""
    named = [f"{str(fault['loc'][-1])[:_LONGEST_NAME]}: {fault['msg']}" for fault in faults[:_FAULTS_NAMED]]
    # A name may hold half a character (`"\\ud800"` in JSON), which no answer can carry.
    return "; ".join(named).encode(errors="replace").decode()


class ApiErrorsMiddleware:
    """Turns what Django itself answers under /api/ (400, 403, 404, 405, 500) into an error of the API.

    HEAD is answered as GET without a body, as everywhere else on the site, and OPTIONS with the methods that an
    address takes. What was told to somebody in particular is kept by no cache.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the next in line."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, and make sure that an error is JSON."""
        if not request.path_info.startswith(API_PREFIX):
            return self.get_response(request)
        is_head = request.method == "HEAD"
        if is_head:
            request.method = "GET"
        response = _with_whole_allow(request, self.get_response(request))
        if response.status_code >= 400 and not response.headers.get("Content-Type", "").startswith("application/json"):
            response = _as_json(response)
        if getattr(request, "auth", None) is not None:
            response.headers["Cache-Control"] = "private, no-store"
        if is_head and not response.streaming:
            response.content = b""  # Content-Length goes on telling what GET would send
        return response


def _with_whole_allow(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Name HEAD and OPTIONS among the methods, and answer 204 to whoever asked for them alone."""
    if response.status_code != 405:
        return response
    if request.method == "OPTIONS":
        response = HttpResponse(status=204, headers={"Allow": response.headers.get("Allow", "")})
        del response.headers["Content-Type"]
    allowed = {method.strip() for method in response.headers.get("Allow", "").split(",")} - {""}
    allowed |= {"HEAD", "OPTIONS"} if "GET" in allowed else {"OPTIONS"}
    response.headers["Allow"] = ", ".join(sorted(allowed))
    return response


def _as_json(response: HttpResponse) -> HttpResponse:
    answer = JsonResponse(error_body(response.status_code), status=response.status_code)
    for name in ("Allow", "Retry-After"):
        if name in response.headers:
            answer.headers[name] = response.headers[name]
    return answer
