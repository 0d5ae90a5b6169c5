"""What `/status/` and the admin's first page tell about the work: gathered here, shown there."""

import datetime
from dataclasses import dataclass
from functools import cached_property

from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from operations.accounts import DayAccount, day_accounts
from operations.agent.installation import AgentState, agent_state
from operations.feed import FeedState, feed_state
from operations.models import CrawlLog, Heartbeat, QueuePause, RunState, Task
from operations.pauses import active_pauses
from papers.models import SummaryState, SummaryStatus

DAYS_SHOWN = 21


@dataclass(frozen=True)
class Day:
    """A day's account and how its last crawl ended (None: it was never crawled)."""

    account: DayAccount
    crawl: CrawlLog | None


@dataclass(frozen=True)
class Queue:
    """How many summaries wait, are being made and have failed, and since when the oldest is being made."""

    waiting: int
    processing: int
    failed: int
    permanent: int
    processing_since: datetime.datetime | None


class Status:
    """The state of the whole site at one moment; each part is asked for when it is first looked at."""

    def __init__(self, now: datetime.datetime | None = None) -> None:
        """Fix the moment; the present if left out."""
        self.now = now or timezone.now()

    @cached_property
    def feed(self) -> FeedState:
        """Whether the site follows its source."""
        return feed_state(self.now)

    @cached_property
    def days(self) -> list[Day]:
        """The last three weeks, today by UTC first."""
        today = self.now.astimezone(datetime.UTC).date()
        dates = [today - datetime.timedelta(days=back) for back in range(DAYS_SHOWN)]
        crawls = last_crawls(dates)
        return [Day(account, crawls.get(account.date)) for account in day_accounts(dates)]

    @cached_property
    def queue(self) -> Queue:
        """The summaries still to be made."""
        return queue_counts()

    @cached_property
    def pauses(self) -> list[QueuePause]:
        """The pauses in force; their messages are for the admin alone."""
        return active_pauses(self.now)

    @cached_property
    def agent(self) -> AgentState:
        """Whether summaries can be made at all."""
        return agent_state()

    @cached_property
    def last_crawl(self) -> CrawlLog | None:
        """The last crawl that ended, of any day."""
        ended = CrawlLog.objects.filter(task=Task.CRAWL).exclude(status=RunState.RUNNING)
        return ended.order_by("-started_at", "-id").first()

    @cached_property
    def last_beat(self) -> datetime.datetime | None:
        """When the background work last showed itself alive."""
        return Heartbeat.objects.aggregate(last=Max("beat_at"))["last"]


def last_crawls(dates: list[datetime.date]) -> dict[datetime.date, CrawlLog]:
    """Return the last finished crawl of each of `dates` that had one."""
    latest = (
        CrawlLog.objects.filter(task=Task.CRAWL, date__range=(min(dates), max(dates)))
        .exclude(status=RunState.RUNNING)
        .order_by()
        .values("date")
        .annotate(last=Max("id"))
        .values("last")
    )
    return {log.date: log for log in CrawlLog.objects.filter(pk__in=latest) if log.date}


def queue_counts() -> Queue:
    """Count the summaries that are not done, by one query."""
    processing = Q(status=SummaryState.PROCESSING)
    counts = SummaryStatus.objects.aggregate(
        waiting=Count("id", filter=Q(status=SummaryState.PENDING)),
        processing=Count("id", filter=processing),
        failed=Count("id", filter=Q(status=SummaryState.FAILED)),
        permanent=Count("id", filter=Q(status=SummaryState.PERMANENT_FAILURE)),
        processing_since=Min("started_at", filter=processing),
    )
    return Queue(**counts)
