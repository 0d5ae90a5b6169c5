"""Rows of `crawl_logs`: one for each run of a task, closed however it ends."""

import datetime as dt
from collections.abc import Iterator
from contextlib import contextmanager

from django.utils import timezone

from operations.models import CrawlLog, RunState, Task
from operations.owners import current_owner
from papers.text import without_controls

# A log is for reading; a longer text would be an upstream's page or a model's output.
MAX_TEXT = 4000
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
