"""Days to turn to: a strip of those round one day, and a month."""

import calendar
import datetime as dt
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from papers.queries.days import DayCount, day_after, day_before, days_after, days_between, days_up_to

# About two working weeks, and of these as many as a phone has room for.
STRIP_DAYS = 13
NEAR_DAYS = 6
# A month has no more days, so that the nearest day of another month is among them, if there is one.
_MOST_DAYS = 32

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MONTH = re.compile(r"\d{4}-\d{2}", re.ASCII)


@dataclass(frozen=True, slots=True)
class StripDay:
    """A day of the strip; `is_near` where it is shown on a narrow screen too."""

    date: dt.date
    papers: int
    is_shown: bool
    is_near: bool


@dataclass(frozen=True, slots=True)
class MonthDay:
    """A day of a month."""

    date: dt.date
    papers: int
    is_shown: bool


@dataclass(frozen=True, slots=True)
class Month:
    """A month in weeks that begin on Monday, None for days of other months; and the nearest months with papers."""

    first: dt.date
    weeks: tuple[tuple[MonthDay | None, ...], ...]
    earlier: dt.date | None
    later: dt.date | None

    @property
    def papers(self) -> int:
        """How many papers the month has."""
        return sum(day.papers for week in self.weeks for day in week if day)


@dataclass(frozen=True, slots=True)
class DayPlace:
    """What stands round a day."""

    strip: tuple[StripDay, ...]
    month: Month
    earlier: dt.date | None
    later: dt.date | None


def parse_day(text: str) -> dt.date:
    """Return the day written as 2026-06-05; raise ValueError for anything else, since a day has one address."""
    if not _DAY.fullmatch(text):
        raise ValueError(text)
    return dt.date.fromisoformat(text)


def parse_month(text: str) -> dt.date:
    """Return the first day of the month written as 2026-06; raise ValueError for anything else."""
    if not _MONTH.fullmatch(text):
        raise ValueError(text)
    return dt.date.fromisoformat(text + "-01")


def place_of(day: dt.date) -> DayPlace:
    """Return what stands round `day`, in two queries; days without papers are skipped, but for `day` itself."""
    before, after = days_up_to(day, _MOST_DAYS + 1), days_after(day, _MOST_DAYS)
    days = [*reversed(before), *after]
    first, last = _month_ends(day)
    earlier = [count.date for count in before if count.date < day]
    return DayPlace(
        strip=_strip(day, days),
        month=_month(first, days, day, _last_before(first, days), _first_after(last, days)),
        earlier=earlier[0] if earlier else None,
        later=after[0].date if after else None,
    )


def month_of(first: dt.date) -> Month:
    """Return the month that begins with `first`, in three queries."""
    last = _month_ends(first)[1]
    return _month(first, days_between(first, last), None, day_before(first), day_after(last))


def _strip(day: dt.date, days: Sequence[DayCount]) -> tuple[StripDay, ...]:
    shown = sorted({count.date: count.papers for count in [DayCount(day, 0), *days]}.items())
    place = next(index for index, (date, _papers) in enumerate(shown) if date == day)
    wide, near = _window(place, STRIP_DAYS, len(shown)), _window(place, NEAR_DAYS, len(shown))
    return tuple(
        StripDay(date, papers, date == day, index in near)
        for index, (date, papers) in enumerate(shown)
        if index in wide
    )


def _window(place: int, size: int, length: int) -> range:
    """Return `size` places of `length` round one, a third of them after it where there are so many."""
    end = min(length, max(place + 1 + size // 3, size))
    return range(max(0, end - size), end)


def _month(
    first: dt.date,
    days: Iterable[DayCount],
    shown: dt.date | None,
    earlier: dt.date | None,
    later: dt.date | None,
) -> Month:
    papers = {count.date: count.papers for count in days}

    def month_day(number: int) -> MonthDay | None:
        date = first.replace(day=number) if number else None
        return MonthDay(date, papers.get(date, 0), date == shown) if date else None

    weeks = calendar.Calendar().monthdayscalendar(first.year, first.month)
    return Month(first, tuple(tuple(map(month_day, week)) for week in weeks), earlier, later)


def _month_ends(day: dt.date) -> tuple[dt.date, dt.date]:
    return day.replace(day=1), day.replace(day=calendar.monthrange(day.year, day.month)[1])


def _last_before(first: dt.date, days: Sequence[DayCount]) -> dt.date | None:
    return max((count.date for count in days if count.date < first), default=None)


def _first_after(last: dt.date, days: Sequence[DayCount]) -> dt.date | None:
    return min((count.date for count in days if count.date > last), default=None)
