"""What a search can be narrowed by besides its words, as conditions that SQLite tries hit by hit.

A list of all papers with a tag or of a year would grow with the library; what is tried on each hit grows with the hits.
"""

import re
from dataclasses import dataclass

from papers.models import SummaryState

# The plus holds SQLite to the index of the paper: that of the tag would be walked for each hit.
_TAG = "EXISTS (SELECT 1 FROM paper_tags WHERE paper_tags.paper_id = papers_fts.rowid AND +paper_tags.folded = %s)"
_PAPER = "EXISTS (SELECT 1 FROM papers AS narrowed WHERE narrowed.id = papers_fts.rowid AND {})"
_SUMMARY = "EXISTS (SELECT 1 FROM paper_summaries WHERE paper_summaries.paper_id = papers_fts.rowid{})"
# A paper that nobody has begun with has no row of its own.
_STATUS = (
    "coalesce((SELECT summary_status.status FROM summary_status"
    " WHERE summary_status.paper_id = papers_fts.rowid), %s) = %s"
)


# The white space that people and models write.
_BLANKS = (9, 10, 13, 0xA0, 0x3000)
_RUN = re.compile(f"[ {''.join(map(chr, _BLANKS))}]+")


def difficulty_on_one_line(text: str) -> str:
    """Return a difficulty as `DIFFICULTY` gives it."""
    return _RUN.sub(" ", text).strip(" ")


def _on_one_line(column: str) -> str:
    """Return SQL for `papers.text.one_line` of a column, as far as `_BLANKS` go."""
    for code in _BLANKS:
        column = f"replace({column}, char({code}), ' ')"
    # Each blank becomes a pair, pairs that touch lose their seam, and what is left of a run is one pair.
    paired = f"replace({column}, ' ', char(1, 2))"
    return f"trim(replace(replace({paired}, char(2, 1), ''), char(1, 2), ' '))"


# A difficulty as an address has it.
DIFFICULTY = _on_one_line("paper_summaries.difficulty")


@dataclass(frozen=True, slots=True)
class HitFilters:
    """Filters that all must hold; an empty one filters nothing. `tags` are in their folded form."""

    tags: tuple[str, ...] = ()
    year: str = ""
    difficulty: str = ""
    quality: str = ""
    code: str = ""
    state: str = ""

    def sql(self) -> tuple[str, tuple[str, ...]]:
        """Return the conditions, each after an AND, and their parameters."""
        conditions: list[tuple[str, tuple[str, ...]]] = [(_TAG, (tag,)) for tag in self.tags]
        if self.year:
            within = _PAPER.format("narrowed.paper_date >= %s AND narrowed.paper_date <= %s")
            conditions.append((within, (f"{self.year}-01-01", f"{self.year}-12-31")))
        if self.quality:
            conditions.append((_PAPER.format("narrowed.summary_quality = %s"), (self.quality,)))
        if self.code:
            conditions.append((_PAPER.format("narrowed.code_url <> ''"), ()))
        if self.difficulty:
            conditions.append((_SUMMARY.format(f" AND {DIFFICULTY} = %s"), (self.difficulty,)))
        if self.state:
            conditions.append(_of_state(self.state))
        text = "".join(f" AND {condition}" for condition, _parameters in conditions)
        return text, tuple(value for _condition, parameters in conditions for value in parameters)


def _of_state(state: str) -> tuple[str, tuple[str, ...]]:
    """Return the condition for a state as readers know it: a summary that is made anew is still there to be read."""
    has_summary = _SUMMARY.format("")
    if state == SummaryState.DONE:
        return has_summary, ()
    return f"(NOT {has_summary} AND {_STATUS})", (SummaryState.PENDING, state)
