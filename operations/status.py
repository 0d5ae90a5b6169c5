"""What `/status/` and the admin's first page tell about the work: gathered here, shown there."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from django.db.models import Count, Max, Min, Q
from django.utils import timezone

from operations.agent.installation import AgentState, agent_state
from operations.day_accounts import DayAccount, day_accounts
from operations.feed import FeedState, feed_state
from operations.models import CrawlLog, DayListing, Heartbeat, QueuePause, RunState, Task
from operations.pauses import active_pauses
from papers.models import Paper, SummaryState, SummaryStatus

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


@dataclass(frozen=True)
class Gap:
    """Days in a row that were never crawled and hold nothing, from the newest to the oldest."""

    newest: datetime.date
    oldest: datetime.date


class Status:
    """The state of the whole site at one moment; each part is asked for when it is first looked at."""

    def __init__(self, now: datetime.datetime | None = None, newest: datetime.date | None = None) -> None:
        """Fix the moment and the newest day whose account is shown; the present and today by UTC if left out."""
        self.now = now or timezone.now()
        self.today = self.now.astimezone(datetime.UTC).date()
        self.newest = min(newest or self.today, self.today)

    @cached_property
    def feed(self) -> FeedState:
        """Whether the site follows its source."""
        return feed_state(self.now)

    @cached_property
    def days(self) -> list[Day | Gap]:
        """Three weeks of accounts, the newest first; days that were never crawled are one gap together."""
        dates = [self.newest - datetime.timedelta(days=back) for back in range(DAYS_SHOWN)]
        crawls = last_crawls(dates)
        return with_gaps(Day(account, crawls.get(account.date)) for account in day_accounts(dates))

    @cached_property
    def earlier(self) -> datetime.date | None:
        """The newest day before those shown that was crawled or holds papers, if there is any."""
        shown = self.newest - datetime.timedelta(days=DAYS_SHOWN - 1)
        columns = (
            (CrawlLog.objects.filter(task=Task.CRAWL), "date"),
            (DayListing.objects.all(), "date"),
            (Paper.objects.all(), "paper_date"),
        )
        found = [rows.filter(**{f"{name}__lt": shown}).aggregate(last=Max(name))["last"] for rows, name in columns]
        return max(filter(None, found), default=None)

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


def with_gaps(days: Iterable[Day]) -> list[Day | Gap]:
    """Return the days with each run of empty ones that were never crawled folded into one gap."""
    shown: list[Day | Gap] = []
    for is_gap, run in groupby(days, lambda day: day.crawl is None and day.account.is_empty):
        members = list(run)
        shown += [Gap(members[0].account.date, members[-1].account.date)] if is_gap else members
    return shown


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
