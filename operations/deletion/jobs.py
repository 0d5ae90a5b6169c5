"""Rows of `data_delete_jobs`: made, claimed, asked to stop, and closed with their log and the lock of all deletions.

A running row without an owner waits for a worker. One with an owner is run by that process, which holds the lock
`delete` / `all`; both come and go in one transaction, so that whoever finds one without the other knows that the
process is gone.
"""

import datetime as dt
import logging

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone

from operations import maintenance
from operations.deletion.selection import Selection
from operations.locks import LockHeld, attach_log, is_held, release, take
from operations.logs import OWNER_DIED, bounded, finish_log, start_log, write_log
from operations.models import CrawlLog, DataDeleteJob, LockState, RunState, Task, TaskLock
from operations.owners import current_owner, describe

logger = logging.getLogger(__name__)

LOCK_KEY = "all"
# Why a job ended that somebody stopped.
REQUESTED = "stopped on request"


class DeletionRunning(Exception):
    """Another deletion is being run, or waits for a worker."""

    def __init__(self, job: DataDeleteJob) -> None:
        """Keep which."""
        self.job = job
        state = f"is being run by {describe(job.owner)}" if job.owner else "waits for a worker"
        super().__init__(f"deletion {job.pk}, of {job.date_start} to {job.date_end}, {state}")


def start_job(first: dt.date, last: dt.date, *, include_notes: bool, by: str | None) -> DataDeleteJob:
    """Store a deletion of the papers filed under `first` to `last`, for a worker to run; one at a time.

    Without `include_notes`, papers that carry a note or a bookmark are kept. `by` is who asked for it.

    Raises:
        operations.deletion.selection.RangeReversed: `first` is after `last`.
        operations.maintenance.MaintenanceOn: nothing is begun now.
        DeletionRunning: there is another one.
        operations.locks.LockHeld: the lock of all deletions is held by someone alive.
    """
    selection = Selection(first, last, include_notes)
    close_dead_jobs()
    with transaction.atomic():
        maintenance.raise_if_on()
        _refuse_beside_another()
        return DataDeleteJob.objects.create(
            date_start=first,
            date_end=last,
            include_notes=include_notes,
            status=RunState.RUNNING,
            started_at=timezone.now(),
            total=selection.doomed().count(),
            kept=selection.kept().count(),
            requested_by=by,
        )


def _refuse_beside_another() -> None:
    job = DataDeleteJob.objects.filter(status=RunState.RUNNING).first()
    if job is not None:
        raise DeletionRunning(job)
    lock = _lock()
    if lock is not None and is_held(lock):
        raise LockHeld(lock)


def _lock() -> TaskLock | None:
    return TaskLock.objects.filter(task=Task.DELETE, lock_key=LOCK_KEY, status=LockState.RUNNING).first()


def waiting_jobs() -> QuerySet[DataDeleteJob]:
    """Return the jobs that wait for a worker."""
    return DataDeleteJob.objects.filter(status=RunState.RUNNING, owner=None)


def claim(job_id: int) -> DataDeleteJob | None:
    """Make this process the one that runs a waiting job; None where the job is over, or another's.

    Raises:
        operations.locks.LockHeld: the lock of all deletions is held by someone alive; the job waits on.
    """
    with transaction.atomic():
        if not waiting_jobs().filter(pk=job_id).update(owner=current_owner()):
            return None
        job = DataDeleteJob.objects.get(pk=job_id)
        lock = take(Task.DELETE, LOCK_KEY)
        job.log = start_log(Task.DELETE, job.date_start if job.date_start == job.date_end else None)
        attach_log(lock, job.log)
        job.save(update_fields=["log"])
    return job


def hand_on(job: DataDeleteJob) -> bool:
    """Let a job that this process runs wait for a worker again, so that no task lasts too long."""
    with transaction.atomic():
        handed = _held(job).update(owner=None)
        if handed:
            _finish_log(job, RunState.SUCCESS, None, f"{_progress(job)}; goes on")
            _release(job, RunState.SUCCESS)
    return bool(handed)


def close(job: DataDeleteJob, status: RunState, *, error: str | None = None, detail: str | None = None) -> bool:
    """Close a job with its log and its lock; False where someone else did so before.

    `error` is put behind "stopped at N of M".
    """
    with transaction.atomic():
        if not _held(job).exists():
            return False
        job.refresh_from_db()
        words = None if status == RunState.SUCCESS else ": ".join(filter(None, (f"stopped at {_progress(job)}", error)))
        _held(job).update(status=status, error=bounded(words), completed_at=timezone.now())
        _finish_log(job, status, words, detail)
        _release(job, status)
    return True


def _held(job: DataDeleteJob) -> QuerySet[DataDeleteJob]:
    return DataDeleteJob.objects.filter(pk=job.pk, status=RunState.RUNNING, owner=job.owner)


def _progress(job: DataDeleteJob) -> str:
    """Return how far a job is: `500 of 6500`."""
    deleted, total = DataDeleteJob.objects.values_list("paper_count", "total").get(pk=job.pk)
    return f"{deleted or 0} of {max(total or 0, deleted or 0)}"


def _finish_log(job: DataDeleteJob, status: RunState, error: str | None, detail: str | None) -> None:
    """Close the log of the run, or write one where there is no run."""
    if job.log is None or not finish_log(job.log, status, error=error, detail=detail):
        log: CrawlLog = write_log(Task.DELETE, status, error=error, detail=detail)
        DataDeleteJob.objects.filter(pk=job.pk).update(log=log)


def _release(job: DataDeleteJob, status: RunState) -> None:
    lock = _lock()
    if lock is not None and lock.owner == job.owner:
        release(lock, LockState.FINISHED if status == RunState.SUCCESS else LockState.FAILED)


def stop_job(job_id: int, *, by: str | None) -> bool:
    """Ask a job to stop after the papers at hand; one that waits for a worker is closed at once.

    False where it is over already.
    """
    with transaction.atomic():
        asked = DataDeleteJob.objects.filter(pk=job_id, status=RunState.RUNNING).update(
            stop_requested_at=timezone.now()
        )
        waiting = waiting_jobs().filter(pk=job_id).first()
        if waiting is not None:
            close(waiting, RunState.FAILED, detail=REQUESTED)
    if asked:
        logger.info("deletion %s was asked to stop by %s", job_id, by or "nobody named")
    return bool(asked)


def dead_jobs() -> list[DataDeleteJob]:
    """Return the jobs whose process is gone."""
    running = DataDeleteJob.objects.filter(status=RunState.RUNNING).exclude(owner=None)
    return [job for job in running if not _is_run(job)]


def _is_run(job: DataDeleteJob) -> bool:
    lock = _lock()
    return lock is not None and lock.owner == job.owner and is_held(lock)


def close_dead_jobs() -> int:
    """Close the jobs whose process is gone, with their log and lock; return how many."""
    if not dead_jobs():
        return 0
    with transaction.atomic():  # one may have been closed, and the next begun, between two looks
        return sum(close(job, RunState.FAILED, detail=OWNER_DIED) for job in dead_jobs())
