"""Days that have papers, and the papers of a day."""

import datetime as dt
from dataclasses import dataclass
from typing import Any

from django.db.models import QuerySet

from papers.models import Paper
from papers.queries.sql import rows


@dataclass(frozen=True, slots=True)
class DayCount:
    """A day that has papers, and how many."""

    date: dt.date
    papers: int


def newest_day() -> dt.date | None:
    """Return the newest day that has papers."""
    return Paper.objects.order_by("-paper_date").values_list("paper_date", flat=True).first()


def day_before(day: dt.date) -> dt.date | None:
    """Return the nearest earlier day that has papers."""
    days = Paper.objects.filter(paper_date__lt=day).order_by("-paper_date")
    return days.values_list("paper_date", flat=True).first()


def day_after(day: dt.date) -> dt.date | None:
    """Return the nearest later day that has papers."""
    days = Paper.objects.filter(paper_date__gt=day).order_by("paper_date")
    return days.values_list("paper_date", flat=True).first()


# In the order of an index, so that no more rows are read than those of the days that are returned.
_COUNTED = "SELECT paper_date, count(*) FROM papers WHERE paper_date {} GROUP BY paper_date ORDER BY paper_date {}"
_UP_TO = _COUNTED.format("<= %s", "DESC LIMIT %s")
_AFTER = _COUNTED.format("> %s", "LIMIT %s")
_BETWEEN = _COUNTED.format("BETWEEN %s AND %s", "")


def days_up_to(day: dt.date, most: int) -> list[DayCount]:
    """Return the last days with papers up to and with `day`, newest first, at most `most`."""
    return _counted(rows(_UP_TO, day.isoformat(), most))


def days_after(day: dt.date, most: int) -> list[DayCount]:
    """Return the first days with papers after `day`, oldest first, at most `most`."""
    return _counted(rows(_AFTER, day.isoformat(), most))


def days_between(first: dt.date, last: dt.date) -> list[DayCount]:
    """Return the days with papers from `first` to `last`, oldest first."""
    return _counted(rows(_BETWEEN, first.isoformat(), last.isoformat()))


def _counted(found: list[tuple[Any, ...]]) -> list[DayCount]:
    return [DayCount(*row) for row in found]


def papers_of_day(day: dt.date) -> QuerySet[Paper]:
    """Return the papers filed under `day`, most votes first."""
    return Paper.objects.filter(paper_date=day).order_by("-upvotes", "id")
