"""Public answers of the API: kept while the content is the same, as pages are, and asked for anew by their ETag."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.http import http_date

from papers.content import content_version
from papers.pages import public
from papers.pages.kept_pages import KeptPage
from papers.queries.sql import rows

Operation = Callable[..., HttpResponse]


def public_answer(operation: Operation) -> Operation:
    """Make `operation` one whose answer depends on the address and the tables of papers alone, for everybody."""

    @wraps(operation)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        # Before anything is read: what is written meanwhile makes the answer an old one.
        version = content_version()
        key = ("api", request.get_host(), request.scheme, request.get_full_path())
        page = public.kept_pages.get(key, version) if version is not None else None
        if page is None:
            response = operation(request, *args, **kwargs)
            response.headers.setdefault("Last-Modified", _last_modified())
            page = KeptPage(version, response.content, tuple(response.items()))
            if version is not None:
                public.kept_pages.keep(key, page)
        return public.answer_kept(request, page)

    return answer


def json_answer(body: bytes) -> HttpResponse:
    """Return JSON that is written already."""
    return HttpResponse(body, content_type="application/json; charset=utf-8")


def _last_modified() -> str:
    """Return when the newest change was; to tell, not to compare: a second is long, and the ETag exact."""
    found = rows("SELECT strftime('%%s', changed_at) FROM paper_changes ORDER BY id DESC LIMIT 1")
    return http_date(int(found[0][0]) if found else 0)
