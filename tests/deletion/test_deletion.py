"""What a deletion takes, what it keeps, and what it leaves behind."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from operations.deletion import batches
from operations.deletion.counting import count_deletion
from operations.deletion.run import delete_now, run_job
from operations.deletion.selection import RangeReversed
from operations.files import paper_folder
from operations.models import CrawlLog, DataDeleteJob, DeletedPaper, TaskLock
from papers.models import Paper, SummaryStatus, UserBookmark, UserNote, UserReadingStatus
from tests.deletion.conftest import NEXT
from tests.deletion.whole import contents, files_under, problems, traces
from tests.factories import DAY, make_paper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def delete(first=DAY, last=DAY, **more) -> DataDeleteJob:
    return delete_now(first, last, **{"include_notes": True, "by": "ada"} | more)


def test_papers_of_the_days_go_with_all_that_belongs_to_them(full_paper, data_dir):
    papers = [full_paper("note", "bookmark", "reading") for _ in range(3)]
    papers.append(full_paper(arxiv_id="hep-th/9901001", paper_date=NEXT))
    job = delete(DAY, NEXT)
    assert (job.status, job.paper_count, job.total, job.kept, job.error) == ("success", 4, 4, 0, None)
    assert traces({paper.arxiv_id for paper in papers}, data_dir) == []
    assert problems() == []
    assert not Paper.objects.exists() and not SummaryStatus.objects.exists()
    assert not (data_dir / "papers/hep-th").exists() and not (data_dir / "tmp/hep-th").exists()


def test_other_days_are_left_as_they_are_byte_for_byte(full_paper, data_dir):
    full_paper()
    kept = [full_paper("note", paper_date=NEXT), full_paper(paper_date=DAY - dt.timedelta(days=1))]
    ids = {paper.arxiv_id for paper in kept}
    before = contents(ids), {i: files_under(paper_folder(i)) for i in ids}
    delete()
    assert (contents(ids), {i: files_under(paper_folder(i)) for i in ids}) == before


def test_it_is_remembered_which_papers_were_deleted(full_paper):
    paper = full_paper()
    delete()
    tombstone = DeletedPaper.objects.get()
    assert (tombstone.arxiv_id, tombstone.paper_date) == (paper.arxiv_id, DAY)
    assert tombstone.deleted_at.tzinfo is not None


def test_the_job_and_its_log_tell_who_what_and_when(full_paper):
    full_paper()
    job = delete(DAY, DAY)
    assert (job.requested_by, job.include_notes) == ("ada", True)
    assert job.started_at <= job.completed_at
    assert (job.log.task, job.log.status, job.log.date) == ("delete", "success", DAY)
    assert job.log.detail == f"papers filed under {DAY} to {DAY}: 1 deleted, 0 kept"
    lock = TaskLock.objects.get(task="delete")
    assert (lock.lock_key, lock.status, lock.log) == ("all", "finished", job.log)


def test_papers_that_carry_a_note_or_a_bookmark_can_be_kept(full_paper, data_dir):
    noted, marked, read, plain = full_paper("note"), full_paper("bookmark"), full_paper("reading"), full_paper()
    job = delete(include_notes=False)
    assert set(Paper.objects.all()) == {noted, marked}
    assert (job.total, job.paper_count, job.kept) == (2, 2, 2)
    assert UserNote.objects.count() == UserBookmark.objects.count() == 1
    assert not UserReadingStatus.objects.exists()
    assert traces({read.arxiv_id, plain.arxiv_id}, data_dir) == []


def test_an_empty_range_is_a_deletion_of_nothing(db):
    assert (delete().status, DataDeleteJob.objects.get().paper_count) == ("success", 0)


def test_a_range_that_ends_before_it_begins_is_refused():
    with pytest.raises(RangeReversed):
        delete(NEXT, DAY)
    with pytest.raises(RangeReversed):
        count_deletion(NEXT, DAY, include_notes=True)
    assert not DataDeleteJob.objects.exists()


@pytest.mark.parametrize("odd", ["../{other}", "{other}v2", "", "x/../{other}", ".", "meta.json"])
def test_an_id_that_is_none_leads_to_no_folder(full_paper, data_dir, odd):
    other = full_paper(paper_date=NEXT)
    arxiv_id = odd.format(other=other.arxiv_id)
    Paper.objects.filter(pk=make_paper().pk).update(arxiv_id=arxiv_id)
    before = files_under(data_dir)
    assert count_deletion(DAY, DAY, include_notes=True).files == 0
    assert (delete().status, delete().status) == ("success", "success")
    assert Paper.objects.get() == other
    assert {name: text for name, text in files_under(data_dir).items() if "sqlite" not in name} == before


def test_many_papers_go_in_batches_and_progress_is_told(full_paper, monkeypatch):
    monkeypatch.setattr(batches, "BATCH", 2)
    for _ in range(5):
        full_paper()
    told = []
    delete(progress=told.append)
    assert told == [2, 2, 1]


def test_a_job_that_is_over_is_not_run_again(full_paper, started):
    job = started()
    assert run_job(job.pk).status == "success"
    full_paper()
    assert run_job(job.pk).paper_count == 0
    assert Paper.objects.count() == 1


def test_a_batch_asks_as_much_of_the_database_for_many_papers_as_for_few(full_paper):
    def questions(papers: int) -> int:
        for _ in range(papers):
            full_paper()
        with CaptureQueriesContext(connection) as queries:
            delete()
        # Tombstones go in one by one, by one prepared statement.
        return len([query for query in queries if "INSERT INTO deleted_papers" not in query["sql"]])

    assert questions(2) == questions(40)


# ---------------------------------------------------------------- counted before


def test_what_would_be_deleted_is_counted(full_paper, in_work):
    full_paper("note", "bookmark", "reading")
    busy = full_paper("reading")
    full_paper("note", paper_date=NEXT)
    in_work(busy)
    count = count_deletion(DAY, DAY, include_notes=True)
    assert (count.papers, count.kept, count.notes, count.bookmarks, count.reading_statuses) == (2, 0, 1, 1, 2)
    assert (count.files, count.busy) == (8, 1)
    folders = [paper_folder(paper.arxiv_id) for paper in Paper.objects.filter(paper_date=DAY)]
    kept_bytes = sum(len(content) for folder in folders for content in files_under(folder).values())
    assert count.bytes == kept_bytes + 2 * len("tex")
    assert Paper.objects.count() == 3 and not DataDeleteJob.objects.exists()


def test_what_would_be_kept_is_counted_apart(full_paper):
    full_paper("note", "reading")
    full_paper("reading")
    count = count_deletion(DAY, DAY, include_notes=False)
    assert (count.papers, count.kept, count.notes, count.bookmarks, count.reading_statuses) == (1, 1, 0, 0, 1)
    assert count.files == 4


def test_the_count_asks_the_same_few_questions_however_many_papers_there_are(full_paper, django_assert_max_num_queries):
    for _ in range(20):
        full_paper()
    with django_assert_max_num_queries(8):
        count_deletion(DAY, DAY, include_notes=False)


def test_no_log_of_a_deletion_names_a_paper(full_paper):
    paper = full_paper("note")
    delete(include_notes=False)
    delete()
    texts = [f"{log.error} {log.detail}" for log in CrawlLog.objects.all()]
    assert not any(paper.arxiv_id in text for text in texts)
