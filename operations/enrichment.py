"""Adds to stored papers what arXiv alone knows: version, categories, comment, withdrawal, its own date."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from operations.day_store import author_rows
from operations.http.client import PoliteClient
from operations.sources.arxiv import ArxivRecord, fetch_records
from papers.models import Paper, PaperAuthor
from papers.search.index import index_papers

# One call of arXiv's API; also the size of a write transaction.
BATCH = 100
# A day is asked for again every two hours; its papers need arXiv's news only once a day.
FRESH_FOR = dt.timedelta(hours=20)


@dataclass(frozen=True)
class Enrichment:
    """How many papers arXiv told of, and which it does not know."""

    updated: int
    unknown: tuple[str, ...]


def stale_ids(arxiv_ids: Iterable[str], now: dt.datetime) -> list[str]:
    """Return those of `arxiv_ids` that arXiv was not asked about lately."""
    old = Q(arxiv_checked_at=None) | Q(arxiv_checked_at__lt=now - FRESH_FOR)
    found: list[str] = []
    wanted = list(arxiv_ids)
    for start in range(0, len(wanted), 500):
        chunk = Paper.objects.filter(old, arxiv_id__in=wanted[start : start + 500])
        found += chunk.values_list("arxiv_id", flat=True)
    return found


def enrich(client: PoliteClient, arxiv_ids: Sequence[str]) -> Enrichment:
    """Ask arXiv about stored papers, a batch at a time, and store what it says.

    Raises:
        operations.http.errors.SourceError: arXiv cannot be asked; earlier batches are stored.
    """
    updated, unknown = 0, []
    for start in range(0, len(arxiv_ids), BATCH):
        batch = arxiv_ids[start : start + BATCH]
        records = fetch_records(client, batch)
        updated += store_records(records.values())
        unknown += [arxiv_id for arxiv_id in batch if arxiv_id not in records]
    return Enrichment(updated, tuple(unknown))


def store_records(records: Iterable[ArxivRecord]) -> int:
    """Store what arXiv says of known papers and return of how many."""
    by_id = {record.arxiv_id: record for record in records}
    now = timezone.now()
    with transaction.atomic():
        papers = list(Paper.objects.filter(arxiv_id__in=by_id))
        without_authors = _without_authors(papers)
        Paper.objects.filter(pk__in=[paper.pk for paper in papers]).update(arxiv_checked_at=now)
        renewed = []
        for paper in papers:
            record = by_id[paper.arxiv_id]
            changed = _news(paper, record)
            if changed:
                Paper.objects.filter(pk=paper.pk).update(**changed, updated_at=now)
            if paper.pk in without_authors or _is_newer(paper, record):
                _replace_authors(paper, record.authors)
                renewed.append(paper.pk)
            elif "abstract" in changed:
                renewed.append(paper.pk)
        index_papers(renewed)
    return len(papers)


def _without_authors(papers: Sequence[Paper]) -> set[int]:
    ids = {paper.pk for paper in papers}
    return ids - set(PaperAuthor.objects.filter(paper_id__in=ids).values_list("paper_id", flat=True))


def _is_newer(paper: Paper, record: ArxivRecord) -> bool:
    """Tell whether the record's text should replace the paper's.

    An older version's text may have been edited by hand here, so that only a newer version replaces it; and the
    notice that stands in place of a withdrawn paper's abstract never does.
    """
    if paper.version is None or record.version is None:
        return False
    return record.version > paper.version and not record.is_withdrawn


def _news(paper: Paper, record: ArxivRecord) -> dict[str, Any]:
    """Return the columns that arXiv knows otherwise; what is known is never replaced by nothing."""
    news = {
        "version": max(filter(None, (paper.version, record.version)), default=None),
        "categories": " ".join(record.categories) or None,
        "arxiv_comment": record.comment or None,
        # The source itself may have said so where arXiv's words do not; only a newer version takes that back.
        "is_withdrawn": record.is_withdrawn or (paper.is_withdrawn and not _is_newer(paper, record)),
        "published_at": record.published_at,
    }
    if _is_newer(paper, record):
        news |= {"title_en": record.title or None, "abstract": record.abstract or None}
    elif not paper.abstract and not record.is_withdrawn:
        news["abstract"] = record.abstract or None
    return {name: value for name, value in news.items() if value is not None and value != getattr(paper, name)}


def _replace_authors(paper: Paper, names: Sequence[str]) -> None:
    if names:
        PaperAuthor.objects.filter(paper=paper).delete()
        PaperAuthor.objects.bulk_create(author_rows(paper, names))
