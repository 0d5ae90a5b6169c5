"""Stores what one page of a day's list says: listings, new papers, and news of known ones.

A page goes in by one transaction. Where that fails its entries go in one by one, so that a bad entry costs itself
alone and is kept in the day's account with the reason.
"""

import datetime as dt
import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.db import DatabaseError, OperationalError, transaction
from django.db.models import Min
from django.utils import timezone

from operations.models import DayListing, DeletedPaper
from operations.sources.huggingface import BadEntry, DailyEntry, DayPage
from papers import arxiv_ids
from papers.models import Paper, PaperAuthor, PaperTag, SummaryState, SummaryStatus, TagSource
from papers.search.index import index_papers
from papers.text import fold

logger = logging.getLogger(__name__)


@dataclass(frozen=True)
class StoredPage:
    """What came of a page, as arXiv ids; `left_deleted` were deleted on purpose and stay away."""

    new: tuple[str, ...] = ()
    known: tuple[str, ...] = ()
    left_deleted: tuple[str, ...] = ()
    skipped: tuple[str, ...] = ()


@dataclass
class _Page:
    """One page on its way into the database."""

    date: dt.date
    by_hand: bool
    now: dt.datetime
    known: dict[str, Paper] = field(default_factory=dict)
    deleted: set[str] = field(default_factory=set)


def store_page(date: dt.date, page: DayPage, *, by_hand: bool) -> StoredPage:
    """Store a page of the list of `date`; by hand, papers that were deleted on purpose come back.

    Raises:
        django.db.OperationalError: the database cannot be written now (locked, disk full); nothing is stored.
    """
    bad = list(page.bad)
    try:
        with transaction.atomic():
            stored = _store_entries(date, page.entries, by_hand)
            _list_skipped(date, bad)
    except OperationalError:
        raise
    except (DatabaseError, ValueError, TypeError, OverflowError):
        logger.exception("storing the page of %s failed; its entries go in one by one", date)
        stored, failures = _store_one_by_one(date, page.entries, by_hand)
        bad += failures
        _list_skipped(date, bad)
    return StoredPage(stored.new, stored.known, stored.left_deleted, tuple(f"{b.key}: {b.reason}" for b in bad))


def _store_one_by_one(date: dt.date, entries: Iterable[DailyEntry], by_hand: bool) -> tuple[StoredPage, list[BadEntry]]:
    pages, failures = [], []
    for entry in entries:
        try:
            with transaction.atomic():
                pages.append(_store_entries(date, [entry], by_hand))
        except OperationalError:
            raise
        except (DatabaseError, ValueError, TypeError, OverflowError) as error:
            reason = f"could not be stored: {type(error).__name__}: {error}"[:500]
            failures.append(BadEntry(key=entry.arxiv_id, reason=reason, arxiv_id=entry.arxiv_id))
    merged = StoredPage(
        new=tuple(i for page in pages for i in page.new),
        known=tuple(i for page in pages for i in page.known),
        left_deleted=tuple(i for page in pages for i in page.left_deleted),
    )
    return merged, failures


def _store_entries(date: dt.date, entries: Sequence[DailyEntry], by_hand: bool) -> StoredPage:
    ids = [entry.arxiv_id for entry in entries]
    page = _Page(date, by_hand, timezone.now())
    page.known = {paper.arxiv_id: paper for paper in Paper.objects.filter(arxiv_id__in=ids)}
    page.deleted = set(DeletedPaper.objects.filter(arxiv_id__in=ids).values_list("arxiv_id", flat=True))
    _list_entries(page, ids)
    fresh = [e for e in entries if e.arxiv_id not in page.known and (by_hand or e.arxiv_id not in page.deleted)]
    known = [entry for entry in entries if entry.arxiv_id in page.known]
    created = _create_papers(page, fresh)
    changed = _refresh_papers(page, known)
    index_papers([paper.pk for paper in created] + changed)
    return StoredPage(
        new=tuple(entry.arxiv_id for entry in fresh),
        known=tuple(entry.arxiv_id for entry in known),
        left_deleted=tuple(i for i in ids if i in page.deleted and i not in page.known and not by_hand),
    )


def _list_entries(page: _Page, ids: Iterable[str]) -> None:
    rows = [DayListing(date=page.date, entry_key=i, arxiv_id=i, first_seen_at=page.now) for i in ids]
    DayListing.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["date", "entry_key"], update_fields=["arxiv_id", "skipped_reason"]
    )


def _list_skipped(date: dt.date, bad: Iterable[BadEntry]) -> None:
    now = timezone.now()
    rows = {
        entry.key: DayListing(
            date=date, entry_key=entry.key, arxiv_id=entry.arxiv_id, skipped_reason=entry.reason, first_seen_at=now
        )
        for entry in bad
    }
    stored = set(
        DayListing.objects.filter(date=date, entry_key__in=rows, skipped_reason=None).values_list(
            "entry_key", flat=True
        )
    )
    DayListing.objects.bulk_create(
        [row for key, row in rows.items() if key not in stored],
        update_conflicts=True,
        unique_fields=["date", "entry_key"],
        update_fields=["skipped_reason"],
    )


# ---------------------------------------------------------------- new papers


def _create_papers(page: _Page, entries: Sequence[DailyEntry]) -> list[Paper]:
    if not entries:
        return []
    ids = [entry.arxiv_id for entry in entries]
    DeletedPaper.objects.filter(arxiv_id__in=ids).delete()
    earliest = dict(
        DayListing.objects.filter(arxiv_id__in=ids).order_by().values_list("arxiv_id").annotate(earliest=Min("date"))
    )
    papers = Paper.objects.bulk_create([_paper_of(e, earliest[e.arxiv_id], page.now) for e in entries])
    PaperAuthor.objects.bulk_create(
        row for paper, entry in zip(papers, entries, strict=True) for row in author_rows(paper, entry.authors)
    )
    PaperTag.objects.bulk_create(
        row for paper, entry in zip(papers, entries, strict=True) for row in _tag_rows(paper, entry.keywords)
    )
    SummaryStatus.objects.bulk_create(SummaryStatus(paper=paper, status=SummaryState.PENDING) for paper in papers)
    return papers


def _paper_of(entry: DailyEntry, paper_date: dt.date, now: dt.datetime) -> Paper:
    return Paper(
        **new_paper_columns(entry.arxiv_id, paper_date, now),
        title_en=entry.title,
        abstract=entry.abstract or None,
        published_at=entry.published_at,
        upvotes=entry.upvotes or 0,
        hf_url=arxiv_ids.hf_address(entry.arxiv_id),
        code_url=entry.code_url,
        code_stars=entry.code_stars,
        project_url=entry.project_url,
        organization=entry.organization,
    )


def new_paper_columns(arxiv_id: str, paper_date: dt.date, now: dt.datetime) -> dict:
    """Return the columns that every new paper has, wherever it comes from."""
    return {
        "arxiv_id": arxiv_id,
        "paper_date": paper_date,
        "crawled_at": now,
        "arxiv_url": arxiv_ids.abstract_address(arxiv_id),
        "pdf_url": arxiv_ids.pdf_address(arxiv_id),
        "source_url": arxiv_ids.source_address(arxiv_id),
        "meta_path": f"papers/{arxiv_id}/meta.json",
    }


def author_rows(paper: Paper, names: Iterable[str]) -> list[PaperAuthor]:
    """Return a row for each name, in order; a name that occurs twice is one author here."""
    return [PaperAuthor(paper=paper, name=name, position=n) for n, name in enumerate(dict.fromkeys(names))]


def _tag_rows(paper: Paper, keywords: Iterable[str]) -> list[PaperTag]:
    unique = {fold(keyword): keyword for keyword in reversed(list(keywords))}
    return [
        PaperTag(paper=paper, tag=tag, source=TagSource.HF, folded=folded) for folded, tag in reversed(unique.items())
    ]


# ---------------------------------------------------------------- known papers


def _refresh_papers(page: _Page, entries: Sequence[DailyEntry]) -> list[int]:
    """Bring news to known papers and return the ids of those whose index row must be written again."""
    searchable = []
    for entry in entries:
        paper = page.known[entry.arxiv_id]
        changed = _news(paper, entry, page.date)
        if changed:
            Paper.objects.filter(pk=paper.pk).update(**changed, updated_at=page.now)
        if "abstract" in changed:
            searchable.append(paper.pk)
    return sorted({*searchable, *_refresh_tags(page, entries)})


def _news(paper: Paper, entry: DailyEntry, date: dt.date) -> dict[str, Any]:
    """Return the columns that the entry knows otherwise; what is known is never replaced by nothing."""
    news = {
        "upvotes": entry.upvotes,
        "code_url": entry.code_url,
        "code_stars": entry.code_stars,
        "project_url": entry.project_url,
        "organization": entry.organization,
        "abstract": paper.abstract or entry.abstract or None,
        "published_at": paper.published_at or entry.published_at,
        "paper_date": min(paper.paper_date, date),
        "hf_url": paper.hf_url or arxiv_ids.hf_address(entry.arxiv_id),
    }
    return {name: value for name, value in news.items() if value is not None and value != getattr(paper, name)}


def _refresh_tags(page: _Page, entries: Sequence[DailyEntry]) -> list[int]:
    """Add new keywords of known papers, and return the ids of the papers that got any."""
    ids = [paper.pk for paper in page.known.values()]
    known = set(PaperTag.objects.filter(paper_id__in=ids, source=TagSource.HF).values_list("paper_id", "folded"))
    rows = [
        row
        for entry in entries
        for row in _tag_rows(page.known[entry.arxiv_id], entry.keywords)
        if (row.paper_id, row.folded) not in known
    ]
    PaperTag.objects.bulk_create(rows, ignore_conflicts=True)
    touched = sorted({row.paper_id for row in rows})
    Paper.objects.filter(pk__in=touched).update(updated_at=page.now)
    return touched
