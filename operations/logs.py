"""Rows of `crawl_logs`: one for each run of a task, closed however it ends."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

from django.db.models import Exists, OuterRef, Q
from django.utils import timezone

from operations.models import CrawlJobDay, CrawlLog, DayState, RunState, SummaryRequest, Task
from operations.owners import current_owner
from papers.text import without_controls

# A log is for reading; a longer text would be an upstream's page or a model's output.
MAX_TEXT = 4000
# A row that was written when work was asked for, and that nobody has begun with, has no owner.
WAITS = Q(status=RunState.RUNNING, owner=None)
# Why a run that did not come to its end has none.
STOPPED = "stopped before its end"
OWNER_DIED = "the process that ran this died"


def start_log(task: Task, date: dt.date | None = None, *, found: int | None = None) -> CrawlLog:
    """Write a `running` row for a task begun now by this process."""
    return CrawlLog.objects.create(
        task=task,
        status=RunState.RUNNING,
        date=date,
        papers_found=found,
        started_at=timezone.now(),
        owner=current_owner(),
    )


def open_log(
    task: Task, date: dt.date | None = None, *, found: int | None = None, detail: str | None = None
) -> CrawlLog:
    """Write the row of work that was asked for and waits: `running`, by nobody yet."""
    return CrawlLog.objects.create(
        task=task,
        status=RunState.RUNNING,
        date=date,
        papers_found=found,
        detail=bounded(detail),
        started_at=timezone.now(),
    )


def take_log(log_id: int | None) -> CrawlLog | None:
    """Make this process the one whose work a waiting row tells of, from now on; None where there is none that waits."""
    if log_id is None:
        return None
    waiting = CrawlLog.objects.filter(WAITS, pk=log_id)
    taken = waiting.update(owner=current_owner(), started_at=timezone.now())
    return CrawlLog.objects.get(pk=log_id) if taken else None


def is_waited_for() -> Q:
    """Return the condition on a row that waits, of work that is still to come."""
    days = CrawlJobDay.objects.filter(log=OuterRef("pk"), state__in=(DayState.WAITING, DayState.RUNNING))
    return WAITS & (Q(Exists(days)) | Q(Exists(SummaryRequest.objects.filter(log=OuterRef("pk")))))


def finish_log(
    log: CrawlLog,
    status: RunState,
    *,
    error: str | None = None,
    detail: str | None = None,
    found: int | None = None,
    new: int | None = None,
) -> bool:
    """Close a running row; a row that was closed meanwhile (by a sweep) stays as it is, and False is returned."""
    closed = CrawlLog.objects.filter(pk=log.pk, status=RunState.RUNNING).update(
        status=status,
        error=bounded(error),
        detail=bounded(detail),
        papers_found=found,
        papers_new=new,
        completed_at=timezone.now(),
    )
    return bool(closed)


def write_log(task: Task, status: RunState, *, error: str | None = None, detail: str | None = None) -> CrawlLog:
    """Write the row of something that is over already."""
    log = start_log(task)
    finish_log(log, status, error=error, detail=detail)
    return log


def bounded(text: str | None) -> str | None:
    """Return `text` fit for a log: without control characters, at most `MAX_TEXT` characters."""
    if not text:
        return None
    clean = without_controls(text)
    return clean if len(clean) <= MAX_TEXT else clean[: MAX_TEXT - 1] + "…"


@contextmanager
def closing_log(log: CrawlLog) -> Iterator[CrawlLog]:
    """Close `log` as failed where the block ends by an exception; the block itself closes it when all is well."""
    try:
        yield log
    except Exception as error:
        finish_log(log, RunState.FAILED, error=f"{type(error).__name__}: {error}")
        raise
    except BaseException:
        finish_log(log, RunState.FAILED, error=STOPPED)
        raise
