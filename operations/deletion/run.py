"""Runs a deletion to its end, or to where it is stopped."""

import datetime as dt
import time
from collections.abc import Callable

from django.conf import settings
from django.db import transaction

from operations import maintenance
from operations.deletion.batches import JobLost, delete_batch
from operations.deletion.folders import remove_empty_folders, remove_of_deleted, settle
from operations.deletion.jobs import REQUESTED, claim, close, hand_on, start_job
from operations.deletion.selection import Selection
from operations.locks import LockHeld
from operations.models import DataDeleteJob, DeletedPaper, RunState
from operations.stopping import WorkStopped

# Begins the reason of a job that waited in vain; the pages have words of their own for it.
STILL_IN_WORK = "still being summarised: "
# Seconds between two looks at papers that are being summarised.
POLL = 1.0

Progress = Callable[[int], None]
Stopped = Callable[[], None]


class StillInWork(Exception):
    """Papers were being summarised for longer than a summary may take."""

    def __init__(self, in_work: dict[str, str]) -> None:
        """Name them, and who has them."""
        named = ", ".join(f"{arxiv_id} ({owner})" for arxiv_id, owner in sorted(in_work.items()))
        super().__init__(f"{STILL_IN_WORK}{named}")


class _TimeUp(Exception):
    """The job has run for as long as it may at a stretch."""


def delete_now(
    first: dt.date,
    last: dt.date,
    *,
    include_notes: bool,
    by: str | None,
    progress: Progress | None = None,
    stopped: Stopped | None = None,
) -> DataDeleteJob:
    """Delete the papers filed under `first` to `last` by this process, without a worker; return the closed job.

    See start_job for the arguments and what is raised, and run_job for `progress` and `stopped`.
    """
    with transaction.atomic():  # so that no worker can take the job before this process does
        job = claim(start_job(first, last, include_notes=include_notes, by=by).pk)
        assert job is not None  # noqa: S101  (nobody else has seen it yet)
    return _Run(job, progress, stopped).to_its_end()


def run_job(
    job_id: int, *, progress: Progress | None = None, stopped: Stopped | None = None, seconds: float | None = None
) -> DataDeleteJob:
    """Run a waiting job and return its row as it is then; one that is over, or another's, is returned untouched.

    A job that could not delete all is `failed`, with "stopped at N of M" in `error`; a new one over the same days goes
    on. `progress` is called with the number of papers deleted since its last call. `stopped` is called before each
    batch, and raises WorkStopped to end the job there. After `seconds` the job is left waiting for another run.
    """
    try:
        _hear(stopped)
        job = claim(job_id)
    except (WorkStopped, LockHeld):
        job = None  # it waits on; the minute's tick wakes it again
    if job is None:
        return DataDeleteJob.objects.get(pk=job_id)
    return _Run(job, progress, stopped, seconds).to_its_end()


def _hear(stopped: Stopped | None) -> None:
    """Hear whether work is to be stopped altogether.

    Raises:
        WorkStopped: it is.
    """
    if stopped:
        stopped()
    maintenance.raise_if_on()


class _Run:
    """A job that this process has claimed."""

    def __init__(
        self, job: DataDeleteJob, progress: Progress | None, stopped: Stopped | None, seconds: float | None = None
    ) -> None:
        self.job, self.progress, self.stopped = job, progress, stopped
        self.selection = Selection(job.date_start, job.date_end, job.include_notes is not False)
        self.ends_at = None if seconds is None else time.monotonic() + seconds

    def to_its_end(self) -> DataDeleteJob:
        """Delete, and close the job however that ends."""
        try:
            self._delete_all()
        except WorkStopped as reason:
            close(self.job, RunState.FAILED, detail=str(reason))
        except StillInWork as reason:
            close(self.job, RunState.FAILED, error=str(reason))
        except _TimeUp:
            hand_on(self.job)
        except JobLost:
            pass  # whoever took it has closed it
        except Exception as error:
            close(self.job, RunState.FAILED, error=f"{type(error).__name__}: {error}")
            raise
        except BaseException:
            close(self.job, RunState.FAILED, detail="the process was interrupted")
            raise
        else:
            self._succeed()
        return DataDeleteJob.objects.get(pk=self.job.pk)

    def _delete_all(self) -> None:
        settle(only_of_the_dead=False)
        give_up_at = None
        while True:
            self._hear()
            batch = delete_batch(self.job, self.selection)
            if batch.deleted:
                self._told(len(batch.deleted))
            elif not batch.in_work:
                break
            else:
                give_up_at = give_up_at or time.monotonic() + settings.PAPERSITE.agent_timeout
                self._wait(batch.in_work, give_up_at)
        self._tidy()

    def _hear(self) -> None:
        """Hear every wish to stop.

        Raises:
            WorkStopped: there is one.
        """
        _hear(self.stopped)
        if DataDeleteJob.objects.filter(pk=self.job.pk).exclude(stop_requested_at=None).exists():
            raise WorkStopped(REQUESTED)

    def _told(self, deleted: int) -> None:
        if self.progress:
            self.progress(deleted)
        if self.ends_at is not None and time.monotonic() >= self.ends_at:
            raise _TimeUp

    def _wait(self, in_work: dict[str, str], give_up_at: float) -> None:
        if time.monotonic() >= give_up_at:
            raise StillInWork(in_work)
        time.sleep(POLL)

    def _tidy(self) -> None:
        """Remove what was written of these days' papers while, or after, they were deleted."""
        days = (self.job.date_start, self.job.date_end)
        deleted = list(DeletedPaper.objects.filter(paper_date__range=days).values_list("arxiv_id", flat=True))
        remove_of_deleted(deleted)
        remove_empty_folders(deleted)

    def _succeed(self) -> None:
        kept = self.selection.kept().count()
        DataDeleteJob.objects.filter(pk=self.job.pk).update(kept=kept)
        days = f"{self.job.date_start} to {self.job.date_end}"
        deleted = DataDeleteJob.objects.values_list("paper_count", flat=True).get(pk=self.job.pk)
        detail = f"papers filed under {days}: {deleted} deleted, {kept} kept"
        close(self.job, RunState.SUCCESS, detail=detail)
