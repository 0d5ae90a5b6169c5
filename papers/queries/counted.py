"""Tags and authors: how many papers each has, in all and by month, and which papers these are.

The counts are kept by triggers (papers.triggers), so that a list by count goes along an index, whatever its length.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import models

from papers.models import AuthorCount, AuthorMonth, PaperAuthor, PaperTag, TagCount, TagMonth
from papers.queries.days import newest_day
from papers.queries.sql import ids, rows

# The length of the line over time.
MONTHS = 24
# Up to so many papers are sorted by themselves; of more, those of the months that are shown are walked through.
_FEW = 1500


@dataclass(frozen=True, slots=True)
class Index:
    """Where a kind of name is kept: the column of the papers' own rows that is counted, and the tables of counts."""

    rows: type[models.Model]
    column: str
    counts: type[models.Model]
    months: type[models.Model]
    shown: str


TAGS = Index(PaperTag, "folded", TagCount, TagMonth, shown="tag")
AUTHORS = Index(PaperAuthor, "name", AuthorCount, AuthorMonth, shown="name")


@dataclass(frozen=True, slots=True)
class Counted:
    """A tag or an author: the form compared, the form shown, the number of papers, the first month with one.

    `line` holds the papers of each of the last `MONTHS` months of the library, oldest first.
    """

    key: str
    name: str
    papers: int
    first_month: dt.date | None = None
    line: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CountPage:
    """A page of a list by count; without a total, which would be a count over all."""

    items: tuple[Counted, ...]
    has_next: bool


def by_count(index: Index, *, limit: int, offset: int) -> CountPage:
    """Return `limit` names after the first `offset`, those with most papers first; the index makes the order."""
    order = ("-papers", index.column)
    found = index.counts._default_manager.order_by(*order).values_list(index.column, index.shown, "papers")
    page = list(found[offset : offset + limit + 1])
    return CountPage(_with_months(index, page[:limit]), len(page) > limit)


def by_keys(index: Index, keys: Iterable[str], *, limit: int) -> CountPage:
    """Return those of these names that are known, those with most papers first."""
    found = index.counts._default_manager.filter(**{f"{index.column}__in": list(keys)}).order_by(
        "-papers", index.column
    )
    page = list(found.values_list(index.column, index.shown, "papers")[: limit + 1])
    return CountPage(_with_months(index, page[:limit]), len(page) > limit)


def find(index: Index, key: str) -> Counted | None:
    """Return one tag (by its folded form) or author, or None where no paper has it."""
    found = find_without_months(index, key)
    return _with_months(index, [(found.key, found.name, found.papers)])[0] if found else None


def find_without_months(index: Index, key: str) -> Counted | None:
    """Return one tag or author as `find` does, without what lies in months, in one query."""
    counts = index.counts._default_manager.filter(**{index.column: key})
    found = counts.values_list(index.column, index.shown, "papers").first()
    return Counted(*found) if found else None


def paper_ids(index: Index, counted: Counted, *, limit: int, offset: int) -> list[int]:
    """Return ids of papers with this tag or author, newest day first, then by votes."""
    if counted.papers <= _FEW:
        own = index.rows._default_manager.filter(**{index.column: counted.key}).values_list("paper_id", flat=True)
        return _sorted(list(own), limit, offset)
    return _walked(index, counted.key, limit, offset)


def _with_months(index: Index, found: Sequence[tuple[str, str, int]]) -> tuple[Counted, ...]:
    months = _months(index, [key for key, _name, _papers in found])
    last = _last_months()
    return tuple(
        Counted(
            key,
            name,
            papers,
            min(months.get(key, {}), default=None),
            tuple(months.get(key, {}).get(month, 0) for month in last),
        )
        for key, name, papers in found
    )


def _months(index: Index, keys: Sequence[str]) -> dict[str, dict[dt.date, int]]:
    found = index.months._default_manager.filter(**{f"{index.column}__in": keys}).values_list(
        index.column, "month", "papers"
    )
    months: dict[str, dict[dt.date, int]] = {}
    for key, month, papers in found:
        months.setdefault(key, {})[month] = papers
    return months


def _last_months() -> list[dt.date]:
    """Return the last months of the library, oldest first: not of the calendar, since a kept page knows no time."""
    newest = newest_day()
    if newest is None:
        return []
    last = newest.year * 12 + newest.month - 1
    return [dt.date(*_year_month(number)) for number in range(last - MONTHS + 1, last + 1)]


def _year_month(number: int) -> tuple[int, int, int]:
    return number // 12, number % 12 + 1, 1


def _sorted(paper_ids: list[int], limit: int, offset: int) -> list[int]:
    statement = (
        "SELECT id FROM papers WHERE id IN (SELECT value FROM json_each(%s))"
        " ORDER BY paper_date DESC, upvotes DESC, id LIMIT %s OFFSET %s"
    )
    return [row[0] for row in rows(statement, ids(paper_ids), limit, offset)]


def _walked(index: Index, key: str, limit: int, offset: int) -> list[int]:
    """Return the page out of the months that it lies in, along the index of days."""
    newest, oldest, before = _span(index, key, limit, offset)
    table = index.rows._meta.db_table
    statement = (
        "SELECT papers.id FROM papers WHERE paper_date >= %s AND paper_date < date(%s, '+1 month')"  # noqa: S608
        f" AND EXISTS (SELECT 1 FROM {table} WHERE {table}.paper_id = papers.id AND +{table}.{index.column} = %s)"
        " ORDER BY paper_date DESC, upvotes DESC, papers.id LIMIT %s OFFSET %s"
    )
    return [row[0] for row in rows(statement, oldest, newest, key, limit, offset - before)]


def _span(index: Index, key: str, limit: int, offset: int) -> tuple[dt.date, dt.date, int]:
    """Return the newest and oldest month that the page touches, and how many papers are newer than these months."""
    months = (
        index.months._default_manager.filter(**{index.column: key}).order_by("-month").values_list("month", "papers")
    )
    newest, before, counted = None, 0, 0
    month = dt.date.min
    for month, papers in months:
        if newest is None and counted + papers > offset:
            newest, before = month, counted
        counted += papers
        if counted >= offset + limit:
            break
    return newest or month, month, before if newest else counted
