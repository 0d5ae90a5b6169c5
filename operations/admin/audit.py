"""Who did what and when: records in Django's log of the admin, which writes none for actions and pages of our own."""

from collections.abc import Sequence

from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model
from django.http import HttpRequest

from papers.models import Paper

# One statement writes so many rows at most.
_CHUNK = 500


def record(request: HttpRequest, what: str) -> None:
    """Write that the signed-in person did `what`, where it belongs to no one row."""
    LogEntry.objects.create(
        user_id=_user_id(request),
        content_type=None,
        object_id=None,
        object_repr="",
        action_flag=CHANGE,
        change_message=what,
    )


def record_on(request: HttpRequest, rows: Sequence[Model], what: str) -> None:
    """Write a line for each of `rows` (of one model), as Django does for a change by hand."""
    for start in range(0, len(rows), _CHUNK):
        LogEntry.objects.log_actions(_user_id(request), rows[start : start + _CHUNK], CHANGE, change_message=what)


def record_on_papers(request: HttpRequest, paper_ids: Sequence[int], what: str) -> None:
    """Write a line for each of these papers, however many there are."""
    for start in range(0, len(paper_ids), _CHUNK):
        papers = Paper.objects.filter(pk__in=paper_ids[start : start + _CHUNK])
        record_on(request, list(papers.only("arxiv_id", "title_zh", "title_en")), what)


def _user_id(request: HttpRequest) -> int:
    assert request.user.pk is not None  # noqa: S101  (the admin is for people who signed in)
    return request.user.pk
