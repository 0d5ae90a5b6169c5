"""What the sitemap lists, in parts that each cost the same however many papers there are."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import connection
from django.urls import reverse

from papers.addresses import paper_address
from papers.models import Paper

# Papers of one part, by the range of their ids: part 3 has those from 15,001 to 20,000. The protocol allows 50,000.
PART = 5_000
# From one paper to the first of the next part by the key, so that parts that were deleted are not looked through.
_PARTS = """
WITH RECURSIVE firsts(id) AS (
    SELECT min(id) FROM papers
    UNION ALL
    SELECT (SELECT min(id) FROM papers WHERE id > ((firsts.id - 1) / %s + 1) * %s) FROM firsts
    WHERE firsts.id IS NOT NULL
)
SELECT (id - 1) / %s FROM firsts WHERE id IS NOT NULL LIMIT 10000
"""
# From one day to the one before it by the index.
_MOST_DAYS = 10_000
_DAYS = """
WITH RECURSIVE days(day) AS (
    SELECT max(paper_date) FROM papers
    UNION ALL
    SELECT (SELECT max(paper_date) FROM papers WHERE paper_date < days.day) FROM days WHERE days.day IS NOT NULL
)
SELECT day FROM days WHERE day IS NOT NULL LIMIT %s
"""
_PAGES = ("papers:home", "papers:tags", "papers:authors", "papers:feeds", "status")


@dataclass(frozen=True, slots=True)
class Place:
    """A page of the site, and when what it says last changed, where that is known."""

    path: str
    changed: dt.datetime | None = None


def parts() -> list[int]:
    """Return the numbers of the parts that have papers."""
    with connection.cursor() as cursor:
        cursor.execute(_PARTS, [PART, PART, PART])
        return [number for (number,) in cursor.fetchall()]


def papers_of(part: int) -> list[Place]:
    """Return the pages of the papers of a part, in one query; none where there is no such part."""
    papers = Paper.objects.filter(pk__gt=part * PART, pk__lte=(part + 1) * PART).order_by("pk")
    rows = papers.values_list("arxiv_id", "crawled_at", "text_changed_at", "summary__updated_at")
    return [Place(paper_address(arxiv_id), max(moment for moment in moments if moment)) for arxiv_id, *moments in rows]


def other_pages() -> list[Place]:
    """Return the pages of the newest 10,000 days, after those that are there once."""
    return [*(Place(reverse(name)) for name in _PAGES), *_days()]


def _days() -> Iterator[Place]:
    with connection.cursor() as cursor:
        cursor.execute(_DAYS, [_MOST_DAYS])
        for (day,) in cursor.fetchall():
            yield Place(reverse("papers:day", args=[str(day)]))
