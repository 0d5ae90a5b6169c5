"""The API of the owner's bookmarks, notes and reading status: for the owner, or a token with the scope `personal`."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated, Any, Literal

from django.http import HttpRequest
from ninja import Query, Router, Schema, Status
from pydantic import AfterValidator, ConfigDict, Field

from papers.api_schemas import ArxivId
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.models import Paper, ReadingStatus, UserBookmark, UserNote, UserReadingStatus
from papers.personal.errors import TooLong, UnknownPaper
from papers.personal.verbs import (
    LONGEST_BOOKMARK_NOTE,
    LONGEST_NOTE,
    remove_bookmark,
    remove_note,
    save_note,
    set_bookmark,
    set_reading_status,
)
from papers.text import without_controls
from papersite.api_auth import REFUSALS, personal
from papersite.api_errors import ApiError, ErrorOut
from papersite.api_parameters import PageOfRows, refuse_unknown

router = Router(tags=["personal"], auth=personal)
_BAD_ID = {**REFUSALS, 404: ErrorOut}
_BAD_BODY = {**_BAD_ID, 400: ErrorOut, 413: ErrorOut, 422: ErrorOut}
StatusName = Literal["unread", "skimmed", "read_summary", "read_full"]


def _with_text(value: str) -> str:
    if not without_controls(value).strip():
        raise ValueError("a note has some text; DELETE removes it")
    return value


class _BodyIn(Schema):
    """What is written; a misspelt field would otherwise be lost in silence."""

    model_config = ConfigDict(extra="forbid")


class BookmarkIn(_BodyIn):
    """A bookmark."""

    note: str | None = Field(
        None,
        max_length=LONGEST_BOOKMARK_NOTE,
        description="A line of the bookmark's own; left out or null: as it was.",
        examples=["for Thursday"],
    )


class NoteIn(_BodyIn):
    """A note."""

    content: Annotated[str, AfterValidator(_with_text)] = Field(
        min_length=1, max_length=LONGEST_NOTE, description="Markdown.", examples=["Compare table 3."]
    )


class ReadingStatusIn(_BodyIn):
    """How far a paper has been read."""

    status: StatusName


class BookmarkOut(Schema):
    """A bookmark."""

    arxiv_id: str = Field(examples=["2406.01234"])
    note: str = Field(description="Empty where there is none.")
    created_at: dt.datetime


class BookmarkedOut(BookmarkOut):
    """A bookmark in the list, with its paper."""

    title_en: str
    title_zh: str | None
    paper_date: dt.date


class BookmarkPageOut(Schema):
    """A page of the bookmarks."""

    items: list[BookmarkedOut]
    count: int = Field(description="How many there are in all.")


class NoteOut(Schema):
    """A note."""

    arxiv_id: str = Field(examples=["2406.01234"])
    content: str
    updated_at: dt.datetime


class ReadingStatusOut(Schema):
    """How far a paper has been read."""

    arxiv_id: str = Field(examples=["2406.01234"])
    status: StatusName
    updated_at: dt.datetime | None = Field(description="Null while nothing was set.")


@router.get(
    "bookmarks",
    response={200: BookmarkPageOut, **REFUSALS, 422: ErrorOut},
    summary="The bookmarks",
    operation_id="list_bookmarks",
)
def list_bookmarks(request: HttpRequest, filters: Query[PageOfRows]) -> dict[str, Any]:
    """Return the bookmarked papers, the one bookmarked last first."""
    refuse_unknown(request, PageOfRows)
    rows = UserBookmark.objects.order_by("-created_at", "-pk").select_related("paper")
    columns = ("note", "created_at", "paper__arxiv_id", "paper__title_en", "paper__title_zh", "paper__paper_date")
    page = rows.only(*columns)[filters.offset : filters.offset + filters.limit]
    return {"items": [_bookmarked_out(row) for row in page], "count": UserBookmark.objects.count()}


@router.get(
    "papers/{path:arxiv_id}/bookmark",
    response={200: BookmarkOut, **_BAD_ID},
    summary="A paper's bookmark",
    operation_id="get_bookmark",
)
def get_bookmark(request: HttpRequest, arxiv_id: ArxivId) -> dict[str, Any]:
    """Return the bookmark on a paper; 404 where it has none."""
    paper = _paper(arxiv_id)
    row = UserBookmark.objects.filter(paper=paper).first()
    if row is None:
        raise ApiError(404, "not_found", f"{paper.arxiv_id} is not bookmarked.")
    return _bookmark_out(paper.arxiv_id, row)


@router.put(
    "papers/{path:arxiv_id}/bookmark",
    response={200: BookmarkOut, **_BAD_BODY},
    summary="Bookmark a paper",
    operation_id="put_bookmark",
)
def put_bookmark(request: HttpRequest, arxiv_id: ArxivId, bookmark: BookmarkIn) -> dict[str, Any]:
    """Bookmark a paper, or change the bookmark's own note; done twice it is the same as done once."""
    plain = _plain(arxiv_id)
    with _faults_in_words("note"):
        return _bookmark_out(plain, set_bookmark(plain, note=bookmark.note))


@router.delete(
    "papers/{path:arxiv_id}/bookmark",
    response={204: None, **_BAD_ID},
    summary="Take a bookmark away",
    operation_id="delete_bookmark",
)
def delete_bookmark(request: HttpRequest, arxiv_id: ArxivId) -> Status:
    """Take the bookmark off a paper, with its note; done twice it is the same as done once."""
    with _faults_in_words("note"):
        remove_bookmark(_plain(arxiv_id))
    return Status(204, None)


@router.get(
    "papers/{path:arxiv_id}/note",
    response={200: NoteOut, **_BAD_ID},
    summary="A paper's note",
    operation_id="get_note",
)
def get_note(request: HttpRequest, arxiv_id: ArxivId) -> dict[str, Any]:
    """Return the note on a paper; 404 where it has none."""
    paper = _paper(arxiv_id)
    row = UserNote.objects.filter(paper=paper).first()
    if row is None:
        raise ApiError(404, "not_found", f"{paper.arxiv_id} has no note.")
    return {"arxiv_id": paper.arxiv_id, "content": row.content, "updated_at": row.updated_at}


@router.put(
    "papers/{path:arxiv_id}/note",
    response={200: NoteOut, **_BAD_BODY},
    summary="Write a paper's note",
    operation_id="put_note",
)
def put_note(request: HttpRequest, arxiv_id: ArxivId, note: NoteIn) -> dict[str, Any]:
    """Store the note on a paper in place of what was there; the same text again changes nothing."""
    plain = _plain(arxiv_id)
    with _faults_in_words("content"):
        saved = save_note(plain, note.content)
    return {"arxiv_id": plain, "content": saved.content, "updated_at": saved.saved_at}


@router.delete(
    "papers/{path:arxiv_id}/note",
    response={204: None, **_BAD_ID},
    summary="Remove a paper's note",
    operation_id="delete_note",
)
def delete_note(request: HttpRequest, arxiv_id: ArxivId) -> Status:
    """Remove the note on a paper; done twice it is the same as done once."""
    with _faults_in_words("content"):
        remove_note(_plain(arxiv_id))
    return Status(204, None)


@router.get(
    "papers/{path:arxiv_id}/reading-status",
    response={200: ReadingStatusOut, **_BAD_ID},
    summary="How far a paper has been read",
    operation_id="get_reading_status",
)
def get_reading_status(request: HttpRequest, arxiv_id: ArxivId) -> dict[str, Any]:
    """Return how far a paper has been read: `unread` where nothing was set."""
    paper = _paper(arxiv_id)
    row = UserReadingStatus.objects.filter(paper=paper).first()
    if row is None:
        return {"arxiv_id": paper.arxiv_id, "status": ReadingStatus.UNREAD, "updated_at": None}
    return {"arxiv_id": paper.arxiv_id, "status": row.status, "updated_at": row.updated_at}


@router.put(
    "papers/{path:arxiv_id}/reading-status",
    response={200: ReadingStatusOut, **_BAD_BODY},
    summary="Set how far a paper has been read",
    operation_id="put_reading_status",
)
def put_reading_status(request: HttpRequest, arxiv_id: ArxivId, reading: ReadingStatusIn) -> dict[str, Any]:
    """Set how far a paper has been read; the same again changes nothing."""
    plain = _plain(arxiv_id)
    with _faults_in_words("status"):
        row = set_reading_status(plain, reading.status)
    return {"arxiv_id": plain, "status": row.status, "updated_at": row.updated_at}


def _plain(arxiv_id: str) -> str:
    try:
        return split_arxiv_id(arxiv_id)[0]
    except InvalidArxivId as error:
        raise ApiError(404, "not_found", f"{arxiv_id[:80]!r} is not an arXiv id.") from error


def _paper(arxiv_id: str) -> Paper:
    plain = _plain(arxiv_id)
    with _faults_in_words("arxiv_id"):
        paper = Paper.objects.filter(arxiv_id=plain).only("arxiv_id").first()
        if paper is None:
            raise UnknownPaper(plain)
    return paper


@contextmanager
def _faults_in_words(field: str) -> Iterator[None]:
    """Answer what a verb refuses: 404 for an unknown paper, 422 for a text that is too long."""
    try:
        yield
    except UnknownPaper as error:
        raise ApiError(404, "not_found", f"There is no paper {error}.") from error
    except TooLong as error:
        raise ApiError(422, "invalid", f"{field}: {error}") from error


def _bookmark_out(arxiv_id: str, row: UserBookmark) -> dict[str, Any]:
    return {"arxiv_id": arxiv_id, "note": row.note or "", "created_at": row.created_at}


def _bookmarked_out(row: UserBookmark) -> dict[str, Any]:
    paper = row.paper
    titles = {"title_en": paper.title_en, "title_zh": paper.title_zh, "paper_date": paper.paper_date}
    return {**_bookmark_out(paper.arxiv_id, row), **titles}
