"""How many papers each day has, and how much there is in all."""

from dataclasses import dataclass

from papers.queries.sql import rows

# Jumps along the index from day to day, whatever the number of papers of each.
_DAYS = (
    "WITH RECURSIVE days(day) AS (SELECT max(paper_date) FROM papers UNION ALL"
    " SELECT (SELECT max(paper_date) FROM papers WHERE paper_date < day) FROM days WHERE day IS NOT NULL)"
)
_DATES = (
    f"{_DAYS} SELECT day, (SELECT count(*) FROM papers WHERE paper_date = day)"  # noqa: S608
    " FROM (SELECT day FROM days WHERE day IS NOT NULL LIMIT %s OFFSET %s)"
)
_NUMBER_OF_DAYS = f"{_DAYS} SELECT count(day), max(day), min(day) FROM days"  # noqa: S608


@dataclass(frozen=True, slots=True)
class Totals:
    """What the library holds; `states` and `qualities` count summaries."""

    papers: int
    days: int
    newest_day: str | None
    oldest_day: str | None
    states: dict[str, int]
    qualities: dict[str, int]


def dates(limit: int, offset: int) -> list[tuple[str, int]]:
    """Return days that have papers, newest first, with how many."""
    return [(str(day), papers) for day, papers in rows(_DATES, limit, offset)]


def number_of_days() -> int:
    """Return how many days have papers."""
    return rows(_NUMBER_OF_DAYS)[0][0]


def totals() -> Totals:
    """Return the totals, each counted along an index that holds nothing else; asked once for each state of the data."""
    days, newest, oldest = rows(_NUMBER_OF_DAYS)[0]
    states = rows("SELECT status, count(*) FROM summary_status GROUP BY status ORDER BY status")
    qualities = rows(
        "SELECT summary_quality, count(*) FROM papers WHERE summary_quality IS NOT NULL"
        " GROUP BY summary_quality ORDER BY summary_quality"
    )
    return Totals(
        papers=rows("SELECT count(*) FROM papers")[0][0],
        days=days,
        newest_day=str(newest) if newest else None,
        oldest_day=str(oldest) if oldest else None,
        states=dict(states),
        qualities=dict(qualities),
    )
