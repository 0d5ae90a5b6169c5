"""`check_data` names what is wrong with exit code 1, and `--repair` mends what can be mended, once."""

import datetime as dt
import io
import json
import os
import re
import shutil
import time

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone

from operations.checks import CHECKS
from operations.files import META_NAME, RAW_NAME, SUMMARY_NAME, paper_folder, temporary_folder
from operations.locks import take
from operations.models import CrawlLog, DayListing, DeletedPaper, LockState, RunState, Task, TaskLock
from papers.models import (
    Paper,
    PaperAuthor,
    PaperSummary,
    PaperTag,
    SummaryState,
    SummaryStatus,
    UserNote,
)
from papers.search.results import search
from tests.factories import DAY, SUMMARY, make_paper

ID = "2605.00001"
DEAD = "elsewhere:1:1@another-boot:1"


def overwrite(arxiv_id, name, text):
    (paper_folder(arxiv_id) / name).write_text(text, "utf-8")


def mends(repair, check, kind):
    """Assert that the check complains of `kind`, the repair mends it, and a second repair has nothing to do."""
    before = check()
    assert before.code == 1 and kind in before.text, before.text
    first = repair()
    assert first.code == 0, first.text
    assert check().code == 0
    assert repair().text == "All is well.\n"


def test_an_empty_library_is_in_order(check):
    assert (check().code, check().text) == (0, "All is well.\n")


@pytest.mark.parametrize("arxiv_id", [ID, "hep-th/9901001"])
def test_a_library_in_order_is_left_as_it_is(check, repair, in_order, arxiv_id):
    in_order(arxiv_id)
    assert check().text == "All is well.\n"
    assert repair().text == "All is well.\n"


@pytest.mark.parametrize(
    "sql",
    [
        "DELETE FROM papers_fts",
        "UPDATE papers_fts SET title_en = 'x'",
        "INSERT INTO papers_fts(rowid, title_en) VALUES (999, 'gone')",
    ],
    ids=["missing", "stale", "orphan"],
)
def test_index_rows_are_mended(check, repair, in_order, sql):
    in_order()
    with connection.cursor() as cursor:
        cursor.execute(sql)
    mends(repair, check, "index:")
    assert search("稀疏注意力").count == 1


@pytest.mark.parametrize(
    "text",
    ["", "{", '{"arxiv_id": "2605.00001"}', "[]", "[" * 100_000],
    ids=["empty", "truncated", "another object", "no object", "too deep"],
)
@pytest.mark.parametrize("name", [META_NAME, SUMMARY_NAME])
def test_files_that_say_something_else_are_written_anew(check, repair, in_order, name, text):
    in_order()
    overwrite(ID, name, text)
    mends(repair, check, f"{name} of {ID}")


@pytest.mark.parametrize("name", [META_NAME, SUMMARY_NAME])
def test_missing_files_are_written_anew(check, repair, in_order, name):
    in_order()
    (paper_folder(ID) / name).unlink()
    mends(repair, check, f"{name} of {ID} is missing")


def test_a_missing_raw_output_is_noted(check, repair, in_order):
    in_order()
    (paper_folder(ID) / RAW_NAME).unlink()
    mends(repair, check, f"{RAW_NAME} of {ID} is missing")
    assert Paper.objects.get().raw_output_path is None


def test_a_whole_lost_database_is_read_back_from_the_files(check, repair, in_order):
    in_order()
    in_order("hep-th/9901001", title_en="Strings", upvotes=7, categories="hep-th", version=2)
    PaperTag.objects.create(paper=Paper.objects.get(arxiv_id=ID), tag="mine", source="user")
    overwrite(ID, META_NAME, (paper_folder(ID) / META_NAME).read_text("utf-8"))
    repair()
    before = _library()
    Paper.objects.all().delete()
    DayListing.objects.all().delete()
    assert check().code == 1
    assert repair().code == 0
    assert _library() == before
    assert search("稀疏注意力").count == 2
    assert repair().text == "All is well.\n"


def _library() -> list:
    """Return all that the files can bring back."""
    return [
        (
            paper.arxiv_id,
            paper.title_en,
            paper.title_zh,
            paper.abstract,
            paper.paper_date,
            paper.published_at,
            paper.crawled_at,
            paper.upvotes,
            paper.categories,
            paper.version,
            paper.summary_quality,
            paper.summary_path,
            paper.raw_output_path,
            paper.meta_path,
            [(author.name, author.position) for author in paper.authors.all()],
            sorted((tag.tag, tag.source, tag.folded) for tag in paper.tags.all()),
            (paper.status.status, paper.status.quality, paper.status.raw_output_saved),
            json.loads(paper.summary.full_json),
            list(DayListing.objects.filter(arxiv_id=paper.arxiv_id).values_list("date", "entry_key")),
        )
        for paper in Paper.objects.order_by("arxiv_id")
    ]


def test_a_lost_paper_whose_summary_cannot_be_read_waits_for_one(check, repair, in_order):
    in_order()
    overwrite(ID, SUMMARY_NAME, '{"title_zh": ')
    Paper.objects.all().delete()
    repair()
    assert SummaryStatus.objects.get().status == SummaryState.PENDING
    assert check().code == 0


@pytest.mark.parametrize(
    "meta",
    [
        "",
        "{",
        "[]",
        '{"arxiv_id": "2605.99999", "title_en": "x", "paper_date": "2026-05-01", "crawled_at": "2026-05-01"}',
    ],
)
def test_a_folder_without_paper_and_readable_meta_needs_a_person(check, repair, in_order, meta):
    in_order()
    overwrite(ID, META_NAME, meta)
    Paper.objects.all().delete()
    DayListing.objects.all().delete()
    for run in (check, repair):
        result = run()
        assert result.code == 1
        assert f"run: add_paper {ID} (needs a person)" in result.text
    assert (paper_folder(ID) / SUMMARY_NAME).exists()


def test_a_hostile_meta_json_is_cleaned_or_refused(check, repair, in_order):
    in_order()
    meta = json.loads((paper_folder(ID) / META_NAME).read_text("utf-8"))
    meta |= {"title_en": "A\ud800 \x00title", "authors": ["A\n B", "", "A B"], "code_stars": 3}
    overwrite(ID, META_NAME, json.dumps(meta))
    Paper.objects.all().delete()
    assert repair().code == 0
    paper = Paper.objects.get()
    assert paper.title_en == "A title"
    assert [author.name for author in paper.authors.all()] == ["A B"]


def test_the_folder_of_a_deleted_paper_is_removed_and_the_paper_not_brought_back(check, repair, in_order):
    in_order()
    Paper.objects.all().delete()
    DeletedPaper.objects.create(arxiv_id=ID, paper_date=DAY, deleted_at=timezone.now())
    mends(repair, check, f"the folder of {ID}")
    assert not Paper.objects.exists()
    assert not paper_folder(ID).exists()


def test_a_paper_that_a_crawl_stored_since_the_look_is_left_to_it(repair, in_order, monkeypatch):
    paper = in_order()
    looked_at = (paper.arxiv_id, paper_folder(paper.arxiv_id))
    monkeypatch.setattr("operations.checks.lost_papers._without_paper", lambda: iter([looked_at]))
    result = repair()
    assert "again from its files" not in result.text
    assert Paper.objects.get() == paper
    assert looked_at[1].is_dir()


def test_a_lost_summary_row_is_read_back(check, repair, in_order):
    in_order()
    PaperSummary.objects.all().delete()
    mends(repair, check, "done, but has no summary")
    assert json.loads(PaperSummary.objects.get().full_json) == SUMMARY
    assert SummaryStatus.objects.get().status == SummaryState.DONE


def test_done_without_a_summary_anywhere_waits_again(check, repair, in_order):
    in_order()
    PaperSummary.objects.all().delete()
    (paper_folder(ID) / SUMMARY_NAME).unlink()
    mends(repair, check, "done, but has no summary")
    status = SummaryStatus.objects.get()
    assert (status.status, status.quality) == (SummaryState.PENDING, None)


@pytest.mark.parametrize("has_summary", [True, False])
def test_a_paper_without_a_status_row_gets_the_one_it_calls_for(check, repair, in_order, has_summary):
    in_order()
    SummaryStatus.objects.all().delete()
    if not has_summary:
        PaperSummary.objects.all().delete()
        PaperTag.objects.filter(source="ai").delete()
        Paper.objects.update(summary_quality=None)
        (paper_folder(ID) / SUMMARY_NAME).unlink()
    mends(repair, check, "has no status row")
    status = SummaryStatus.objects.get()
    assert status.status == (SummaryState.DONE if has_summary else SummaryState.PENDING)


@pytest.mark.parametrize(
    ("on_paper", "on_status"), [("low", "normal"), (None, "normal"), ("normal", None), ("low", "low")]
)
def test_two_grades_become_the_right_one(check, repair, in_order, on_paper, on_status):
    in_order()
    Paper.objects.update(summary_quality=on_paper)
    SummaryStatus.objects.update(quality=on_status)
    if on_paper == on_status:
        assert check().code == 0
        return
    mends(repair, check, "the quality of")
    assert (Paper.objects.get().summary_quality, SummaryStatus.objects.get().quality) == ("normal", "normal")


def test_a_damaged_stored_summary_is_read_back_from_its_file(check, repair, in_order):
    in_order()
    PaperSummary.objects.update(full_json="{")
    mends(repair, check, "is damaged")
    assert json.loads(PaperSummary.objects.get().full_json) == SUMMARY


def test_a_summary_damaged_in_both_places_needs_a_person(repair, in_order):
    in_order()
    PaperSummary.objects.update(full_json="{")
    overwrite(ID, SUMMARY_NAME, "{")
    result = repair()
    assert result.code == 1
    assert f"summarize --paper {ID}" in result.text


def test_what_dead_processes_hold_is_given_back(check, repair, in_order):
    in_order()
    now = timezone.now()
    log = CrawlLog.objects.create(task=Task.CRAWL, status=RunState.RUNNING, date=DAY, started_at=now, owner=DEAD)
    TaskLock.objects.create(task="crawl", lock_key="x", status=LockState.RUNNING, owner=DEAD, acquired_at=now, log=log)
    SummaryStatus.objects.update(status=SummaryState.PROCESSING, owner=DEAD, started_at=now)
    result = check()
    assert result.code == 1
    assert "locks:" in result.text and "logs:" in result.text and "statuses:" in result.text
    assert SummaryStatus.objects.get().status == SummaryState.PROCESSING, "a check changes nothing"
    assert repair().code == 0
    assert SummaryStatus.objects.get().status == SummaryState.PENDING
    assert not CrawlLog.objects.filter(status=RunState.RUNNING).exists()


def test_downloads_that_nobody_works_on_are_removed(check, repair, in_order):
    in_order()
    folder = temporary_folder(ID)
    folder.mkdir(parents=True)
    old = time.time() - 3600
    os.utime(folder, (old, old))
    mends(repair, check, "left in tmp")
    assert not folder.exists()


@pytest.mark.parametrize("name", [META_NAME, "prompt.txt", "prompt.failed.txt"])
def test_half_written_files_are_removed_once_they_are_old(check, repair, in_order, name):
    in_order()
    young, old = (paper_folder(ID) / f".{name}.{age}" for age in ("young", "old"))
    for path in (young, old):
        path.write_text("{")
    os.utime(old, (time.time() - 3600,) * 2)
    mends(repair, check, "half-written")
    assert young.exists() and not old.exists()


def test_what_was_asked_of_the_agent_is_no_trouble(check, in_order):
    in_order()
    for name in ("prompt.txt", "prompt.failed.txt", "raw_output.failed.txt"):
        (paper_folder(ID) / name).write_text("x", "utf-8")
    assert check().code == 0


@pytest.mark.django_db(transaction=True)
def test_orphan_rows_are_taken_out_and_kept_in_a_file(check, repair, in_order, unchecked, data_dir):
    paper = in_order()
    now = timezone.now()
    UserNote.objects.create(paper=paper, content="dear to somebody", created_at=now, updated_at=now)
    unchecked("DELETE FROM papers")
    mends(repair, check, "orphan rows")
    assert Paper.objects.get().arxiv_id == ID, "and the paper itself is read back"
    assert PaperAuthor.objects.count() == 2
    kept = [json.loads(line) for line in (data_dir / "orphan_rows.jsonl").read_text("utf-8").splitlines()]
    assert "dear to somebody" in [row["row"].get("content") for row in kept]


def test_a_paper_under_too_late_a_day_is_filed_under_the_first(check, repair, in_order):
    in_order()
    before = DAY - dt.timedelta(days=1)
    DayListing.objects.create(date=before, entry_key=ID, arxiv_id=ID, first_seen_at=timezone.now())
    mends(repair, check, "was listed on")
    assert Paper.objects.get().paper_date == before


def test_a_listed_paper_without_a_trace_needs_a_crawl(check, repair, in_order):
    in_order()
    DayListing.objects.create(date=DAY, entry_key="2605.00009", arxiv_id="2605.00009", first_seen_at=timezone.now())
    for run in (check, repair):
        result = run()
        assert result.code == 1
        assert f"run: crawl --date {DAY} (needs a person)" in result.text


def test_two_repairs_do_not_run_at_once(repair, in_order):
    in_order()
    take(Task.CLEANUP, "check_data")
    assert repair().code == 3


def test_a_repair_that_is_cut_short_is_finished_by_the_next(check, repair, in_order):
    for number in range(3):
        in_order(f"2605.0000{number}")
    Paper.objects.all().delete()
    steps = CHECKS["lost papers"].repair()
    next(steps)
    steps.close()
    assert 0 < Paper.objects.count() < 3
    assert repair().code == 0
    assert Paper.objects.count() == 3


def test_each_repair_leaves_a_log(repair, in_order):
    in_order()
    shutil.rmtree(paper_folder(ID))
    repair()
    log = CrawlLog.objects.get(task=Task.CLEANUP)
    assert log.status == RunState.SUCCESS
    assert "repairs" in log.detail


def test_many_papers_are_checked_by_few_queries(in_order, check, django_assert_max_num_queries):
    for number in range(60):
        make_paper(arxiv_id=f"2605.1{number:04}")
    assert check().code == 1  # no meta.json
    with django_assert_max_num_queries(49):
        check()


def test_a_file_where_a_folder_belongs_ends_the_repair_and_is_named(repair, in_order):
    folder = paper_folder(in_order().arxiv_id)
    shutil.rmtree(folder)
    folder.write_text("not a folder")
    with pytest.raises(CommandError, match=re.escape(str(folder))) as ended:
        call_command("check_data", "--repair", stdout=io.StringIO(), stderr=io.StringIO())
    assert ended.value.returncode == 1
