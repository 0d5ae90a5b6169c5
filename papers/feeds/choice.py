"""Which papers are in a feed: their ids in the feed's order, found by an index and bounded."""

import datetime as dt
from itertools import takewhile

from papers.models import Paper
from papers.queries.counted import AUTHORS, TAGS, Index, find_without_months, paper_ids
from papers.search.filters import HitFilters
from papers.search.results import search
from papers.text import fold

MOST_ENTRIES = 50
# The newest day is in the feed of the newest papers as a whole: who asks once a day misses none.
_MOST_OF_A_DAY = 200
BEST_DAYS = 7
BEST_ENTRIES = 25
# A tag or a name with more papers than this is followed down the months that have some; one with fewer is sorted by
# itself, the paper that came last first.
_MANY = 2_000


def newest() -> list[int]:
    """Return the newest papers, by day and then by when they came: 50, or the whole newest day up to 200."""
    rows = list(Paper.objects.order_by("-paper_date", "-id").values_list("id", "paper_date")[:_MOST_OF_A_DAY])
    whole_day = sum(1 for _row in takewhile(lambda row: row[1] == rows[0][1], rows))
    return [paper_id for paper_id, _day in rows[: max(MOST_ENTRIES, whole_day)]]


def best_of_the_week() -> list[int]:
    """Return the 25 papers with most votes of the seven days up to the newest one that has papers."""
    last = Paper.objects.order_by("-paper_date").values_list("paper_date", flat=True).first()
    if last is None:
        return []
    papers = Paper.objects.filter(paper_date__gt=last - dt.timedelta(days=BEST_DAYS), paper_date__lte=last)
    return list(papers.order_by("-upvotes", "-paper_date", "id").values_list("id", flat=True)[:BEST_ENTRIES])


def with_tag(tag: str) -> list[int]:
    """Return the newest papers with `tag`; case, width and spaces are no difference."""
    return _newest_named(TAGS, fold(tag))


def by_author(name: str) -> list[int]:
    """Return the newest papers that name an author exactly so."""
    return _newest_named(AUTHORS, name)


def found_by(query: str, filters: HitFilters) -> list[int]:
    """Return the newest papers that a search finds and its filters let pass."""
    return list(search(query, limit=0, order="newest", filters=filters).ids[:MOST_ENTRIES])


def _newest_named(index: Index, key: str) -> list[int]:
    counted = find_without_months(index, key)
    if counted is None:
        return []
    if counted.papers > _MANY:
        return paper_ids(index, counted, limit=MOST_ENTRIES, offset=0)
    ids = index.rows._default_manager.filter(**{index.column: key}).values_list("paper_id", flat=True)
    papers = Paper.objects.filter(pk__in=list(ids)).order_by("-paper_date", "-id")
    return list(papers.values_list("id", flat=True)[:MOST_ENTRIES])
