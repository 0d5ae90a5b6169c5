"""What `/status/` and the admin's first page tell about the work: gathered here, shown there."""

import datetime
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from itertools import groupby

from django.db.models import Max, Q, QuerySet, Value
from django.utils import timezone

from operations.account_picture import longest
from operations.agent.installation import AgentState, agent_state
from operations.day_accounts import DayAccount, day_accounts
from operations.feed import Facts, FeedState, feed_state
from operations.logs import WAITS
from operations.maintenance import current
from operations.models import CrawlLog, DayListing, Maintenance, QueuePause, RunState, Task
from operations.summary_queue import Queue
from papers.models import Paper

DAYS_SHOWN = 21


@dataclass(frozen=True)
class Day:
    """A day's account, how its last crawl ended (None: none did), and whether it is being crawled."""

    account: DayAccount
    crawl: CrawlLog | None
    is_running: bool = False

    @property
    def is_untouched(self) -> bool:
        """Whether it was never crawled and holds nothing."""
        return self.crawl is None and not self.is_running and self.account.is_empty


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
    def facts(self) -> Facts:
        """What the state of the feed is judged by."""
        return Facts(self.now)

    @cached_property
    def feed(self) -> FeedState:
        """Whether the site follows its source."""
        return feed_state(facts=self.facts)

    @cached_property
    def days(self) -> list[Day | Gap]:
        """Three weeks of accounts, the newest first; days that were never crawled are one gap together."""
        dates = [self.newest - datetime.timedelta(days=back) for back in range(DAYS_SHOWN)]
        crawls, running = crawls_of(dates)
        return with_gaps(
            Day(account, crawls.get(account.date), account.date in running) for account in day_accounts(dates)
        )

    @cached_property
    def full(self) -> int:
        """How many papers fill a bar of the days shown."""
        return longest([day.account for day in self.days if isinstance(day, Day)])

    @cached_property
    def earlier(self) -> datetime.date | None:
        """The newest day before those shown that was crawled or holds papers, if there is any."""
        shown = self.newest - datetime.timedelta(days=DAYS_SHOWN - 1)
        crawled = _last_before(CrawlLog.objects.filter(task=Task.CRAWL), "date", shown)
        listed = _last_before(DayListing.objects.all(), "date", shown)
        stored = _last_before(Paper.objects.all(), "paper_date", shown)
        return max((day for day in crawled.union(listed, stored) if day), default=None)

    @cached_property
    def queue(self) -> Queue:
        """The summaries still to be made."""
        return self.facts.queue

    @cached_property
    def pauses(self) -> list[QueuePause]:
        """The pauses in force; their messages are for the admin alone."""
        return self.facts.pauses

    @cached_property
    def maintenance(self) -> Maintenance | None:
        """The switch while all work is held; who switched it on, and why, is for the admin alone."""
        return current()

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
        return self.facts.last_beat


def with_gaps(days: Iterable[Day]) -> list[Day | Gap]:
    """Return the days with each run of empty ones that were never crawled folded into one gap."""
    shown: list[Day | Gap] = []
    for is_gap, run in groupby(days, lambda day: day.is_untouched):
        members = list(run)
        shown += [Gap(members[0].account.date, members[-1].account.date)] if is_gap else members
    return shown


def _last_before(rows: QuerySet, column: str, day: datetime.date) -> QuerySet:
    """Ask for the last day of `column` before `day`: one row, by the index on it, that fits into one statement."""
    earlier = rows.filter(**{f"{column}__lt": day}).order_by().annotate(all=Value(1)).values("all")
    return earlier.annotate(last=Max(column)).values_list("last", flat=True)


def crawls_of(dates: list[datetime.date]) -> tuple[dict[datetime.date, CrawlLog], set[datetime.date]]:
    """Return the last finished crawl of each of `dates` that had one, and those that are being crawled; one query."""
    crawls = CrawlLog.objects.filter(task=Task.CRAWL, date__range=(min(dates), max(dates))).exclude(WAITS)
    running = Q(status=RunState.RUNNING)
    latest = crawls.exclude(running).order_by().values("date").annotate(last=Max("id")).values("last")
    found = crawls.filter(running | Q(pk__in=latest))
    finished, unfinished = {}, set()
    for log in found:
        if log.date and log.status == RunState.RUNNING:
            unfinished.add(log.date)
        elif log.date:
            finished[log.date] = log
    return finished, unfinished
