"""Papers as lists show them.

A list costs the same number of queries for ten papers as for five hundred, and leaves the heavy columns
(whole abstracts, the summary's object) where they are.
"""

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from papers.addresses import paper_address
from papers.models import SummaryQuality, SummaryState
from papers.queries.authors import FirstAuthors, first_authors
from papers.queries.sql import ids, rows
from papers.queries.tags import FoldedTags, distinct_by_folded

# What a line of a list can show before it stops being a line.
CARD_AUTHORS = 3
CARD_TAGS = 4
ABSTRACT_START = 400

CardRow = dict[str, Any]


@dataclass(frozen=True, slots=True)
class PaperCard:
    """One paper in a list."""

    arxiv_id: str
    title_en: str
    title_zh: str
    paper_date: dt.date
    upvotes: int
    is_withdrawn: bool
    has_code: bool
    quality: str
    state: str
    error_type: str
    one_line: str
    abstract_start: str
    authors: tuple[str, ...] = ()
    more_authors: int = 0
    tags: tuple[str, ...] = ()
    more_tags: int = 0

    @property
    def address(self) -> str:
        """The paper's page."""
        return paper_address(self.arxiv_id)

    @property
    def is_low(self) -> bool:
        """Whether its summary says little."""
        return self.quality == SummaryQuality.LOW

    @property
    def is_degraded(self) -> bool:
        """Whether its summary lacks an important field."""
        return self.quality == SummaryQuality.DEGRADED


_CARDS = """
SELECT papers.id, papers.arxiv_id, papers.title_en, papers.title_zh, papers.paper_date, papers.published_at,
    papers.upvotes, papers.is_withdrawn, papers.code_url, papers.summary_quality,
    summary_status.status AS status__status, summary_status.error_type AS status__error_type,
    paper_summaries.one_line AS summary__one_line, paper_summaries.difficulty AS summary__difficulty,
    -- Only where it is shown: in place of a summary that is not there yet.
    CASE WHEN paper_summaries.paper_id IS NULL THEN substr(papers.abstract, 1, %s) END AS abstract_start
FROM papers
LEFT JOIN summary_status ON summary_status.paper_id = papers.id
LEFT JOIN paper_summaries ON paper_summaries.paper_id = papers.id
"""
_CARD_COLUMNS = (
    *("id", "arxiv_id", "title_en", "title_zh", "paper_date", "published_at", "upvotes", "is_withdrawn", "code_url"),
    *("summary_quality", "status__status", "status__error_type", "summary__one_line", "summary__difficulty"),
    "abstract_start",
)
_BY_ID = _CARDS + "WHERE papers.id IN (SELECT value FROM json_each(%s))"  # noqa: S608
_OF_DAY = _CARDS + "WHERE papers.paper_date = %s ORDER BY papers.upvotes DESC, papers.id LIMIT %s"


def cards_by_id(paper_ids: Sequence[int]) -> dict[int, PaperCard]:
    """Return the cards of these papers by id, in the order given, in three queries; unknown ids are left out."""
    found = cards_of_rows(_card_rows(_BY_ID, ids(paper_ids)), tags_of_papers(paper_ids))
    return {paper_id: found[paper_id] for paper_id in paper_ids if paper_id in found}


def cards_of_rows(found: Sequence[CardRow], tags: Mapping[int, FoldedTags]) -> dict[int, PaperCard]:
    """Return the cards of rows of papers by the papers' id, in one query: that of their authors."""
    names = first_authors([row["id"] for row in found], CARD_AUTHORS)
    return {row["id"]: _card(row, names.get(row["id"], FirstAuthors()), tags.get(row["id"], {})) for row in found}


def card_rows_of_day(date: dt.date, most: int) -> list[CardRow]:
    """Return what the cards of a day are made of, and what they are sorted and filtered by, most votes first."""
    return _card_rows(_OF_DAY, date.isoformat(), most)


def _card_rows(statement: str, *parameters: Any) -> list[CardRow]:
    return [dict(zip(_CARD_COLUMNS, row, strict=True)) for row in rows(statement, ABSTRACT_START, *parameters)]


def _card(row: CardRow, names: FirstAuthors, tags: FoldedTags) -> PaperCard:
    return PaperCard(
        arxiv_id=row["arxiv_id"],
        title_en=row["title_en"],
        title_zh=row["title_zh"] or "",
        paper_date=row["paper_date"],
        upvotes=row["upvotes"] or 0,
        is_withdrawn=row["is_withdrawn"],
        has_code=bool(row["code_url"]),
        quality=row["summary_quality"] or "",
        state=row["status__status"] or SummaryState.PENDING,
        error_type=row["status__error_type"] or "",
        one_line=row["summary__one_line"] or "",
        abstract_start=_whole_words(row["abstract_start"] or ""),
        authors=tuple(names.names),
        more_authors=names.more,
        tags=tuple(tags.values())[:CARD_TAGS],
        more_tags=max(0, len(tags) - CARD_TAGS),
    )


def _whole_words(text: str) -> str:
    if len(text) < ABSTRACT_START:
        return text
    return text.rsplit(None, 1)[0] + " …"


_TAGS = """
SELECT paper_id, tag, folded, source FROM paper_tags
WHERE paper_id IN (SELECT value FROM json_each(%s)) ORDER BY id
"""


def tags_of_papers(paper_ids: Sequence[int]) -> dict[int, FoldedTags]:
    """Return the tags of each paper that has some, once each, in one query."""
    by_paper: dict[int, list[tuple[str, str, str | None]]] = {}
    for paper_id, tag, folded, source in rows(_TAGS, ids(paper_ids)):
        by_paper.setdefault(paper_id, []).append((tag, folded, source))
    return {paper_id: distinct_by_folded(tags) for paper_id, tags in by_paper.items()}
