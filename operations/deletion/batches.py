"""A batch of a deletion: some papers with all that belongs to them, in one transaction, or nothing."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from django.db import connection, transaction
from django.db.models import F, Model
from django.utils import timezone

from operations.deletion.folders import move_aside, put_aside
from operations.deletion.selection import Selection
from operations.models import DataDeleteJob, RunState
from papers.models import (
    Paper,
    PaperAuthor,
    PaperSummary,
    PaperTag,
    SummaryStatus,
    UserBookmark,
    UserNote,
    UserReadingStatus,
)
from papers.search.index import remove_from_index

# How many papers go in one transaction, which is how long everyone else waits to write.
BATCH = 100
# In the order of the data model: what is the owner's, what was made of the paper, and at the end the paper itself.
_BELONGINGS: tuple[type[Model], ...] = (
    UserBookmark,
    UserReadingStatus,
    UserNote,
    PaperSummary,
    SummaryStatus,
    PaperAuthor,
    PaperTag,
)
_TOMBSTONE = (
    "INSERT INTO deleted_papers (arxiv_id, paper_date, deleted_at) VALUES (%s, %s, %s)"
    " ON CONFLICT (arxiv_id) DO UPDATE SET paper_date = excluded.paper_date, deleted_at = excluded.deleted_at"
)


@dataclass(frozen=True)
class Batch:
    """The papers that were deleted, and those that could not be, each with who is summarising it."""

    deleted: tuple[str, ...]
    in_work: dict[str, str]


@dataclass(frozen=True)
class _Doomed:
    """What must be known of a paper when it is gone."""

    pk: int
    arxiv_id: str
    paper_date: dt.date


class JobLost(Exception):
    """The job was closed, or given to someone else; what was being done for it was not stored."""


def delete_batch(job: DataDeleteJob, selection: Selection) -> Batch:
    """Delete the next papers of a job that this process runs, and count them in the job's row.

    Which papers are in work is decided in the transaction, so that nobody can begin with one of them meanwhile.

    Raises:
        JobLost: this process does not run the job any more; nothing was deleted.
    """
    with put_aside() as aside, transaction.atomic():
        in_work = selection.in_work()
        chosen = _choose(selection, in_work)
        if chosen:
            _delete(chosen, aside)
        _count(job, len(chosen))
    return Batch(tuple(paper.arxiv_id for paper in chosen), in_work)


def _choose(selection: Selection, in_work: dict[str, str]) -> list[_Doomed]:
    """Return the next papers: day by day, for the index's sake, and those that lie beside each other together."""
    waiting = selection.doomed().exclude(arxiv_id__in=in_work).order_by("-paper_date", "id")
    return [_Doomed(*row) for row in waiting.values_list("pk", "arxiv_id", "paper_date")[:BATCH]]


def _delete(papers: Sequence[_Doomed], aside: Path) -> None:
    ids = [paper.pk for paper in papers]
    for model in _BELONGINGS:
        _delete_where(model, "paper_id", ids)
    remove_from_index(ids)
    move_aside((paper.arxiv_id for paper in papers), aside)
    _delete_where(Paper, "id", ids)
    _remember(papers)


def _delete_where(model: type[Model], column: str, ids: Sequence[int]) -> None:
    """Delete rows by one statement; Django's own way would read them first, to look for what hangs on them."""
    places = ", ".join(["%s"] * len(ids))
    with connection.cursor() as cursor:
        cursor.execute(f"DELETE FROM {model._meta.db_table} WHERE {column} IN ({places})", ids)  # noqa: S608


def _remember(papers: Sequence[_Doomed]) -> None:
    """Keep which papers were deleted, so that no refresh brings them back."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.executemany(_TOMBSTONE, [(paper.arxiv_id, paper.paper_date.isoformat(), now) for paper in papers])


def _count(job: DataDeleteJob, deleted: int) -> None:
    running = DataDeleteJob.objects.filter(pk=job.pk, status=RunState.RUNNING, owner=job.owner)
    if not running.update(paper_count=F("paper_count") + deleted):
        raise JobLost(f"deletion {job.pk} is not run by this process any more")
