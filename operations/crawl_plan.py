"""What a crawl by hand would do, said before it is begun."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.db.models import Count, Max, QuerySet

from operations.calendar import utc_today
from operations.models import (
    CrawlJobDay,
    CrawlLog,
    DayListing,
    DayState,
    DeletedPaper,
    LockState,
    RunState,
    Task,
    TaskLock,
)
from papers.models import Paper

# The day that the pages of Daily Papers go back to.
FIRST_DAY = dt.date(2023, 5, 4)
# A longer range is more likely a slip of the hand than a wish.
MOST_DAYS = 1000


class DateProblem(StrEnum):
    """What is wrong with days that someone asks for."""

    NONE = "none"
    REVERSED = "reversed"
    FUTURE = "future"
    TOO_EARLY = "too_early"
    TOO_MANY = "too_many"


class BadDates(ValueError):
    """Days that cannot be crawled; `problem` says why, `date` is the first that it is about."""

    def __init__(self, problem: DateProblem, message: str, date: dt.date | None = None) -> None:
        """Keep what is wrong beside the message."""
        super().__init__(message)
        self.problem, self.date = problem, date


@dataclass(frozen=True)
class PlannedDay:
    """One day, and what is known of it before it is crawled.

    `papers` are stored under it now, `deleted` of those it listed were deleted on purpose and would come back.
    """

    date: dt.date
    papers: int
    crawled_at: dt.datetime | None
    is_running: bool
    is_waiting: bool
    deleted: int


@dataclass(frozen=True)
class CrawlPlan:
    """What a crawl of a range would do, day by day; nothing is begun by it."""

    days: tuple[PlannedDay, ...]

    @property
    def dates(self) -> list[dt.date]:
        """The days, as `start_crawl` takes them."""
        return [day.date for day in self.days]

    @property
    def crawled(self) -> int:
        """How many days were crawled with success before."""
        return sum(day.crawled_at is not None for day in self.days)

    @property
    def never_crawled(self) -> int:
        """How many were not."""
        return len(self.days) - self.crawled

    @property
    def running(self) -> int:
        """How many are being crawled at this moment."""
        return sum(day.is_running for day in self.days)

    @property
    def waiting(self) -> int:
        """How many wait in a job already."""
        return sum(day.is_waiting for day in self.days)

    @property
    def papers(self) -> int:
        """How many papers are stored under these days; they are refreshed."""
        return sum(day.papers for day in self.days)

    @property
    def deleted(self) -> int:
        """How many papers, deleted on purpose, would come back; one listed on two days counts on each."""
        return sum(day.deleted for day in self.days)


def plan_crawl(first: dt.date, last: dt.date) -> CrawlPlan:
    """Say what a crawl by hand of the days from `first` to `last` would do.

    Raises:
        BadDates: the range ends before it begins, reaches into the future (UTC) or before the first Daily Papers, or
            has more than `MOST_DAYS` days.
    """
    if last < first:
        raise BadDates(DateProblem.REVERSED, f"the range from {first} to {last} ends before it begins", first)
    count = (last - first).days + 1
    check_dates([first, last], today=utc_today())
    if count > MOST_DAYS:
        raise BadDates(DateProblem.TOO_MANY, f"{count} days are more than {MOST_DAYS} at once")
    return _plan([first + dt.timedelta(days=n) for n in range(count)])


def check_dates(dates: Sequence[dt.date], *, today: dt.date) -> None:
    """Refuse days that Daily Papers cannot have; `today` is the day it is by UTC.

    Raises:
        BadDates: there is none, or one lies in the future or before the first Daily Papers.
    """
    if not dates:
        raise BadDates(DateProblem.NONE, "no day is given")
    if max(dates) > today:
        raise BadDates(DateProblem.FUTURE, f"{max(dates)} lies in the future: by UTC it is {today}", max(dates))
    if min(dates) < FIRST_DAY:
        message = f"{min(dates)} is before {FIRST_DAY}, the first day of Daily Papers"
        raise BadDates(DateProblem.TOO_EARLY, message, min(dates))


def _plan(dates: list[dt.date]) -> CrawlPlan:
    ends = (dates[0], dates[-1])
    papers = _counts(Paper.objects.filter(paper_date__range=ends).values_list("paper_date"), "id")
    deleted_ids = DeletedPaper.objects.values("arxiv_id")
    listed = DayListing.objects.filter(date__range=ends, arxiv_id__in=deleted_ids)
    deleted = _counts(listed.values_list("date"), "id")
    crawls = CrawlLog.objects.filter(task=Task.CRAWL, status=RunState.SUCCESS, date__range=ends)
    crawled = dict(crawls.order_by().values_list("date").annotate(last=Max("started_at")))
    running, waiting = _running(dates), _waiting(ends)
    return CrawlPlan(
        tuple(
            PlannedDay(
                date=date,
                papers=papers.get(date, 0),
                crawled_at=crawled.get(date),
                is_running=date.isoformat() in running,
                is_waiting=date in waiting,
                deleted=deleted.get(date, 0),
            )
            for date in dates
        )
    )


def _counts(rows: QuerySet[Any, Any], column: str) -> dict[dt.date, int]:
    return dict(rows.order_by().annotate(n=Count(column)))


def _running(dates: list[dt.date]) -> set[str]:
    held = TaskLock.objects.filter(
        task=Task.CRAWL,
        status=LockState.RUNNING,
        lock_key__range=(dates[0].isoformat(), dates[-1].isoformat()),
    )
    return set(held.values_list("lock_key", flat=True))


def _waiting(ends: tuple[dt.date, dt.date]) -> set[dt.date]:
    days = CrawlJobDay.objects.filter(state=DayState.WAITING, date__range=ends)
    return set(days.values_list("date", flat=True))
