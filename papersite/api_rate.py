"""So many calls of the API a minute from one address or token, over all processes: PAPERSITE_API_RATE."""

import logging
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse

from papersite.api_auth import bearer_credentials
from papersite.api_errors import API_PREFIX, error_body
from papersite.client_address import throttled_address
from papersite.shared_counts import SharedCounts

FILE_NAME = "api-rate"

logger = logging.getLogger(__name__)


class ApiRateMiddleware:
    """Answers 429 to whoever calls too often. A token that counts has a count of its own, all else its address's."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        """Keep the next in line."""
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        """Answer, or say when to come back."""
        limit = settings.PAPERSITE.api_rate
        if not limit or not request.path_info.startswith(API_PREFIX):
            return self.get_response(request)
        seconds = _seconds_to_wait(caller(request), limit)
        return _come_back(seconds, limit) if seconds else self.get_response(request)


def caller(request: HttpRequest) -> str:
    """Return by what calls are counted; a wrong token counts for its address, so that nobody gets more by guessing."""
    found = bearer_credentials(request)
    if found is not None and found.token is not None:
        return f"token {found.token.pk}"
    return f"address {throttled_address(request)}"


def _seconds_to_wait(name: str, limit: int) -> int:
    try:
        return _counts(settings.PAPERSITE.data_dir / FILE_NAME).seconds_to_wait(name, limit)
    except OSError as error:  # a full disk is no reason to answer nobody
        logger.warning("calls of the API are not counted: %s", error)
        return 0


@lru_cache(maxsize=1)
def _counts(path: Path) -> SharedCounts:
    return SharedCounts(path, settings.SECRET_KEY)


def _come_back(seconds: int, limit: int) -> HttpResponse:
    detail = f"More than {limit} calls in a minute; come back in {seconds} seconds."
    answer = JsonResponse(error_body(429, detail), status=429)
    answer.headers["Retry-After"] = str(seconds)
    answer.headers["Cache-Control"] = "no-store"
    return answer
