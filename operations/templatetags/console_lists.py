"""The date steps above a list of the admin, and what its count means."""

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django import template
from django.contrib.admin.views.main import ChangeList
from django.db.models import DateTimeField, Exists, QuerySet
from django.utils import formats, timezone
from django.utils.text import capfirst
from django.utils.translation import gettext as _

from operations.admin.lists import MOST_COUNTED

register = template.Library()

# A column with dates of more years than this is not offered year by year.
_MOST_YEARS = 60


@register.inclusion_tag("admin/date_hierarchy.html")
def date_steps(cl: ChangeList) -> dict[str, Any]:
    """Return the years, months or days of the list's date column that have rows, as Django's own tag does.

    Each step is looked up in the column's index, whatever the other filters; Django's tag calls a Python function for
    every row of the list.
    """
    steps = _Steps(cl)
    chosen = [steps.chosen(part) for part in ("year", "month", "day")]
    try:
        return {"show": True, **_level(steps, *chosen)}
    except (ValueError, OverflowError):
        return {"show": False}


@register.simple_tag
def capped_count(cl: ChangeList) -> str:
    """Return what stands below a list that has more rows than are counted, or nothing."""
    if not getattr(cl.paginator, "is_capped", False):
        return ""
    text = _("超过 %(most)s 条，这里只列出前 %(most)s 条；请用筛选、日期或搜索缩小范围。")
    return text % {"most": f"{MOST_COUNTED:,}"}


@dataclass(frozen=True)
class _Span:
    """Days from the first to the one before `end`."""

    first: dt.date
    end: dt.date


class _Steps:
    """The date column of one list: which spans have rows, and the links that filter by one."""

    def __init__(self, cl: ChangeList) -> None:
        self.cl, self.name = cl, str(cl.date_hierarchy)
        self.field = cl.model._meta.get_field(self.name)

    def chosen(self, part: str) -> int | None:
        """Return the number that the address gives for a part of the date."""
        value = self.cl.params.get(f"{self.name}__{part}")
        return int(value) if value and str(value).isascii() and str(value).isdigit() else None

    def link(self, **parts: int) -> str:
        """Return the list's address with these parts of the date and no others."""
        return self.cl.get_query_string(
            {f"{self.name}__{part}": value for part, value in parts.items()}, [f"{self.name}__"]
        )

    def outer_dates(self) -> tuple[dt.date, dt.date] | None:
        """Return the first and the last date of all rows that the person may see."""
        dated = self.cl.root_queryset.exclude(**{self.name: None})
        first = dated.order_by(self.name).values_list(self.name, flat=True).first()
        last = dated.order_by(f"-{self.name}").values_list(self.name, flat=True).first()
        return (_local_date(first), _local_date(last)) if first and last else None

    def with_rows(self, spans: list[_Span]) -> list[_Span]:
        """Return those of the spans that have rows, by one statement."""
        if not spans:
            return []
        rows = self.cl.root_queryset.order_by()
        asked = {f"span_{number}": Exists(self._rows_of(rows, span)) for number, span in enumerate(spans)}
        found = rows.annotate(**asked).values_list(*asked).first() or [False] * len(spans)
        return [span for span, has_rows in zip(spans, found, strict=True) if has_rows]

    def _rows_of(self, rows: QuerySet, span: _Span) -> QuerySet:
        edges = [self._edge(span.first), self._edge(span.end)]
        return rows.filter(**{f"{self.name}__gte": edges[0], f"{self.name}__lt": edges[1]})

    def _edge(self, date: dt.date) -> dt.date:
        if isinstance(self.field, DateTimeField):
            return timezone.make_aware(dt.datetime.combine(date, dt.time()))
        return date


def _local_date(value: dt.date) -> dt.date:
    return timezone.localtime(value).date() if isinstance(value, dt.datetime) else value


def _level(steps: _Steps, year: int | None, month: int | None, day: int | None) -> dict[str, Any]:
    if year and month and day:
        return _one_day(steps, dt.date(year, month, day))
    if year and month:
        return _days(steps, year, month)
    if year:
        return {"back": {"link": steps.link(), "title": _("所有日期")}, **_months(steps, year)}
    outer = steps.outer_dates()
    if outer is None or outer[1].year - outer[0].year > _MOST_YEARS:
        return {"choices": []}
    return _years(steps, outer[0].year, outer[1].year)


def _one_day(steps: _Steps, date: dt.date) -> dict[str, Any]:
    month = capfirst(formats.date_format(date, "YEAR_MONTH_FORMAT"))
    back = {"link": steps.link(year=date.year, month=date.month), "title": month}
    return {"back": back, "choices": [{"title": capfirst(formats.date_format(date, "MONTH_DAY_FORMAT"))}]}


def _days(steps: _Steps, year: int, month: int) -> dict[str, Any]:
    spans = list(_spans(dt.date(year, month, 1), _next_month(dt.date(year, month, 1)), _next_day))
    choices = [
        {
            "link": steps.link(year=year, month=month, day=span.first.day),
            "title": capfirst(formats.date_format(span.first, "MONTH_DAY_FORMAT")),
        }
        for span in steps.with_rows(spans)
    ]
    return {"back": {"link": steps.link(year=year), "title": str(year)}, "choices": choices}


def _months(steps: _Steps, year: int) -> dict[str, Any]:
    spans = list(_spans(dt.date(year, 1, 1), dt.date(year + 1, 1, 1), _next_month))
    choices = [
        {
            "link": steps.link(year=year, month=span.first.month),
            "title": capfirst(formats.date_format(span.first, "YEAR_MONTH_FORMAT")),
        }
        for span in steps.with_rows(spans)
    ]
    return {"choices": choices}


def _years(steps: _Steps, first: int, last: int) -> dict[str, Any]:
    if first == last:
        return _months(steps, first)
    spans = list(_spans(dt.date(first, 1, 1), dt.date(last + 1, 1, 1), _next_year))
    years = [span.first.year for span in steps.with_rows(spans)]
    return {"choices": [{"link": steps.link(year=year), "title": str(year)} for year in years]}


def _spans(first: dt.date, end: dt.date, following: Callable[[dt.date], dt.date]) -> Iterator[_Span]:
    while first < end:
        after = following(first)
        yield _Span(first, after)
        first = after


def _next_day(date: dt.date) -> dt.date:
    return date + dt.timedelta(days=1)


def _next_month(date: dt.date) -> dt.date:
    return (date.replace(day=1) + dt.timedelta(days=32)).replace(day=1)


def _next_year(date: dt.date) -> dt.date:
    return dt.date(date.year + 1, 1, 1)
