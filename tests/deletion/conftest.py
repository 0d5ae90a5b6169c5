"""Papers with everything a paper can have, and deletions of them."""

import datetime as dt

import pytest
from django.utils import timezone

from operations import owners
from operations.deletion.jobs import start_job
from operations.files import (
    RAW_NAME,
    SUMMARY_NAME,
    json_text,
    paper_folder,
    relative,
    temporary_folder,
    write_atomically,
)
from operations.meta_files import write_meta_files
from operations.models import TaskLock
from papers.models import Paper, SummaryStatus, UserBookmark, UserNote, UserReadingStatus
from tests.factories import DAY, SUMMARY, make_paper, make_summary
from tests.other_owners import that_died

NEXT = DAY + dt.timedelta(days=1)


@pytest.fixture
def full_paper(data_dir, db):
    """Store a paper with summary, files, downloads; with `note`, `bookmark` and `reading` those too."""

    def make(*private: str, **columns) -> Paper:
        paper = make_paper(tags=["agents"], **columns)
        make_summary(paper)
        write_meta_files([paper.arxiv_id])
        for name, column in ((SUMMARY_NAME, "summary_path"), (RAW_NAME, "raw_output_path")):
            path = paper_folder(paper.arxiv_id) / name
            write_atomically(path, json_text(SUMMARY), durable=False)
            Paper.objects.filter(pk=paper.pk).update(**{column: relative(path)})
        write_atomically(temporary_folder(paper.arxiv_id) / "source" / "main.tex", "tex", durable=False)
        now = timezone.now()
        if "note" in private:
            UserNote.objects.create(paper=paper, content="mine", created_at=now, updated_at=now)
        if "bookmark" in private:
            UserBookmark.objects.create(paper=paper, created_at=now)
        if "reading" in private:
            UserReadingStatus.objects.create(paper=paper, status="skimmed", updated_at=now)
        return paper

    return make


@pytest.fixture
def started(data_dir, db):
    """Start a deletion of DAY, or of other days."""
    return lambda first=DAY, last=DAY, **more: start_job(first, last, **{"include_notes": True, "by": "ada"} | more)


@pytest.fixture
def dead() -> str:
    """An owner that is provably dead."""
    return that_died()


@pytest.fixture
def in_work(db):
    """Let someone summarise a paper: by its claim, or by its lock alone, as at the very end."""

    def put(paper: Paper, owner: str | None = None, *, by: str = "claim") -> None:
        owner, now = owner or owners.current_owner(), timezone.now()
        if by == "claim":
            later = now + dt.timedelta(hours=1)
            columns = {"status": "processing", "owner": owner, "started_at": now, "lease_until": later}
            SummaryStatus.objects.filter(paper=paper).update(**columns)
        else:
            columns = {"task": "summarize", "lock_key": paper.arxiv_id, "status": "running"}
            TaskLock.objects.create(owner=owner, acquired_at=now, **columns)

    return put
