"""Papers added by their arXiv ids, from arXiv alone."""

import datetime as dt
from collections.abc import Iterable, Sequence

from django.db import transaction
from django.db.models import Min
from django.utils import timezone

from operations.calendar import utc_today
from operations.day_store import author_rows, new_paper_columns
from operations.enrichment import store_records
from operations.meta_files import write_meta_files
from operations.models import DayListing, DeletedPaper
from operations.sources.arxiv import ArxivRecord, arxiv_client, fetch_records
from papers.models import Paper, PaperAuthor, SummaryState, SummaryStatus
from papers.search.index import index_papers


class PaperUnknown(Exception):
    """arXiv does not know some of the ids; the others were added."""

    def __init__(self, unknown: Sequence[str], added: dict[str, bool]) -> None:
        """Keep what was done for the known ones."""
        super().__init__(f"unknown to arXiv: {', '.join(unknown)}")
        self.unknown, self.added = unknown, added


def add_papers(arxiv_ids: Iterable[str]) -> dict[str, bool]:
    """Add papers filed under today (UTC), or refresh known ones; return for each id whether it is new.

    Raises:
        PaperUnknown: arXiv does not know some of them.
        operations.http.errors.SourceError: arXiv cannot be asked; nothing was stored.
    """
    wanted = list(dict.fromkeys(arxiv_ids))
    with arxiv_client() as client:
        records = fetch_records(client, wanted)
    added = {arxiv_id: _store(records[arxiv_id]) for arxiv_id in wanted if arxiv_id in records}
    write_meta_files(added)
    unknown = [arxiv_id for arxiv_id in wanted if arxiv_id not in records]
    if unknown:
        raise PaperUnknown(unknown, added)
    return added


def _store(record: ArxivRecord) -> bool:
    """Store one record; tell whether the paper is new."""
    with transaction.atomic():
        is_new = not Paper.objects.filter(arxiv_id=record.arxiv_id).exists()
        if is_new:
            _create(record)
        store_records([record])
    return is_new


def _create(record: ArxivRecord) -> None:
    DeletedPaper.objects.filter(arxiv_id=record.arxiv_id).delete()
    paper = Paper.objects.create(
        **new_paper_columns(record.arxiv_id, _day_of(record.arxiv_id), timezone.now()),
        title_en=record.title,
        abstract=record.abstract or None,
        published_at=record.published_at,
    )
    PaperAuthor.objects.bulk_create(author_rows(paper, record.authors))
    SummaryStatus.objects.create(paper=paper, status=SummaryState.PENDING)
    index_papers([paper.pk])


def _day_of(arxiv_id: str) -> dt.date:
    """Return the day to file a new paper under: today, unless Daily Papers is known to have listed it before."""
    listed = DayListing.objects.filter(arxiv_id=arxiv_id).aggregate(first=Min("date"))["first"]
    return min(filter(None, (listed, utc_today())))
