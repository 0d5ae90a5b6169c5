"""The search index."""

from collections.abc import Iterator

from operations.checks.problem import Problem
from papers.search.index import index_papers, index_problems, rebuild

# Ids named in a line.
_NAMED = 10


def problems() -> Iterator[Problem]:
    """Yield what is wrong with the index, one line for each kind."""
    found = index_problems()
    if found.damage:
        yield Problem("index", f"damaged: {found.damage}")
    for ids, words in (
        (found.missing, "papers have no row"),
        (found.differing, "rows differ from their paper"),
        (found.orphans, "rows are of papers that are gone"),
    ):
        if ids:
            yield Problem("index", f"{len(ids)} {words}: {_named(ids)}")


def repair() -> Iterator[str]:
    """Write wrong rows anew; a damaged index is rebuilt."""
    found = index_problems()
    if found.damage:
        rebuild()
        yield "rebuilt the search index"
        return
    wrong = [*found.missing, *found.differing, *found.orphans]
    if wrong:
        index_papers(wrong)
        yield f"wrote or removed {len(wrong)} rows of the search index"


def _named(ids: tuple[int, ...]) -> str:
    return ", ".join(map(str, ids[:_NAMED])) + (", …" if len(ids) > _NAMED else "")
