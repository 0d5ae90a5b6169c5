"""Crawls of days that someone asked for: said beforehand, kept in tables, run a day at a time, stopped when wished.

    waiting -> running -> success
        ^         |-----> failed
        `---------'  (the day is being crawled elsewhere, or its owner died)
    waiting -> skipped    (the job was stopped, or the day was being crawled elsewhere all the time)

Every move is an UPDATE that names the state it leaves. The queue only wakes: see `tasks.crawl_by_hand`.
"""

import datetime as dt
import logging
from collections.abc import Callable, Iterable

from django.db import DatabaseError, transaction
from django.db.models import Count, F, Max, Q, QuerySet
from django.utils import timezone

from operations.calendar import utc_today
from operations.crawl import CrawlFailed, crawl_day
from operations.crawl_plan import check_dates
from operations.locks import LockHeld, held_lock
from operations.logs import OWNER_DIED, STOPPED, WAITS, bounded, finish_log, open_log
from operations.maintenance import raise_if_on
from operations.models import CrawlJob, CrawlJobDay, CrawlLog, DayState, LockState, RunState, Task, TaskLock
from operations.owners import current_owner, is_abandoned
from operations.stopping import WorkStopped, raise_if_stopping

logger = logging.getLogger(__name__)

# A day that is being crawled elsewhere is tried again each minute, and given up after so many times.
LOCK_ATTEMPTS = 15
# A day whose crawl ended by the death of its process so many times is given up.
DEATHS = 3
# A day in work without the lock of its date for so long is one whose owner could not write down its end.
SETTLED = dt.timedelta(minutes=5)
_CHUNK = 500
_OPEN = (DayState.WAITING, DayState.RUNNING)


class JobStopped(WorkStopped):
    """Someone stopped the job whose day is being crawled."""


# ---------------------------------------------------------------- for people


def start_crawl(dates: Iterable[dt.date], *, by: str | None) -> CrawlJob:
    """Store a job that crawls these days in this order, each once; a worker does it, a day at a time.

    Raises:
        operations.crawl_plan.BadDates: there is none, or one lies in the future (UTC) or before the first Daily Papers.
    """
    wanted = list(dict.fromkeys(dates))
    check_dates(wanted, today=utc_today())
    with transaction.atomic():
        job = CrawlJob.objects.create(status=RunState.RUNNING, requested_by=by, started_at=timezone.now())
        CrawlJobDay.objects.bulk_create([CrawlJobDay(job=job, date=date) for date in wanted], batch_size=_CHUNK)
    return job


def request_day(date: dt.date, *, by: str | None) -> CrawlJobDay:
    """Return a day that waits to be crawled, with the log that tells of it; asked for twice, it is the same one.

    Raises:
        operations.crawl_plan.BadDates: it lies in the future (UTC) or before the first Daily Papers.
        operations.locks.LockHeld: it is being crawled by someone alive.
    """
    with transaction.atomic():
        lock = held_lock(Task.CRAWL, date.isoformat())
        if lock is not None:
            raise LockHeld(lock)
        day = _waiting_days().filter(date=date).order_by("id").first()
        if day is None:
            day = start_crawl([date], by=by).days.get()
        if day.log is None or day.log.status != RunState.RUNNING:
            day.log = open_log(Task.CRAWL, date, detail=f"asked for by {by}" if by else None)
            day.save(update_fields=["log"])
    return day


def stop_crawl(job_id: int, *, by: str | None) -> bool:
    """Stop a job: days that wait are skipped, the one in work ends after the page at hand; False where it is over.

    Raises:
        CrawlJob.DoesNotExist: there is no such job.
    """
    with transaction.atomic():
        CrawlJob.objects.get(pk=job_id)
        going = CrawlJob.objects.filter(pk=job_id, status=RunState.RUNNING, stop_requested_at=None)
        stopped = going.update(stop_requested_at=timezone.now())
        if stopped:
            _skip_the_rest(job_id, f"stopped by {by}" if by else "stopped")
    return bool(stopped)


def _skip_the_rest(job_id: int, reason: str) -> None:
    waiting = CrawlJobDay.objects.filter(job=job_id, state=DayState.WAITING)
    for log in CrawlLog.objects.filter(WAITS, pk__in=waiting.exclude(log=None).values("log")):
        finish_log(log, RunState.FAILED, error=reason)
    waiting.update(state=DayState.SKIPPED, error=reason, completed_at=timezone.now())
    _settle(job_id)


# ---------------------------------------------------------------- for workers


def next_job(*, held_too: bool = False) -> int | None:
    """Return the job whose turn it is, or None where no day waits or one is in work.

    Jobs take turns: the one whose last day began longest ago goes first. Days that were being crawled elsewhere
    are left alone unless `held_too`.
    """
    if CrawlJobDay.objects.filter(state=DayState.RUNNING).exists():
        return None
    waiting = _waiting_days() if held_too else _waiting_days().filter(attempts=0)
    turns = CrawlJob.objects.filter(pk__in=waiting.values("job"), status=RunState.RUNNING)
    by_turn = turns.annotate(last=Max("days__started_at")).order_by(F("last").asc(nulls_first=True), "id")
    return by_turn.values_list("pk", flat=True).first()


def _waiting_days() -> QuerySet[CrawlJobDay]:
    return CrawlJobDay.objects.filter(state=DayState.WAITING, job__status=RunState.RUNNING)


def run_next_day(job_id: int, *, progress: Callable[[], None] = lambda: None) -> CrawlJobDay | None:
    """Crawl the next day of a job that waits, and note what came of it; None where there is nothing to do now.

    Of all jobs together one day is crawled at a time, so that workers are left for summaries. `progress` is called
    after each page, and every second while a source lets us wait.

    Raises:
        WorkStopped: the site is being stopped, or is under maintenance (MaintenanceOn); the day goes on waiting.
    """
    raise_if_stopping()
    raise_if_on()
    day = _claim(job_id)
    if day is None:
        return None
    try:
        _crawl(day, progress)
    except WorkStopped:
        _move(day, DayState.WAITING, error=None, attempts=day.attempts - 1)
        raise
    except BaseException:
        _wait_or_fail(day, STOPPED)
        raise
    finally:
        _settle(job_id)
    day.refresh_from_db()
    return day


def _claim(job_id: int) -> CrawlJobDay | None:
    """Take the next day; days that were being crawled elsewhere come after the others."""
    with transaction.atomic():
        if _is_stopped(job_id):
            _skip_the_rest(job_id, "stopped")  # a day came back to wait at the moment of the stop
        if CrawlJobDay.objects.filter(state=DayState.RUNNING).exists():
            return None
        day = _waiting_days().filter(job=job_id).order_by("attempts", "id").first()
        if day is None:
            return None
        CrawlJobDay.objects.filter(pk=day.pk, state=DayState.WAITING).update(
            state=DayState.RUNNING,
            owner=current_owner(),
            attempts=F("attempts") + 1,
            started_at=timezone.now(),
            error=None,
        )
    day.refresh_from_db()
    return day


def _crawl(day: CrawlJobDay, progress: Callable[[], None]) -> None:
    def listen() -> None:
        progress()
        raise_if_stopping()
        if _is_stopped(day.job_id):
            raise JobStopped(STOPPED)

    def note_log(log: CrawlLog) -> None:
        CrawlJobDay.objects.filter(pk=day.pk).update(log=log)

    try:
        crawl_day(day.date, by_hand=True, log_id=day.log_id, progress=listen, began=note_log)
    except LockHeld as held:
        _wait_or_skip(day, str(held))
    except (CrawlFailed, JobStopped) as error:
        _end(day, DayState.FAILED, error=str(error))
    except (DatabaseError, OSError) as error:
        logger.exception("the crawl of %s could not be stored", day.date)
        _end(day, DayState.FAILED, error=f"{type(error).__name__}: {error}")
    else:
        _end(day, DayState.SUCCESS)


def _wait_or_skip(day: CrawlJobDay, reason: str) -> None:
    if day.attempts < LOCK_ATTEMPTS and not _is_stopped(day.job_id):
        _move(day, DayState.WAITING, error=reason)
    else:
        _end(day, DayState.SKIPPED, error=reason)


def _is_stopped(job_id: int) -> bool:
    return CrawlJob.objects.filter(pk=job_id).exclude(stop_requested_at=None).exists()


def _end(day: CrawlJobDay, state: DayState, *, error: str | None = None) -> None:
    """End a day with the figures of its log."""
    day.refresh_from_db(fields=["log"])
    if day.log and day.log.owner is None:  # asked for, and never begun with
        finish_log(day.log, RunState.FAILED, error=error)
    figures = {"papers_found": day.log.papers_found, "papers_new": day.log.papers_new} if day.log else {}
    _move(day, state, error=error, completed_at=timezone.now(), **figures)


def _move(day: CrawlJobDay, state: DayState, *, error: str | None, **columns: object) -> bool:
    """Move a day that this process has; False where it was taken away meanwhile."""
    mine = CrawlJobDay.objects.filter(pk=day.pk, state=DayState.RUNNING, owner=day.owner)
    return bool(mine.update(state=state, owner=None, error=bounded(error), **columns))


def _settle(job_id: int) -> None:
    """End a job that has no day left, by what became of its days."""
    days = CrawlJobDay.objects.filter(job=job_id).aggregate(
        all=Count("id"),
        open=Count("id", filter=Q(state__in=_OPEN)),
        good=Count("id", filter=Q(state=DayState.SUCCESS)),
    )
    if days["open"]:
        return
    error = None
    if days["good"] < days["all"]:
        failed = f"{days['all'] - days['good']} of {days['all']} days failed"
        error = f"stopped at {days['good']} of {days['all']} days" if _is_stopped(job_id) else failed
    CrawlJob.objects.filter(pk=job_id, status=RunState.RUNNING).update(
        status=RunState.FAILED if error else RunState.SUCCESS, error=error, completed_at=timezone.now()
    )


# ---------------------------------------------------------------- for the sweep


def finish_abandoned() -> int:
    """Let days whose owner died wait again, or fail where that happened too often; return how many.

    Jobs whose last day ended at the moment of a death are ended too.
    """
    abandoned = [day for day in CrawlJobDay.objects.filter(state=DayState.RUNNING) if _is_abandoned(day)]
    for day in abandoned:
        _wait_or_fail(day, OWNER_DIED)
    for job in CrawlJob.objects.filter(status=RunState.RUNNING).exclude(days__state__in=_OPEN):
        _settle(job.pk)
    return len(abandoned)


def _is_abandoned(day: CrawlJobDay) -> bool:
    """Tell whether nobody works on a day: its owner is dead, or lives and has lost sight of it."""
    if day.started_at is None or is_abandoned(day.owner, day.started_at):
        return True
    held = TaskLock.objects.filter(task=Task.CRAWL, lock_key=day.date.isoformat(), status=LockState.RUNNING)
    return timezone.now() - day.started_at > SETTLED and not held.exists()


def _wait_or_fail(day: CrawlJobDay, reason: str) -> None:
    if _is_stopped(day.job_id) or day.attempts >= DEATHS:
        _end(day, DayState.FAILED, error=reason)
    else:
        _move(day, DayState.WAITING, error=reason)
