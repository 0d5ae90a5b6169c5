"""The first authors of papers, where all would be too many: a paper may have thousands."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from papers.queries.sql import ids, rows

# Position alone would not do: it has gaps where names were left out, and may be missing.
_FIRST_AUTHORS = """
SELECT paper_id, name, total FROM (
    SELECT paper_id, name, row_number() OVER (PARTITION BY paper_id ORDER BY position, id) AS place,
        count(*) OVER (PARTITION BY paper_id) AS total
    FROM paper_authors WHERE paper_id IN (SELECT value FROM json_each(%s))
) WHERE place <= %s ORDER BY paper_id, place
"""


@dataclass(frozen=True, slots=True)
class FirstAuthors:
    """The first author names of a paper, and how many there are in all."""

    names: list[str] = field(default_factory=list)
    total: int = 0

    @property
    def more(self) -> int:
        """How many are not among the first."""
        return self.total - len(self.names)


def first_authors(paper_ids: Sequence[int], most: int) -> dict[int, FirstAuthors]:
    """Return up to `most` names of each paper's authors and their count, numbered in the database, in one query."""
    found: dict[int, FirstAuthors] = {}
    for paper_id, name, total in rows(_FIRST_AUTHORS, ids(paper_ids), most):
        found.setdefault(paper_id, FirstAuthors(total=total)).names.append(name)
    return found
