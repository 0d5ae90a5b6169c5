"""What the first page of the admin tells: the state of everything, gathered by a bounded number of queries."""

import datetime as dt
from dataclasses import dataclass
from functools import cached_property

from django.conf import settings
from django.db.models import Count
from django.utils import timezone
from django_q.models import Task as QueueTask

from operations.backup.kept import BackupRecord, last_backup
from operations.day_accounts import DayAccount
from operations.disk_use import DiskUse, disk_use
from operations.feed import HEARTBEAT_SILENCE
from operations.models import (
    ArxivRequest,
    CrawlLog,
    LockState,
    Maintenance,
    Measurement,
    RequestState,
    RunState,
    TaskLock,
)
from operations.owners import is_abandoned
from operations.running import RunningWork, running_work
from operations.schedule_states import ScheduleState, schedule_states
from operations.serving.lock import serving_since
from operations.status import Day, Status
from operations.summarize import attempts_today
from operations.trial import last_outcomes
from papers.models import SummaryState, SummaryStatus

# Of locks and failed tasks so many are looked at; a page that says "more than" is as good.
MOST_COUNTED = 100


@dataclass(frozen=True)
class Failures:
    """Papers that failed for good with one error type."""

    error_type: str
    papers: int


class Console:
    """The state of the installation at one moment; each part is asked for when it is first looked at, and once."""

    def __init__(self, maintenance: Maintenance | None, now: dt.datetime | None = None) -> None:
        """Fix the moment, the present if left out; `maintenance` is the switch, while it is on."""
        self.now = now or timezone.now()
        self.status = Status(self.now)
        self.maintenance = maintenance

    # ---------------------------------------------------------------- days

    @cached_property
    def days(self) -> list[Day]:
        """Three weeks of days that were crawled or hold anything, the newest first."""
        return [day for day in self.status.days if isinstance(day, Day)]

    @cached_property
    def unbalanced(self) -> list[DayAccount]:
        """The accounts that do not add up."""
        return [day.account for day in self.days if not day.account.adds_up]

    @cached_property
    def failed_crawls(self) -> list[CrawlLog]:
        """The last crawl of each day where it failed."""
        return [day.crawl for day in self.days if day.crawl and day.crawl.status == RunState.FAILED]

    @cached_property
    def last_crawl(self) -> CrawlLog | None:
        """The last crawl that ended: of the recent days, or of any day where none of them was crawled."""
        recent = [day.crawl for day in self.days if day.crawl]
        return max(recent, key=lambda log: (log.started_at, log.pk)) if recent else self.status.last_crawl

    # ---------------------------------------------------------------- work

    @cached_property
    def running(self) -> RunningWork:
        """What is in work."""
        return running_work()

    @cached_property
    def last_summary(self) -> SummaryStatus | None:
        """The state of the paper whose attempt ended last: it tells of agent and model without asking them."""
        ended = SummaryStatus.objects.filter(completed_at__isnull=False).order_by("-completed_at")
        return ended.select_related("paper").only("status", "completed_at", "paper__arxiv_id").first()

    @cached_property
    def failures(self) -> list[Failures]:
        """The papers that failed for good by error type, the most frequent first."""
        rows = SummaryStatus.objects.filter(status=SummaryState.PERMANENT_FAILURE).order_by()
        groups = rows.values_list("error_type").annotate(papers=Count("id")).order_by("-papers", "error_type")
        return [Failures(error_type or "unknown", papers) for error_type, papers in groups]

    @cached_property
    def made_today(self) -> int | None:
        """How many attempts the daily limit counts today; None where there is no limit."""
        return None if settings.PAPERSITE.summary_daily_limit is None else attempts_today(self.now)

    @property
    def daily_limit(self) -> int | None:
        """The limit of attempts a day."""
        return settings.PAPERSITE.summary_daily_limit

    @cached_property
    def arxiv_requests(self) -> int:
        """How many questions to arXiv wait."""
        return ArxivRequest.objects.filter(state=RequestState.WAITING).count()

    @cached_property
    def dead_locks(self) -> list[TaskLock]:
        """Locks whose owner is provably dead; none while a worker runs, which frees them each minute."""
        if self.worker_is_alive:
            return []
        held = TaskLock.objects.filter(status=LockState.RUNNING).order_by("acquired_at")[:MOST_COUNTED]
        return [lock for lock in held if is_abandoned(lock.owner, lock.acquired_at)]

    @cached_property
    def failed_tasks(self) -> int:
        """How many tasks of the queue failed and were not put aside, at most `MOST_COUNTED`."""
        return QueueTask.objects.filter(success=False).order_by()[:MOST_COUNTED].count()

    # ---------------------------------------------------------------- the machine

    @property
    def last_beat(self) -> dt.datetime | None:
        """When a worker last showed itself."""
        return self.status.last_beat

    @cached_property
    def serving_since(self) -> dt.datetime | None:
        """When the `serve` of this installation began, where it can be seen."""
        return serving_since(settings.PAPERSITE.data_dir)

    @property
    def worker_is_silent(self) -> bool:
        """Whether a worker once showed itself and does so no more.

        One that never did means that the commands are run by other means: the feed is judged by their results.
        """
        return self.last_beat is not None and not self.worker_is_alive

    @property
    def worker_is_alive(self) -> bool:
        """Whether a worker showed itself lately."""
        return self.last_beat is not None and self.now - self.last_beat <= HEARTBEAT_SILENCE

    @cached_property
    def schedules(self) -> list[ScheduleState]:
        """The schedules with their last and next runs."""
        return schedule_states()

    @cached_property
    def _measurements(self) -> dict[str, Measurement]:
        return Measurement.objects.in_bulk()

    @cached_property
    def disk(self) -> DiskUse:
        """The room taken and left."""
        return disk_use(self._measurements)

    @cached_property
    def trials(self) -> dict[str, Measurement]:
        """How the steps of the trial that are kept last ended, by their names."""
        return last_outcomes(self._measurements)

    @cached_property
    def last_backup(self) -> BackupRecord | None:
        """How the last of the site's own backups went."""
        return last_backup()

    @property
    def model_is_asked(self) -> bool:
        """Whether the model's address is known, so that it can be asked whether it is there."""
        return bool(settings.PAPERSITE.llm_url) and not settings.PAPERSITE.agent_command

    def is_older_than(self, age: dt.timedelta) -> bool:
        """Whether the installation has worked for longer than `age`."""
        return CrawlLog.objects.filter(started_at__lt=self.now - age).exists()
