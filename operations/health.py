"""Whether the site is well, for monitors: without paths, names of processes, or error texts."""

import datetime as dt
import shutil
from dataclasses import dataclass, replace
from typing import Any

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Max
from django.utils import timezone, translation

from operations.agent.installation import agent_state
from operations.disk_use import LEAST_FREE_BYTES, database_bytes
from operations.feed import HEARTBEAT_SILENCE, FeedCode, feed_state
from operations.models import CrawlLog, Heartbeat, RunState, Task
from operations.pauses import active_pauses
from operations.summary_queue import Queue, queue_counts
from papers.models import Paper


@dataclass(frozen=True)
class Check:
    """One part of the site, whether it is well, and a sentence in English."""

    name: str
    ok: bool
    message: str


@dataclass(frozen=True)
class Details:
    """The figures behind the checks; None where the database or the disk cannot be read, or nothing happened yet."""

    database_bytes: int
    disk_free: int | None
    disk_total: int | None
    agent_problem: str | None
    queue: Queue | None = None
    last_crawl: CrawlLog | None = None
    last_successful_crawl: CrawlLog | None = None
    newest_day: dt.date | None = None
    last_beat: dt.datetime | None = None


@dataclass(frozen=True)
class Health:
    """All parts together."""

    checks: tuple[Check, ...]
    details: Details

    @property
    def is_up(self) -> bool:
        """Whether pages can be served at all."""
        return self.checks[0].ok

    @property
    def status(self) -> str:
        """`ok`, or `degraded` where any part is not."""
        return "ok" if all(check.ok for check in self.checks) else "degraded"


def site_health(now: dt.datetime | None = None) -> Health:
    """Look at every part; without a database the parts that need it are left out."""
    moment = now or timezone.now()
    database, details = _database(), _figures()
    if not database.ok:
        return Health((database, _disk(details.disk_free)), details)
    details = replace(details, **_stored_figures(moment))
    with translation.override("en"):
        work = (_worker(details.last_beat, moment), _feed(moment), _summaries(moment))
    return Health((database, *work, _disk(details.disk_free), _agent(details.agent_problem)), details)


def _figures() -> Details:
    """Return what can be told without the database."""
    try:
        disk = shutil.disk_usage(settings.PAPERSITE.data_dir)
    except OSError:
        disk = None
    state = agent_state()
    return Details(
        database_bytes=database_bytes(),
        disk_free=disk.free if disk else None,
        disk_total=disk.total if disk else None,
        agent_problem=None if state.ok else state.problem_code,
    )


def _stored_figures(now: dt.datetime) -> dict[str, Any]:
    ended = CrawlLog.objects.filter(task=Task.CRAWL).exclude(status=RunState.RUNNING).order_by("-started_at", "-id")
    return {
        "queue": queue_counts(now),
        "last_crawl": ended.first(),
        "last_successful_crawl": ended.filter(status=RunState.SUCCESS).first(),
        "newest_day": Paper.objects.aggregate(last=Max("paper_date"))["last"],
        "last_beat": Heartbeat.objects.aggregate(last=Max("beat_at"))["last"],
    }


def _database() -> Check:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 FROM papers LIMIT 1")
    except DatabaseError:
        return Check("database", False, "The database cannot be read.")
    return Check("database", True, "The database can be read.")


def _worker(last: dt.datetime | None, now: dt.datetime) -> Check:
    if last is None:
        return Check("worker", False, "No worker has run yet.")
    if now - last > HEARTBEAT_SILENCE:
        return Check("worker", False, f"No worker since {last:%Y-%m-%dT%H:%M:%SZ}.")
    return Check("worker", True, "A worker is running.")


_FEED_SENTENCES = {
    FeedCode.FRESH: "Today's papers are here.",
    FeedCode.WAITING: "Today's papers are awaited.",
    FeedCode.QUIET: "The source lists no papers these days.",
    FeedCode.STALLED: "Nothing new has been fetched or summarised for too long.",
    FeedCode.FAILED: "The last crawl failed.",
}


def _feed(now: dt.datetime) -> Check:
    state = feed_state(now)
    return Check("feed", state.is_well, _FEED_SENTENCES[state.code])


def _summaries(now: dt.datetime) -> Check:
    causes = ", ".join(sorted(pause.cause for pause in active_pauses(now)))
    if causes:
        return Check("summaries", False, f"Summaries are paused: {causes} out of reach.")
    return Check("summaries", True, "Summaries are not paused.")


def _disk(free: int | None) -> Check:
    if free is None:
        return Check("disk", False, "The data folder cannot be read.")
    if free < LEAST_FREE_BYTES:
        return Check("disk", False, f"Only {free // 1024**2} MiB are free.")
    return Check("disk", True, "There is room on the disk.")


def _agent(problem: str | None) -> Check:
    return Check("agent", problem is None, f"No summaries: {problem}." if problem else "The agent can be run.")
