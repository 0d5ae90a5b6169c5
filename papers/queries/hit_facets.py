"""What the first hits of a search have in common, counted."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from papers.models import SummaryState
from papers.queries.sql import ids, rows
from papers.search.filters import HitFilters, difficulty_on_one_line

# What a hit has one value of, in the order of the columns of `_FACTS`.
KEYS = ("year", "quality", "code", "state", "difficulty")
# Bare columns: what is made of them is made of a few groups, not of each hit. The state is looked up only where there
# is no summary.
_FACTS = """
SELECT substr(papers.paper_date, 1, 4), papers.summary_quality, papers.code_url <> '', paper_summaries.paper_id,
    summary_status.status, paper_summaries.difficulty, count(*)
FROM json_each(%s) AS hits CROSS JOIN papers ON papers.id = hits.value
LEFT JOIN paper_summaries ON paper_summaries.paper_id = papers.id
LEFT JOIN summary_status ON summary_status.paper_id = CASE WHEN paper_summaries.paper_id IS NULL THEN papers.id END
GROUP BY 1, 2, 3, paper_summaries.paper_id IS NULL, 5, 6
"""
# CROSS JOIN holds SQLite to the hits and the index of each one's tags, in which all stands that is counted.
_TAGS = """
SELECT counted.folded, coalesce(tag_counts.tag, counted.folded), counted.papers FROM (
    SELECT paper_tags.folded, count(DISTINCT paper_tags.paper_id) AS papers
    FROM json_each(%s) AS hits CROSS JOIN paper_tags ON paper_tags.paper_id = hits.value
    WHERE paper_tags.folded <> ''
    GROUP BY paper_tags.folded ORDER BY papers DESC, paper_tags.folded LIMIT %s
) AS counted LEFT JOIN tag_counts ON tag_counts.folded = counted.folded
ORDER BY counted.papers DESC, counted.folded
"""


@dataclass(frozen=True, slots=True)
class HitFacets:
    """How many of the hits have each value, by `KEYS`; `tags` are (folded form, spelling, papers), commonest first."""

    values: dict[str, Counter[str]] = field(default_factory=dict)
    tags: tuple[tuple[str, str, int], ...] = ()


def hit_facets(paper_ids: Sequence[int], *, most_tags: int) -> HitFacets:
    """Count the values of these papers in two queries; of the tags, the `most_tags` commonest."""
    facts = _facts(paper_ids)
    return HitFacets(
        values={key: _counted(facts, place) for place, key in enumerate(KEYS)},
        tags=tuple(rows(_TAGS, _in_order(paper_ids), most_tags)),
    )


def values_beside(paper_ids: Sequence[int], filters: HitFilters) -> dict[str, Counter[str]]:
    """Count, for each filter at work, the values of those papers that the others let pass, in one query."""
    facts = _facts(paper_ids)
    wanted = [getattr(filters, key) for key in KEYS]
    return {
        key: _counted([row for row in facts if _pass_others(row, wanted, place)], place)
        for place, key in enumerate(KEYS)
        if wanted[place]
    }


def _facts(paper_ids: Sequence[int]) -> list[tuple[Any, ...]]:
    return [
        (
            year,
            quality or "",
            "1" if has_code else "",
            (state or SummaryState.PENDING) if summary is None else SummaryState.DONE,
            difficulty_on_one_line(difficulty or ""),
            papers,
        )
        for year, quality, has_code, summary, state, difficulty, papers in rows(_FACTS, _in_order(paper_ids))
    ]


def _in_order(paper_ids: Sequence[int]) -> str:
    # Neighbours share pages of the database: each is read once.
    return ids(sorted(paper_ids))


def _pass_others(row: tuple[Any, ...], wanted: Sequence[str], own: int) -> bool:
    return all(not value or place == own or row[place] == value for place, value in enumerate(wanted))


def _counted(facts: Iterable[tuple[Any, ...]], place: int) -> Counter[str]:
    counts: Counter[str] = Counter()
    for row in facts:
        if row[place]:
            counts[row[place]] += row[-1]
    return counts
