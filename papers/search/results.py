"""Searching papers: the best or newest hits of a query, how many there are, and excerpts with the hits marked."""

import json
import re
from dataclasses import dataclass
from typing import Literal, get_args

from django.core.exceptions import EmptyResultSet
from django.db import connection
from django.db.models import QuerySet
from django.db.models.expressions import RawSQL
from django.utils.safestring import SafeString

from papers.models import Paper
from papers.search.filters import HitFilters
from papers.search.marking import excerpt, marked, marks
from papers.search.query import Fields, Query, parse_query
from papers.search.text import restore

Order = Literal["relevance", "newest", "upvotes"]
Language = Literal["zh", "en"]
Patterns = dict[str, re.Pattern[str]]
# title_en, title_zh, abstract, summary_text
Texts = tuple[str, str, str, str]

# Names a reader can put before a colon, and the columns they stand for.
_TITLES = ("title_en", "title_zh")
FIELDS: Fields = {
    "title": _TITLES,
    "author": ("authors",),
    "tag": ("tags",),
    "标题": _TITLES,
    "作者": ("authors",),
    "标签": ("tags",),
}

# Hits are counted exactly up to here.
MAX_COUNT = 10_000
# Weights of title_en, title_zh, abstract, authors, tags, summary_text.
_BM25 = "bm25(papers_fts, 10.0, 10.0, 3.0, 2.0, 5.0, 2.0)"
# The id settles ties, so that pages of results never overlap.
_ORDERS = {
    "relevance": f"{_BM25}, papers_fts.rowid",
    "newest": "papers.paper_date DESC, papers.upvotes DESC, papers.id",
    "upvotes": "papers.upvotes DESC, papers.paper_date DESC, papers.id",
}
# The same orders by columns of `_RANKED`.
_KEYS = {
    "relevance": (f"{_BM25} AS first, 0 AS second", "first, second, rowid"),
    "newest": ("papers.paper_date AS first, papers.upvotes AS second", "first DESC, second DESC, rowid"),
    "upvotes": ("papers.upvotes AS first, papers.paper_date AS second", "first DESC, second DESC, rowid"),
}
_HITS = "FROM papers_fts WHERE papers_fts MATCH %s"
# CROSS JOIN holds SQLite to that order: the index first, then the paper of each hit by its key.
_HITS_AND_PAPERS = "FROM papers_fts CROSS JOIN papers ON papers.id = papers_fts.rowid WHERE papers_fts MATCH %s"
_SOURCES = {"relevance": _HITS, "newest": _HITS_AND_PAPERS, "upvotes": _HITS_AND_PAPERS}
# The hits of a wider search, ranked once, and those of them that more filters let pass.
_RANKED = """
WITH ranked AS MATERIALIZED (SELECT papers_fts.rowid AS rowid, {columns} {hits})
SELECT * FROM (SELECT rowid, 1 FROM ranked ORDER BY {order} LIMIT %s)
UNION ALL
SELECT * FROM (SELECT papers_fts.rowid, 0 FROM ranked AS papers_fts WHERE TRUE {narrower} ORDER BY {order} LIMIT %s)
"""
_TEXTS = (
    "SELECT papers_fts.rowid, papers_fts.title_en, papers_fts.title_zh, papers_fts.abstract, papers_fts.summary_text"
    " FROM papers CROSS JOIN papers_fts ON papers_fts.rowid = papers.id WHERE papers.id IN "
)
# Most hits of one page.
MAX_LIMIT = 1000
# Hits of a wider search that come with those of a narrower one.
MAX_WIDER = 1001
_LARGEST_OFFSET = 2**31
_NO_FILTERS = HitFilters()


@dataclass(frozen=True)
class Hit:
    """A paper found: its titles and an excerpt as safe HTML, with `<mark>` round what was looked for."""

    paper_id: int
    title_en: SafeString
    title_zh: SafeString
    excerpt: SafeString
    excerpt_language: Language


@dataclass(frozen=True)
class SearchResults:
    """A page of hits. `count` is exact unless `count_capped`; `query` is what was understood of the input.

    `ids` are the papers of all hits that are counted, in the order asked for; `wider_ids` those of the first
    `MAX_WIDER` that the wider filters let pass, where such were given.
    """

    hits: list[Hit]
    count: int
    count_capped: bool
    query: Query
    ids: tuple[int, ...] = ()
    wider_ids: tuple[int, ...] = ()


@dataclass(frozen=True)
class _Selection:
    """What the rows of a search must fulfil, as SQL after WHERE … MATCH."""

    match: str
    condition: str = ""
    parameters: tuple = ()


def understand(text: str) -> Query:
    """Read an input with the fields of papers."""
    return parse_query(text, FIELDS)


def search(
    text: str,
    *,
    limit: int = 25,
    offset: int = 0,
    order: Order = "relevance",
    among: QuerySet[Paper] | None = None,
    filters: HitFilters = _NO_FILTERS,
    wider: HitFilters | None = None,
) -> SearchResults:
    """Return `limit` hits after the first `offset`, of all papers or of those `among` holds and `filters` let pass.

    Any text is a valid input; one with nothing to look for finds nothing. With `wider`, a part of the filters, the
    first hits that this part lets pass come along: all of those are ranked then, once.

    Raises:
        ValueError: `order` is none of the three, `limit` is not within 0 and `MAX_LIMIT`, or `offset` is negative.
    """
    if order not in get_args(Order) or not 0 <= limit <= MAX_LIMIT or offset < 0:
        raise ValueError(f"no such page of results: order {order!r}, limit {limit}, offset {offset}")
    query = understand(text)
    selection = _selection(query, among, filters)
    if selection is None:
        return SearchResults([], 0, False, query)
    # Fetching the ids of all that are counted takes less than ranking a page of them and counting in a second query.
    outer = None if wider is None else _selection(query, among, wider)
    ids, wider_ids = _with_wider(outer, filters, order) if outer else (_ids(selection, order, MAX_COUNT + 1, 0), [])
    is_capped = len(ids) > MAX_COUNT
    if is_capped and offset + limit > len(ids):
        page = _ids(selection, order, limit, min(offset, _LARGEST_OFFSET))
    else:
        page = ids[offset : offset + limit]
    counted = tuple(ids[:MAX_COUNT])
    return SearchResults(_hits(page, query), len(counted), is_capped, query, counted, tuple(wider_ids))


def matching_ids(text: str) -> RawSQL:
    """Return the ids of all hits as a subquery: `papers.filter(id__in=matching_ids("扩散模型"))`."""
    match = understand(text).match
    if not match:
        return RawSQL("SELECT NULL WHERE 0", [])
    return RawSQL(f"SELECT papers_fts.rowid {_HITS}", [match])  # noqa: S611


def _selection(query: Query, among: QuerySet[Paper] | None, filters: HitFilters) -> _Selection | None:
    """Return how to find the hits, or None where there can be none."""
    if not query.match:
        return None
    condition, values = filters.sql()
    if among is None:
        return _Selection(query.match, condition, values)
    try:
        sql, parameters = among.values("pk").query.sql_with_params()
    except EmptyResultSet:
        return None
    # The plus keeps SQLite from asking the index anew for each paper of the list.
    return _Selection(query.match, f" AND +papers_fts.rowid IN ({sql}){condition}", (*parameters, *values))


def _ids(selection: _Selection, order: Order, limit: int, offset: int) -> list[int]:
    hits = f"{_SOURCES[order]}{selection.condition}"
    page = f"SELECT papers_fts.rowid AS id {hits} ORDER BY {_ORDERS[order]} LIMIT %s OFFSET %s"
    # One row: for each, Python's lock is given up and waited for, which other threads make long.
    sql = f"SELECT json_group_array(id) FROM ({page})"  # noqa: S608
    with connection.cursor() as cursor:
        cursor.execute(sql, [selection.match, *selection.parameters, limit, offset])
        return json.loads(cursor.fetchone()[0])


def _with_wider(wider: _Selection, filters: HitFilters, order: Order) -> tuple[list[int], list[int]]:
    """Return the ids of the hits of `wider` that `filters` let pass, and the first ids of all of them."""
    columns, keys = _KEYS[order]
    narrower, values = filters.sql()
    hits = f"{_SOURCES[order]}{wider.condition}"
    sql = _RANKED.format(columns=columns, hits=hits, narrower=narrower, order=keys)
    with connection.cursor() as cursor:
        cursor.execute(sql, [wider.match, *wider.parameters, MAX_WIDER, *values, MAX_COUNT + 1])
        found = cursor.fetchall()
    return [row[0] for row in found if not row[1]], [row[0] for row in found if row[1]]


def _hits(ids: list[int], query: Query) -> list[Hit]:
    texts = _texts(ids)
    patterns = {column: marks(query, column) for column in ("title_en", "title_zh", "abstract", "summary_text")}
    found = (paper_id for paper_id in ids if paper_id in texts)
    return [_hit(paper_id, texts[paper_id], patterns) for paper_id in found]


def _texts(ids: list[int]) -> dict[int, Texts]:
    """Return the indexed texts of those of these papers that still exist."""
    if not ids:
        return {}
    with connection.cursor() as cursor:
        cursor.execute(f"{_TEXTS}({', '.join(['%s'] * len(ids))})", ids)
        return {
            paper_id: (restore(title_en), restore(title_zh), restore(abstract), restore(summary))
            for paper_id, title_en, title_zh, abstract, summary in cursor.fetchall()
        }


def _hit(paper_id: int, texts: Texts, patterns: Patterns) -> Hit:
    title_en, title_zh, abstract, summary = texts
    html, language = _excerpt(summary, abstract, patterns)
    return Hit(
        paper_id,
        marked(title_en, patterns["title_en"]),
        marked(title_zh, patterns["title_zh"]),
        html,
        language,
    )


def _excerpt(summary: str, abstract: str, patterns: Patterns) -> tuple[SafeString, Language]:
    """Return an excerpt of the summary, or of the abstract where only that has a hit or there is no summary."""
    of_summary = excerpt(summary, patterns["summary_text"])
    if of_summary.has_hits:
        return of_summary.html, "zh"
    of_abstract = excerpt(abstract, patterns["abstract"])
    if of_abstract.has_hits or not summary:
        return of_abstract.html, "en"
    return of_summary.html, "zh"
