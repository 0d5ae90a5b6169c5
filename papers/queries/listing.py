"""Ids of papers by any filters in any order, page after page, with bounded work.

Two ways. Where a filter leaves few papers (up to `FEW`), found along its own index, these are filtered and sorted.
Else the index of the order is walked from where the last page ended, `WINDOW` papers at most: a page may then hold
fewer than were asked for, or none, and still have a next one. A search always tries its filters on its hits.

Pages go on after a key, not a number of rows: what arrives before or goes away moves no other paper.
"""

import datetime as dt
from dataclasses import dataclass, field
from typing import Any, Literal

from papers.queries.counted import AUTHORS, TAGS, find_without_months
from papers.queries.sql import rows
from papers.search.filters import DIFFICULTY
from papers.search.results import MAX_COUNT, understand

Sort = Literal["paper_date", "upvotes", "published_at", "relevance"]
Key = tuple[Any, ...]
Condition = tuple[str, tuple[Any, ...]]

# Papers that one filter leaves, to be sorted by themselves.
FEW = 10_000
# Papers looked at for one page along the index of an order, and for its count: half a second at most.
WINDOW = 20_000

_VOTES = "coalesce(papers.upvotes, -1)"
_PUBLISHED = "coalesce(papers.published_at, '')"
# Of each order: the columns of its key, highest first, before the id, which settles ties; how the index writes it.
_ORDERS: dict[str, tuple[tuple[str, ...], str]] = {
    "paper_date": (("papers.paper_date", _VOTES), "papers.paper_date DESC, papers.upvotes DESC, papers.id"),
    "upvotes": ((_VOTES,), f"{_VOTES} DESC, papers.id"),
    "published_at": ((_PUBLISHED,), f"{_PUBLISHED} DESC, papers.id"),
}
_INDEXES = {"paper_date": "ix_papers_day", "upvotes": "ix_papers_votes", "published_at": "ix_papers_published_key"}
_RANK = "bm25(papers_fts, 10.0, 10.0, 3.0, 2.0, 5.0, 2.0)"
# The plus holds SQLite to the index of the paper: that of the name would be walked for each.
_HAS_TAG = "EXISTS (SELECT 1 FROM paper_tags WHERE paper_tags.paper_id = papers.id AND +paper_tags.folded = %s)"
_HAS_AUTHOR = (
    "EXISTS (SELECT 1 FROM paper_authors WHERE paper_authors.paper_id = papers.id AND +paper_authors.name = %s)"
)
_HAS_STATUS = (
    "EXISTS (SELECT 1 FROM summary_status WHERE summary_status.paper_id = papers.id AND +summary_status.status = %s)"
)
_HAS_DIFFICULTY = (
    f"EXISTS (SELECT 1 FROM paper_summaries WHERE paper_summaries.paper_id = papers.id AND {DIFFICULTY} = %s)"  # noqa: S608
)
_CHANGED_SINCE = (
    "EXISTS (SELECT 1 FROM paper_changes WHERE paper_changes.arxiv_id = papers.arxiv_id"
    " AND +paper_changes.changed_at >= %s)"
)


@dataclass(frozen=True, slots=True)
class Filters:
    """What all papers of a list have in common; an empty one filters nothing. `tags` are in their folded form."""

    query: str = ""
    date: dt.date | None = None
    first: dt.date | None = None
    last: dt.date | None = None
    tags: tuple[str, ...] = ()
    author: str = ""
    status: str = ""
    quality: str = ""
    difficulty: str = ""
    has_code: bool | None = None
    is_withdrawn: bool | None = None
    updated_since: dt.datetime | None = None


@dataclass(frozen=True, slots=True)
class Listed:
    """A page of ids; where the next one begins, or None after the last; how many there are, and whether of more."""

    ids: list[int] = field(default_factory=list)
    next_key: Key | None = None
    count: int = 0
    count_capped: bool = False


def list_ids(filters: Filters, *, sort: Sort, limit: int, offset: int = 0, after: Key | None = None) -> Listed:
    """Return the ids of a page: those after a key, or after so many papers."""
    if filters.query.strip():
        return _searched(filters, sort, limit, offset, after)
    few = _few(filters)
    if few is not None:
        return _of_few(filters, few, sort, limit, offset, after)
    return _walked(filters, sort, limit, offset, after)


def moment(value: dt.datetime) -> str:
    """Return a moment as the database writes those of changes."""
    return value.astimezone(dt.UTC).strftime("%Y-%m-%d %H:%M:%S.%f")[:-3]


def _conditions(filters: Filters) -> list[Condition]:
    found: list[Condition] = [(_HAS_TAG, (tag,)) for tag in filters.tags]
    for value, condition in (
        (filters.date, "papers.paper_date = %s"),
        (filters.first, "papers.paper_date >= %s"),
        (filters.last, "papers.paper_date <= %s"),
    ):
        if value:
            found.append((condition, (value.isoformat(),)))
    for text, condition in (
        (filters.author, _HAS_AUTHOR),
        (filters.status, _HAS_STATUS),
        (filters.quality, "papers.summary_quality = %s"),
        (filters.difficulty, _HAS_DIFFICULTY),
    ):
        if text:
            found.append((condition, (text,)))
    if filters.has_code is not None:
        found.append(
            ("coalesce(papers.code_url, '') <> ''" if filters.has_code else "coalesce(papers.code_url, '') = ''", ())
        )
    if filters.is_withdrawn is not None:
        found.append(("papers.is_withdrawn" if filters.is_withdrawn else "NOT papers.is_withdrawn", ()))
    if filters.updated_since:
        found.append((_CHANGED_SINCE, (moment(filters.updated_since),)))
    return found


def _joined(conditions: list[Condition]) -> Condition:
    """Return conditions that all must hold, each after an AND."""
    text = "".join(f" AND {condition}" for condition, _values in conditions)
    return text, tuple(value for _condition, values in conditions for value in values)


def _after(sort: Sort, after: Key | None) -> list[Condition]:
    """Return the condition for what comes behind a key; the first part of it is a range of the index."""
    if after is None:
        return []
    columns, *_ = _ORDERS[sort]
    *values, last_id = after
    text = "papers.id > %s"
    parameters: tuple[Any, ...] = (last_id,)
    for column, value in reversed(list(zip(columns, values, strict=True))):
        text, parameters = f"({column} < %s OR ({column} = %s AND {text}))", (value, value, *parameters)
    return [(f"{columns[0]} <= %s AND {text}", (values[0], *parameters))]


def _few(filters: Filters) -> Condition | None:
    """Return what finds the few papers that the narrowest filter leaves, along its index; None where none is narrow."""
    for source in _sources(filters):
        statement, values = source
        counted = rows(f"SELECT count(*) FROM ({statement} LIMIT {FEW + 1})", *values)  # noqa: S608
        if counted[0][0] <= FEW:
            return source
    return None


def _sources(filters: Filters) -> list[Condition]:
    """Return for each filter with an index of its own how the papers are found along it."""
    found: list[Condition] = []
    if filters.author:
        found.append(("SELECT paper_id FROM paper_authors WHERE name = %s", (filters.author,)))
    found += [("SELECT paper_id FROM paper_tags WHERE folded = %s", (tag,)) for tag in filters.tags]
    first, last = filters.date or filters.first, filters.date or filters.last
    if first or last:
        days = (str(first or dt.date.min), str(last or dt.date.max))
        found.append(("SELECT id FROM papers INDEXED BY ix_papers_day WHERE paper_date BETWEEN %s AND %s", days))
    if filters.updated_since:
        changed = (
            "SELECT papers.id FROM paper_changes CROSS JOIN papers ON papers.arxiv_id = paper_changes.arxiv_id"
            " WHERE paper_changes.changed_at >= %s"
        )
        found.append((changed, (moment(filters.updated_since),)))
    if filters.is_withdrawn:
        found.append(("SELECT id FROM papers WHERE is_withdrawn", ()))
    if filters.quality:
        found.append(("SELECT id FROM papers WHERE summary_quality = %s", (filters.quality,)))
    if filters.status:
        found.append(("SELECT paper_id FROM summary_status WHERE status = %s", (filters.status,)))
    return found


def _of_few(filters: Filters, source: Condition, sort: Sort, limit: int, offset: int, after: Key | None) -> Listed:
    among: Condition = (f"papers.id IN ({source[0]})", source[1])
    fixed = [among, *_conditions(filters)]
    condition, values = _joined(fixed)
    count = rows(f"SELECT count(*) FROM papers WHERE 1{condition}", *values)[0][0]  # noqa: S608
    condition, values = _joined([*fixed, *_after(sort, after)])
    columns, order = _ORDERS[sort]
    found = rows(
        f"SELECT {', '.join(columns)}, papers.id FROM papers WHERE 1{condition} ORDER BY {order} LIMIT %s OFFSET %s",  # noqa: S608
        *values,
        limit + 1,
        offset,
    )
    return _page(found, limit, count, capped=False)


def _walked(filters: Filters, sort: Sort, limit: int, offset: int, after: Key | None) -> Listed:
    """Return the page out of the next `WINDOW` papers of the order."""
    columns, order = _ORDERS[sort]
    # What the index of days can find is no matter of the window.
    days = [pair for pair in _conditions(filters) if sort == "paper_date" and "paper_date" in pair[0]]
    others = [pair for pair in _conditions(filters) if pair not in days]
    start, start_values = _joined([*days, *_after(sort, after)])
    condition, values = _joined(others)
    window = (
        f"SELECT papers.id FROM papers INDEXED BY {_INDEXES[sort]} WHERE 1{start}"  # noqa: S608
        f" ORDER BY {order} LIMIT {WINDOW}"
    )
    if not others:
        found = rows(
            f"SELECT {', '.join(columns)}, papers.id FROM papers INDEXED BY {_INDEXES[sort]} WHERE 1{start}"  # noqa: S608
            f" ORDER BY {order} LIMIT %s OFFSET %s",
            *start_values,
            limit + 1,
            offset,
        )
        return _page(found, limit, *_count(filters, days, others))
    found = rows(
        f"SELECT {', '.join(columns)}, papers.id FROM ({window}) AS near CROSS JOIN papers ON papers.id = near.id"  # noqa: S608
        f" WHERE 1{condition} LIMIT %s OFFSET %s",
        *start_values,
        *values,
        limit + 1,
        offset,
    )
    page = _page(found, limit, *_count(filters, days, others))
    if page.next_key is not None:
        return page
    end = rows(
        f"SELECT {', '.join(columns)}, papers.id FROM papers INDEXED BY {_INDEXES[sort]} WHERE 1{start}"  # noqa: S608
        f" ORDER BY {order} LIMIT 1 OFFSET {WINDOW - 1}",
        *start_values,
    )
    # The last paper of the window, where it is full: the rest of the order has not been looked at.
    return Listed(page.ids, _key(end[0]), page.count, page.count_capped) if end else page


def _count(filters: Filters, days: list[Condition], others: list[Condition]) -> tuple[int, bool]:
    """Return how many there are: exact out of a table of counts, else up to `MAX_COUNT` within the first window."""
    if not days and len(others) == 1 and (filters.author or filters.tags):
        index, key = (AUTHORS, filters.author) if filters.author else (TAGS, filters.tags[0])
        found = find_without_months(index, key)
        return (found.papers if found else 0), False
    start, values = _joined(days)
    order = f"FROM papers INDEXED BY ix_papers_day WHERE 1{start}"
    if not others:
        counted = rows(f"SELECT count(*) FROM (SELECT 1 {order} LIMIT {MAX_COUNT + 1})", *values)[0][0]  # noqa: S608
        return min(counted, MAX_COUNT), counted > MAX_COUNT
    condition, further = _joined(others)
    near = f"SELECT papers.id {order} LIMIT {WINDOW}"
    counted, looked_at = rows(
        "SELECT (SELECT count(*) FROM (SELECT 1 FROM"  # noqa: S608
        f" ({near}) AS near CROSS JOIN papers ON papers.id = near.id WHERE 1{condition} LIMIT {MAX_COUNT + 1})),"
        f" (SELECT count(*) FROM (SELECT 1 FROM ({near}) LIMIT {WINDOW}))",
        *values,
        *further,
        *values,
    )[0]
    return min(counted, MAX_COUNT), counted > MAX_COUNT or looked_at >= WINDOW


def _page(found: list[tuple[Any, ...]], limit: int, count: int, capped: bool) -> Listed:
    page = found[:limit]
    next_key = _key(page[-1]) if len(found) > limit else None
    return Listed([row[-1] for row in page], next_key, count, capped)


def _key(row: tuple[Any, ...]) -> Key:
    """Return a row's key; days as the database writes them."""
    return tuple(str(value) if isinstance(value, dt.date) else value for value in row)


def _searched(filters: Filters, sort: Sort, limit: int, offset: int, after: Key | None) -> Listed:
    """Return a page of hits, counted up to `MAX_COUNT`; all of them are ranked, as a search must."""
    match = understand(filters.query).match
    if not match:
        return Listed()
    condition, values = _joined(_conditions(filters))
    # CROSS JOIN holds SQLite to that order: the index first, then the paper of each hit by its key.
    joined = "papers_fts CROSS JOIN papers ON papers.id = papers_fts.rowid"
    hits = joined if condition or sort != "relevance" else "papers_fts"
    where = f"FROM {hits} WHERE papers_fts MATCH %s{condition}"
    statement, start = _ranked(where, after) if sort == "relevance" else _ordered(where, sort, after)
    statement, values = f"{statement} LIMIT %s OFFSET %s", (match, *values)
    if after is None and offset + limit < MAX_COUNT:
        # Fetching the keys of all that are counted takes less than ranking a page and counting by a second query.
        found = rows(statement, *values, MAX_COUNT + 1, 0)
        counted, found = len(found), found[offset : offset + limit + 1]
    else:
        counted = rows(f"SELECT count(*) FROM (SELECT 1 {where} LIMIT {MAX_COUNT + 1})", *values)[0][0]  # noqa: S608
        found = rows(statement, *values, *start, limit + 1, offset)
    return _page(found, limit, min(counted, MAX_COUNT), counted > MAX_COUNT)


def _ranked(where: str, after: Key | None) -> Condition:
    """Return the hits, the best first: the lower the rank, the better."""
    statement = f"SELECT rank, id FROM (SELECT {_RANK} AS rank, papers_fts.rowid AS id {where})"  # noqa: S608
    if after is None:
        return f"{statement} ORDER BY rank, id", ()
    return f"{statement} WHERE rank > %s OR (rank = %s AND id > %s) ORDER BY rank, id", (after[0], *after)


def _ordered(where: str, sort: Sort, after: Key | None) -> Condition:
    columns, order = _ORDERS[sort]
    beyond, start = _joined(_after(sort, after))
    return f"SELECT {', '.join(columns)}, papers.id {where}{beyond} ORDER BY {order}", start
