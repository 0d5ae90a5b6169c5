"""The API for mirrors: which papers changed and which are gone, in the order in which that happened."""

import datetime as dt
import json

from django.core import signing
from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field, TypeAdapter, ValidationError

from papers.api_answers import json_answer, public_answer
from papers.api_filters import Moment
from papers.api_json import moment_text
from papers.queries.listing import moment
from papers.queries.sql import rows
from papersite.api_errors import ApiError, ErrorOut
from papersite.api_parameters import refuse_unknown

router = Router(tags=["papers"])
_SALT = "papers.api_changes"
_MOMENT: TypeAdapter[dt.datetime] = TypeAdapter(Moment)
_CHANGES = "SELECT id, arxiv_id, changed_at, is_deleted FROM paper_changes WHERE id > %s ORDER BY id LIMIT %s"
_FIRST = "SELECT id - 1 FROM paper_changes WHERE changed_at >= %s ORDER BY changed_at, id LIMIT 1"
_LAST = "SELECT coalesce(max(id), 0) FROM paper_changes"


class ChangesChoice(Schema):
    """Which changes are asked for."""

    since: str | None = Field(
        None,
        max_length=200,
        description="A moment (RFC 3339 with its zone), or `next_since` of an earlier answer, which misses nothing. "
        "Left out: from the beginning.",
        examples=["2026-05-14T08:00:00Z"],
    )
    limit: int = Field(500, ge=1, le=1000, description="Changes on a page.")


class ChangeOut(Schema):
    """The last change of one paper."""

    arxiv_id: str = Field(examples=["2406.01234"])
    changed_at: dt.datetime
    deleted: bool = Field(description="Whether the paper is gone.", examples=[False])


class ChangesOut(Schema):
    """A page of changes, the earliest first; each paper is named once, at its last change."""

    items: list[ChangeOut]
    next_since: str = Field(description="What `since` is the next time, also after the last page.")
    has_more: bool = Field(description="Whether there are more at once.")


@router.get(
    "changes",
    response={200: ChangesOut, 422: ErrorOut},
    summary="What changed, for mirrors",
    operation_id="list_changes",
)
@public_answer
def list_changes(request: HttpRequest, choice: Query[ChangesChoice]) -> HttpResponse:
    """Return which papers changed and which were deleted; every change that the API shows counts, votes too."""
    refuse_unknown(request, ChangesChoice)
    last = rows(_LAST)[0][0]
    start = _start(choice.since, last)
    found = rows(_CHANGES, start, choice.limit + 1)
    page = found[: choice.limit]
    items = [
        {"arxiv_id": arxiv_id, "changed_at": moment_text(changed_at), "deleted": bool(deleted)}
        for _id, arxiv_id, changed_at, deleted in page
    ]
    end = page[-1][0] if page else start
    body = {"items": items, "next_since": _signer().sign(str(end)), "has_more": len(found) > choice.limit}
    return json_answer(json.dumps(body, ensure_ascii=False).encode())


def _start(since: str | None, last: int) -> int:
    """Return the number after which the changes begin.

    Raises:
        ApiError: 422; `since` is neither a moment nor a token of this library as it is now.
    """
    if since is None:
        return 0
    if ":" in since and since[:1].isdigit() and "-" in since[:5]:
        return _start_at(since, last)
    try:
        number = int(_signer().unsign(since))
    except (signing.BadSignature, ValueError) as error:
        raise ApiError(
            422, "invalid", "since: write a moment as 2026-05-14T08:00:00Z, or send `next_since`."
        ) from error
    if number > last:
        # A backup was brought back: what was mirrored since is not what is here.
        raise ApiError(422, "since_unknown", "since: it is newer than all that is here; begin anew without it.")
    return number


def _start_at(since: str, last: int) -> int:
    try:
        when = _MOMENT.validate_python(since)
    except ValidationError as error:
        raise ApiError(422, "invalid", "since: write a moment as 2026-05-14T08:00:00Z.") from error
    found = rows(_FIRST, moment(when))
    return found[0][0] if found else last


def _signer() -> signing.Signer:
    return signing.Signer(sep=".", salt=_SALT)
