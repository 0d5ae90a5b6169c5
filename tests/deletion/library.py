"""A library of thousands of papers with all that belongs to them, and what is left of it.

Run in a process of its own, on the DATA_DIR of its environment: `python -m tests.deletion.library build 6500 500`,
`… fingerprint`, `… verify`; each prints JSON.
"""

import datetime as dt
import hashlib
import json
import os
import sys
from pathlib import Path

FIRST, LAST, OUTSIDE = dt.date(2026, 6, 1), dt.date(2026, 6, 26), dt.date(2026, 7, 1)
CHUNK = 500


def build(inside: int, outside: int) -> dict:
    """Store `inside` papers in the range and `outside` beyond it; every third carries something of the owner's."""
    from papers.search.index import rebuild

    total = inside + outside
    for start in range(0, total, CHUNK):
        _store(range(start, min(start + CHUNK, total)), inside)
    rebuild()
    return {"papers": total}


def _store(numbers: range, inside: int) -> None:
    from django.db import transaction
    from django.utils import timezone

    from operations.meta_files import write_meta_files
    from operations.models import DayListing
    from papers.models import Paper, PaperAuthor, PaperTag, SummaryStatus, UserBookmark, UserNote, UserReadingStatus
    from tests.factories import SUMMARY

    now = timezone.now()
    with transaction.atomic():
        papers = Paper.objects.bulk_create([_paper(number, inside, now) for number in numbers])
        PaperAuthor.objects.bulk_create(
            PaperAuthor(paper=paper, name=f"Author {n} of {paper.pk}", position=n) for paper in papers for n in range(6)
        )
        PaperTag.objects.bulk_create(
            PaperTag(paper=paper, tag=f"topic {(paper.pk + n * 97) % 900}", folded=f"topic{(paper.pk + n * 97) % 900}")
            for paper in papers
            for n in range(15)
        )
        _summaries(papers, now)
        SummaryStatus.objects.bulk_create(
            SummaryStatus(paper=paper, status="done", quality="normal", raw_output_saved=True) for paper in papers
        )
        DayListing.objects.bulk_create(
            DayListing(date=paper.paper_date, entry_key=paper.arxiv_id, arxiv_id=paper.arxiv_id, first_seen_at=now)
            for paper in papers
        )
        some = papers[::3]
        UserNote.objects.bulk_create(UserNote(paper=p, content="好", created_at=now, updated_at=now) for p in some)
        UserBookmark.objects.bulk_create(UserBookmark(paper=paper, created_at=now) for paper in some)
        UserReadingStatus.objects.bulk_create(
            UserReadingStatus(paper=paper, status="skimmed", updated_at=now) for paper in some
        )
    write_meta_files([paper.arxiv_id for paper in papers])
    for paper in papers:
        _folder(paper.arxiv_id).joinpath("summary.json").write_text(json.dumps(SUMMARY, ensure_ascii=False), "utf-8")
        _folder(paper.arxiv_id).joinpath("raw_output.txt").write_text("raw" * 1000)


def _paper(number: int, inside: int, now: dt.datetime):
    from papers.models import Paper

    arxiv_id = f"hep-th/{number:07d}" if number % 20 == 0 else f"2606.{number:05d}"
    date = FIRST + dt.timedelta(days=number % ((LAST - FIRST).days + 1)) if number < inside else OUTSIDE
    return Paper(
        arxiv_id=arxiv_id,
        title_en=f"Sparse Attention for Long Contexts, Part {number}",
        title_zh="面向长上下文推理的稀疏注意力",
        abstract="We study attention that reads only the blocks that matter. " * 10,
        paper_date=date,
        crawled_at=now,
        summary_quality="normal",
        meta_path=f"papers/{arxiv_id}/meta.json",
        summary_path=f"papers/{arxiv_id}/summary.json",
        raw_output_path=f"papers/{arxiv_id}/raw_output.txt",
    )


def _summaries(papers: list, now: dt.datetime) -> None:
    from papers.models import PaperSummary
    from papers.summary.schema import SummarySchema
    from papers.summary.storage import _columns
    from tests.factories import SUMMARY

    columns = _columns(SummarySchema.model_validate(SUMMARY))
    full = json.dumps(SUMMARY, ensure_ascii=False)
    PaperSummary.objects.bulk_create(
        PaperSummary(paper=paper, full_json=full, updated_at=now, **columns) for paper in papers
    )


def _folder(arxiv_id: str) -> Path:
    from operations.files import paper_folder

    return paper_folder(arxiv_id)


def fingerprint() -> dict:
    """Return a digest of every row and file of the papers beyond the range."""
    from papers.models import Paper
    from tests.deletion.whole import contents, files_under

    ids = set(Paper.objects.filter(paper_date=OUTSIDE).values_list("arxiv_id", flat=True))
    files = {arxiv_id: files_under(_folder(arxiv_id)) for arxiv_id in sorted(ids)}
    whole = repr((sorted(ids), contents(ids), files)).encode()
    return {"papers": len(ids), "files": sum(map(len, files.values())), "digest": hashlib.sha256(whole).hexdigest()}


def verify() -> dict:
    """Return every trace of the papers that are remembered as deleted, and what `check_data` finds."""
    from django.conf import settings

    from operations.models import DeletedPaper
    from papers.models import Paper
    from tests.deletion.whole import problems, traces

    deleted = set(DeletedPaper.objects.values_list("arxiv_id", flat=True))
    return {
        "deleted": len(deleted),
        "stored": Paper.objects.count(),
        "traces": traces(deleted, settings.PAPERSITE.data_dir)[:20],
        "problems": problems()[:20],
    }


def main() -> None:
    """Do what the command line names."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "papersite.settings"
    import django

    django.setup()
    name, *numbers = sys.argv[1:]
    print(json.dumps({"build": build, "fingerprint": fingerprint, "verify": verify}[name](*map(int, numbers))))


if __name__ == "__main__":
    main()
