"""The doors of the task queue: what a wake-up calls, and how to ask for one.

A wake-up says only that there may be something to do. Doubled, late or lost, it does no harm: what must be done
stands in the tables, and the minute's tick wakes again.
"""

import datetime as dt
import logging
import time
from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from croniter import croniter
from django.conf import settings
from django.db import DatabaseError, transaction
from django.utils import timezone
from django_q.models import OrmQ
from django_q.tasks import async_task

from operations import arxiv_requests, maintenance, states
from operations.agent.installation import agent_state
from operations.backup.errors import BackupError
from operations.backup.kept import at_most_each_second, is_backup_running, keep_backup
from operations.backup.manifest import Origin
from operations.calendar import days_to_refresh, growing_days, missed_days, utc_today
from operations.crawl import CrawlFailed, crawl_day
from operations.crawl_jobs import next_job, request_day, run_next_day, start_crawl
from operations.deletion.jobs import start_job, waiting_jobs
from operations.deletion.run import run_job
from operations.disk_use import measure_folders
from operations.housekeeping import prune
from operations.locks import LockHeld
from operations.models import CrawlJob, CrawlJobDay, DataDeleteJob, Heartbeat
from operations.owners import current_owner
from operations.pauses import Cause, WorkPaused, active_pauses, clear
from operations.schedules import DAILY_CRAWL, effective_cron, ensure_schedules
from operations.states import ClaimLost
from operations.stopping import WorkStopped, is_stopping, raise_if_stopping
from operations.summarize import DailyLimitReached, daily_limit_reached, summarize_next
from operations.sweep import sweep
from papers.models import SummaryState, SummaryStatus

logger = logging.getLogger(__name__)

WORKER = "worker"
# Seconds between two signs of life of a summary in work, so that workers who are all busy are not taken for frozen.
SIGN_EVERY = 30.0
# How long a deletion may keep a place of the worker at a stretch: with the wait for a summary far below TASK_SECONDS.
DELETION_SECONDS = 900.0
# The queue holds a few wake-ups; a long one is not read to its end for a page.
_QUEUE_LOOKED_AT = 200


def request_crawl(*dates: dt.date, by: str | None = None) -> CrawlJob:
    """Ask the worker to crawl days as a person wishes, in this order; return the job.

    Raises:
        operations.crawl_plan.BadDates: there is none, or one that Daily Papers cannot have.
    """
    with transaction.atomic():
        job = start_crawl(dates, by=by)
        _wake_crawl(job.pk)
    return job


def request_day_crawl(date: dt.date, *, by: str | None) -> CrawlJobDay:
    """Ask the worker to crawl one day; return the day with its log.

    Raises what operations.crawl_jobs.request_day does.
    """
    with transaction.atomic():
        day = request_day(date, by=by)
        _wake_crawl(day.job_id)
    return day


def _wake_crawl(job_id: int) -> None:
    async_task("operations.tasks.crawl_by_hand", job_id, task_name=f"crawl job {job_id}")


def _wake_next_crawl(*, held_too: bool = False) -> None:
    job_id = next_job(held_too=held_too)
    if job_id is not None:
        _wake_crawl(job_id)


def wake_requests() -> None:
    """Wake the worker for questions to arXiv, where any wait and arXiv may be asked."""
    if arxiv_requests.requests_are_due():
        async_task("operations.tasks.answer_requests")


def request_summaries(most: int | None = None) -> int:
    """Wake the worker for as many papers as have a place; return how many wake-ups were sent."""
    running = SummaryStatus.objects.filter(status=SummaryState.PROCESSING).count()
    places = settings.PAPERSITE.summary_workers - running if most is None else most
    waiting = states.due()[: max(places, 0)].count()
    for _ in range(waiting):
        async_task("operations.tasks.summarize")
    return waiting


def request_deletion(first: dt.date, last: dt.date, *, include_notes: bool, by: str | None) -> DataDeleteJob:
    """Ask the worker to delete the papers of a range of days; return the job.

    Raises what operations.deletion.jobs.start_job does.
    """
    with transaction.atomic():
        job = start_job(first, last, include_notes=include_notes, by=by)
        _wake_deletion(job.pk)
    return job


def _wake_deletion(job_id: int) -> None:
    async_task("operations.tasks.delete_papers", job_id, task_name=f"deletion {job_id}")


def request_backup() -> bool:
    """Ask the worker for a backup; False where one is asked for, or being made, already."""
    with transaction.atomic():
        if is_backup_asked_for() or is_backup_running():
            return False
        async_task("operations.tasks.backup_now", task_name="backup")
    return True


def is_backup_asked_for() -> bool:
    """Tell whether a backup waits for a worker."""
    waiting = OrmQ.objects.order_by("id")[:_QUEUE_LOOKED_AT]
    return any(row.func() == "operations.tasks.backup_now" for row in waiting)


# ---------------------------------------------------------------- called by the queue


def tick() -> None:
    """Show that the worker is alive, put right what the dead left, and start what is due; once a minute."""
    beat(WORKER)
    sweep()
    if maintenance.current() is None:
        _start_what_is_due()


def _start_what_is_due() -> None:
    _wake_next_crawl(held_too=True)
    wake_requests()
    for job in waiting_jobs():
        _wake_deletion(job.pk)
    states.retry_failed(now=timezone.now())
    if agent_state().ok:
        clear(Cause.AGENT)
    if not active_pauses() and not daily_limit_reached():
        request_summaries()


def beat(name: str) -> None:
    """Note that a part of the site is alive now."""
    Heartbeat.objects.update_or_create(name=name, defaults={"beat_at": timezone.now(), "owner": current_owner()})


def sign_of_life(*, during_maintenance: bool = False) -> Callable[[], None]:
    """Return what long work calls every second: it hears a wish to stop and maintenance, and beats now and then."""
    shown = time.monotonic()

    def show() -> None:
        nonlocal shown
        raise_if_stopping()
        if not during_maintenance:
            maintenance.raise_if_on()
        if time.monotonic() - shown >= SIGN_EVERY:
            beat(WORKER)
            shown = time.monotonic()

    return show


def _unless_held(task: Callable[..., str]) -> Callable[..., str]:
    """Let a task do nothing during maintenance; what it would have done is caught up afterwards."""

    @wraps(task)
    def checked(*args: Any) -> str:
        return "held for maintenance" if maintenance.current() else task(*args)

    return checked


@_unless_held
def summarize() -> str:
    """Summarise the next waiting paper, and wake again for the one after it."""
    if active_pauses() or is_stopping():
        return "paused"
    try:
        outcome = summarize_next(sign_of_life())
    except (WorkPaused, WorkStopped, ClaimLost, DailyLimitReached, LockHeld) as reason:
        logger.info("no summary was made: %s", reason)
        return str(reason)
    if outcome is None:
        return "nothing to do"
    request_summaries(most=1)
    return f"{outcome.arxiv_id} {outcome.state}"


def delete_papers(job_id: int) -> str:
    """Run a deletion that waits; what is left of a very long one is begun again by the tick."""
    job = run_job(job_id, stopped=sign_of_life(), seconds=DELETION_SECONDS)
    return f"{job.status}: {job.paper_count} of {job.total} deleted"


@_unless_held
def crawl_by_hand(job_id: int) -> str:
    """Crawl the next day of a job that a person asked for, and wake for the day after it, of whichever job."""
    beat(WORKER)
    try:
        day = run_next_day(job_id, progress=lambda: beat(WORKER))
    except WorkStopped as reason:
        return str(reason)
    request_summaries()
    _wake_next_crawl()
    return f"{day.date}: {day.state}" if day else "nothing to do now"


@_unless_held
def answer_requests() -> str:
    """Ask arXiv about the next papers that people want of it, and wake for those after them."""
    beat(WORKER)
    answered = arxiv_requests.answer_requests()
    if answered is None:
        return "nothing to do now"
    if not answered.kept_waiting:
        request_summaries()
        wake_requests()
    return str(answered)


@_unless_held
def crawl_again(*dates: str) -> str:
    """Crawl the first of these days by this run of the task, and request another run for the others.

    However this one ends. So a long list of days never keeps the tick and a person's wish waiting for more than one
    of them, and never meets the time limit of a task.
    """
    date, *others = map(dt.date.fromisoformat, dates)
    beat(WORKER)
    try:
        return _crawl(date)
    finally:
        if others:
            _request_crawl_again(others)


def _request_crawl_again(dates: Sequence[dt.date]) -> None:
    async_task("operations.tasks.crawl_again", *map(str, dates), task_name=f"crawl {dates[0]}")


def catch_up(held_since: str) -> str:
    """Start what waits, and the crawls that were due while maintenance held the work since then (ISO 8601)."""
    tick()
    due = croniter(effective_cron(DAILY_CRAWL), timezone.localtime()).get_prev(dt.datetime)
    dates = missed_days(utc_today(), due=due, held_since=dt.datetime.fromisoformat(held_since))
    return crawl_again(*map(str, dates)) if dates else "nothing was missed"


@_unless_held
def daily_crawl() -> str:
    """Crawl today, then ask again for the last days and for any that were missed."""
    today = utc_today()
    return crawl_again(*map(str, [today, *days_to_refresh(today)]))


@_unless_held
def growing_crawl() -> str:
    """Ask again for the days whose lists still grow."""
    days = growing_days(utc_today())
    return crawl_again(*map(str, days)) if days else "nothing to do"


@_unless_held
def first_crawl() -> str:
    """Crawl the newest day of the last seven that has papers, as a new installation does."""
    today = utc_today()
    for back in range(7):
        try:
            if crawl_day(today - dt.timedelta(days=back)).found:
                break
        except (CrawlFailed, LockHeld) as error:
            logger.warning("%s", error)
    request_summaries()
    return "done"


def nightly_backup() -> str:
    """Make the backup of the night; during maintenance too."""
    return _back_up(Origin.SCHEDULE)


def backup_now() -> str:
    """Make the backup that someone asked for in the admin."""
    return _back_up(Origin.CONSOLE)


def _back_up(origin: Origin) -> str:
    beat(WORKER)
    try:
        return keep_backup(origin=origin, progress=at_most_each_second(sign_of_life(during_maintenance=True))).path.name
    except (BackupError, WorkStopped) as reason:
        logger.warning("no backup was made: %s", reason)
        return str(reason)


@_unless_held
def cleaning() -> str:
    """Remove what is kept only for a while, measure the folders, and see that no schedule is missing; once a day."""
    ensure_schedules()
    return f"{prune()}; {measure_folders()}"


def _crawl(date: dt.date) -> str:
    try:
        result = crawl_day(date, progress=lambda: beat(WORKER))
    except (CrawlFailed, LockHeld) as error:
        return str(error)
    except (DatabaseError, OSError) as error:
        logger.exception("the crawl of %s could not be stored", date)
        return f"{date}: {error}"
    finally:
        request_summaries()
    return f"{date}: {result.found} found, {result.new} new"
