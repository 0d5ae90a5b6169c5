"""Whole papers, with all that belongs to them, as the API and exports need them."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from papers.models import Paper
from papers.search.results import search


@dataclass(frozen=True)
class PaperPage:
    """A page of whole papers, and how many there are in all."""

    papers: list[Paper]
    count: int
    count_capped: bool = False


def whole_papers() -> QuerySet[Paper]:
    """Return papers that come with status, summary, authors and tags, in three queries however many they are."""
    papers = Paper.objects.select_related("status", "summary").prefetch_related("authors", "tags")
    return papers.defer("asset_error", "status__error")


def find_whole_paper(arxiv_id: str) -> Paper | None:
    """Return one paper by its id without a version, or None."""
    return whole_papers().filter(arxiv_id=arxiv_id).first()


def select_papers(*, date: dt.date | None, query: str, limit: int, offset: int) -> PaperPage:
    """Return the papers of a day (None: of all days), newest day first, then by votes.

    With a query that is not blank: those of them it finds, best match first, counted up to the search's limit.
    """
    papers = Paper.objects.all() if date is None else Paper.objects.filter(paper_date=date)
    if query.strip():
        results = search(query, limit=limit, offset=offset, among=None if date is None else papers)
        return PaperPage(_in_order([hit.paper_id for hit in results.hits]), results.count, results.count_capped)
    ids = list(papers.order_by("-paper_date", "-upvotes", "id").values_list("pk", flat=True)[offset : offset + limit])
    return PaperPage(_in_order(ids), papers.count())


def _in_order(paper_ids: Sequence[int]) -> list[Paper]:
    found = {paper.pk: paper for paper in whole_papers().filter(pk__in=paper_ids)}
    return [found[paper_id] for paper_id in paper_ids if paper_id in found]
