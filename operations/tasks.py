"""The doors of the task queue: what a wake-up calls, and how to ask for one.

A wake-up says only that there may be something to do. Doubled, late or lost, it does no harm: what must be done
stands in the tables, and the minute's tick wakes again.
"""

import datetime as dt
import logging
import time
from collections.abc import Callable, Sequence

from django.conf import settings
from django.db import DatabaseError
from django.utils import timezone
from django_q.tasks import async_task

from operations import states
from operations.agent.installation import agent_state
from operations.calendar import days_to_refresh, growing_days, utc_today
from operations.crawl import CrawlFailed, crawl_day
from operations.housekeeping import prune
from operations.locks import LockHeld
from operations.models import Heartbeat
from operations.owners import current_owner
from operations.pauses import Cause, WorkPaused, active_pauses, clear
from operations.states import ClaimLost
from operations.stopping import WorkStopped, is_stopping, raise_if_stopping
from operations.summarize import DailyLimitReached, daily_limit_reached, summarize_next
from operations.sweep import sweep
from papers.models import SummaryState, SummaryStatus

logger = logging.getLogger(__name__)

WORKER = "worker"
# Seconds between two signs of life of a summary in work, so that workers who are all busy are not taken for frozen.
SIGN_EVERY = 30.0


def request_crawl(date: dt.date, *others: dt.date) -> str:
    """Ask the worker to crawl days by hand, in this order; return the queue's id of the request."""
    return _request("operations.tasks.crawl_by_hand", [date, *others])


def _request(task: str, dates: Sequence[dt.date]) -> str:
    return async_task(task, *(date.isoformat() for date in dates), task_name=f"crawl {dates[0]}")


def request_summaries(most: int | None = None) -> int:
    """Wake the worker for as many papers as have a place; return how many wake-ups were sent."""
    running = SummaryStatus.objects.filter(status=SummaryState.PROCESSING).count()
    places = settings.PAPERSITE.summary_workers - running if most is None else most
    waiting = states.due()[: max(places, 0)].count()
    for _ in range(waiting):
        async_task("operations.tasks.summarize")
    return waiting


# ---------------------------------------------------------------- called by the queue


def tick() -> None:
    """Show that the worker is alive, put right what the dead left, and start what is due; once a minute."""
    beat(WORKER)
    sweep()
    states.retry_failed(now=timezone.now())
    if agent_state().ok:
        clear(Cause.AGENT)
    if not active_pauses() and not daily_limit_reached():
        request_summaries()


def beat(name: str) -> None:
    """Note that a part of the site is alive now."""
    Heartbeat.objects.update_or_create(name=name, defaults={"beat_at": timezone.now(), "owner": current_owner()})


def sign_of_life() -> Callable[[], None]:
    """Return what a summary in work calls every second: it hears a wish to stop, and beats now and then."""
    shown = time.monotonic()

    def show() -> None:
        nonlocal shown
        raise_if_stopping()
        if time.monotonic() - shown >= SIGN_EVERY:
            beat(WORKER)
            shown = time.monotonic()

    return show


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


def crawl_by_hand(*dates: str) -> str:
    """Crawl the first of these days as a person asked for it, and ask for the others after it."""
    return _crawl_first("operations.tasks.crawl_by_hand", dates, by_hand=True)


def crawl_again(*dates: str) -> str:
    """Crawl the first of these days, and ask for the others after it."""
    return _crawl_first("operations.tasks.crawl_again", dates, by_hand=False)


def daily_crawl() -> str:
    """Crawl today, then ask again for the last days and for any that were missed."""
    today = utc_today()
    return crawl_again(*map(str, [today, *days_to_refresh(today)]))


def growing_crawl() -> str:
    """Ask again for the days whose lists still grow."""
    days = growing_days(utc_today())
    return crawl_again(*map(str, days)) if days else "nothing to do"


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


def cleaning() -> str:
    """Remove what is kept only for a while; once a day."""
    return prune()


def _crawl_first(task: str, dates: Sequence[str], *, by_hand: bool) -> str:
    """Crawl one day by one run of a task, and request another run for the others, however this one ends.

    So a long list of days never keeps the tick and a person's wish waiting for more than one of them, and never meets
    the time limit of a task.
    """
    date, *others = map(dt.date.fromisoformat, dates)
    beat(WORKER)
    try:
        return _crawl(date, by_hand=by_hand)
    finally:
        if others:
            _request(task, others)


def _crawl(date: dt.date, *, by_hand: bool) -> str:
    try:
        result = crawl_day(date, by_hand=by_hand, progress=lambda: beat(WORKER))
    except (CrawlFailed, LockHeld) as error:
        return str(error)
    except (DatabaseError, OSError) as error:
        logger.exception("the crawl of %s could not be stored", date)
        return f"{date}: {error}"
    finally:
        request_summaries()
    return f"{date}: {result.found} found, {result.new} new"
