"""Puts right what dead owners left: deletions, locks, logs, papers in work, agents still alive, downloads.

Run at the start of every command and each minute; it does nothing where all owners are alive.
"""

import datetime as dt
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operations import states
from operations.crawl_jobs import finish_abandoned
from operations.deletion.folders import settle
from operations.deletion.jobs import close_dead_jobs
from operations.files import folders_of_papers, remove_temporary
from operations.locks import free_if_dead
from operations.logs import OWNER_DIED, is_waited_for, write_log
from operations.models import CrawlLog, LockState, RunState, Task, TaskLock
from operations.owners import is_abandoned, is_leftover
from operations.processes.leftovers import kill_marked
from operations.summary_requests import settle_requests
from papers.models import AssetStatus, Paper, SummaryState, SummaryStatus

logger = logging.getLogger(__name__)

# Downloads younger than this may belong to a paper that is being claimed this moment.
SETTLED = dt.timedelta(minutes=5)


@dataclass(frozen=True)
class SweepReport:
    """How many of each were put right."""

    deletions: int = 0
    locks: int = 0
    logs: int = 0
    days: int = 0
    papers: int = 0
    processes: int = 0
    folders: int = 0

    def __str__(self) -> str:
        """Name what was put right, or nothing."""
        named = {
            "deletions closed": self.deletions,
            "locks freed": self.locks,
            "logs closed": self.logs,
            "days of crawl jobs given back": self.days,
            "papers given back": self.papers,
            "processes ended": self.processes,
            "download folders removed": self.folders,
        }
        return ", ".join(f"{count} {name}" for name, count in named.items() if count)


def sweep() -> SweepReport:
    """Put right what dead owners left, log it where there was anything, and say what it was."""
    settle_requests()  # before the logs, of which those of papers that were all deleted would be taken for dead
    report = SweepReport(
        # Processes first: an agent of a dead worker must not go on beside its successor.
        processes=len(kill_marked(is_leftover)),
        # Before their lock and log, which would be closed in other words.
        deletions=_end_dead_deletions(),
        locks=sum(free_if_dead(lock) for lock in TaskLock.objects.filter(status=LockState.RUNNING)),
        logs=_close_dead_logs(),
        days=finish_abandoned(),
        papers=_give_back_dead_papers(),
        folders=_remove_leftover_downloads(),
    )
    if str(report):
        logger.info("swept: %s", report)
        write_log(Task.SCHEDULER, RunState.SUCCESS, detail=f"sweep: {report}")
    return report


def _end_dead_deletions() -> int:
    """Close the deletions of the dead, and give back what they had put aside without deleting it."""
    closed = close_dead_jobs()
    settle(only_of_the_dead=True)
    return closed


def _close_dead_logs() -> int:
    dead = [
        log.pk
        for log in CrawlLog.objects.filter(status=RunState.RUNNING).exclude(is_waited_for()).only("owner", "started_at")
        if log.owner is None or is_abandoned(log.owner, log.started_at)
    ]
    return CrawlLog.objects.filter(pk__in=dead, status=RunState.RUNNING).update(
        status=RunState.FAILED, error=OWNER_DIED, completed_at=timezone.now()
    )


def _give_back_dead_papers() -> int:
    return sum(_give_back(row) for row in papers_of_the_dead())


def _give_back(row: SummaryStatus) -> bool:
    """Give back one paper; its text, had there been any, goes with the downloads."""
    given_back = states.interrupt(row)
    if given_back:
        ready = Paper.objects.filter(pk=row.paper_id, asset_status=AssetStatus.READY)
        ready.update(asset_status=AssetStatus.CLEANED)
    return given_back


def papers_of_the_dead() -> Iterator[SummaryStatus]:
    """Yield papers in work whose owner is dead, was never noted, or let the lease run out."""
    now = timezone.now()
    for row in SummaryStatus.objects.filter(status=SummaryState.PROCESSING):
        if not states.is_held(row, now):
            yield row


def _remove_leftover_downloads() -> int:
    leftovers = leftover_downloads()
    for arxiv_id in leftovers:
        remove_temporary(arxiv_id)
    return len(leftovers)


def leftover_downloads() -> list[str]:
    """Return the ids of papers that nobody works on, and whose downloads are still there."""
    busy = set(SummaryStatus.objects.filter(status=SummaryState.PROCESSING).values_list("paper__arxiv_id", flat=True))
    busy |= set(
        TaskLock.objects.filter(task=Task.SUMMARIZE, status=LockState.RUNNING).values_list("lock_key", flat=True)
    )
    folders = folders_of_papers(settings.PAPERSITE.data_dir / "tmp")
    return [arxiv_id for arxiv_id, folder in folders if arxiv_id not in busy and _is_settled(folder)]


def _is_settled(folder: Path) -> bool:
    try:
        changed = dt.datetime.fromtimestamp(folder.stat().st_mtime, dt.UTC)
    except FileNotFoundError:
        return False
    return timezone.now() - changed > SETTLED
