"""The crawl of a day against the recorded sources."""

import datetime as dt
import json

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone
from django_q.models import OrmQ

from operations import owners, tasks
from operations.crawl import CrawlFailed, crawl_day
from operations.files import paper_folder
from operations.locks import LockHeld
from operations.models import CrawlLog, DayListing, DeletedPaper, TaskLock
from papers.models import Paper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("replayed_sources", "data_dir")]

DAY = dt.date(2026, 8, 21)
BEFORE = dt.date(2026, 8, 20)
SATURDAY = dt.date(2026, 8, 15)


@pytest.fixture(autouse=True)
def _world_of_that_day(replay, settings):
    replay.start("--today", DAY.isoformat())
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=replay.addresses)


def last_log() -> CrawlLog:
    return CrawlLog.objects.order_by("-id").first()


def test_a_day_goes_in_whole_with_arxivs_facts_and_its_files():
    result = crawl_day(DAY)
    assert (result.found, result.new) == (17, 17)
    papers = Paper.objects.filter(paper_date=DAY)
    assert papers.count() == DayListing.objects.filter(date=DAY).count() == 17
    assert not papers.filter(version=None).exists()
    assert not papers.filter(categories="").exists()
    paper = papers.get(arxiv_id="2608.19880")
    meta = json.loads((paper_folder(paper.arxiv_id) / "meta.json").read_text("utf-8"))
    assert meta["title_en"] == paper.title_en
    assert (meta["version"], meta["listed_on"], meta["authors"][0]) == (1, ["2026-08-21"], "Chengsong Huang")
    assert (last_log().status, last_log().papers_found, last_log().papers_new) == ("success", 17, 17)
    assert TaskLock.objects.get().status == "finished"


def test_a_second_crawl_refreshes_and_adds_nothing(replay):
    crawl_day(DAY)
    replay.world({"upvotes": {"2608.19880": 999}})
    result = crawl_day(DAY)
    assert (result.found, result.new) == (17, 0)
    assert Paper.objects.get(arxiv_id="2608.19880").upvotes == 999


def test_a_day_that_grows_is_completed_by_the_next_crawl(replay):
    replay.world({"first": {DAY.isoformat(): 1}})
    assert crawl_day(DAY).new == 1
    replay.world({"first": {DAY.isoformat(): 100}})
    assert crawl_day(DAY).new == 16


def test_a_day_of_several_pages_is_read_to_the_first_empty_one(replay, settings):
    replay.start("--today", DAY.isoformat(), "--most", "5")
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=replay.addresses)
    assert crawl_day(DAY).new == 17


def test_an_empty_day_is_no_failure():
    assert crawl_day(SATURDAY).found == 0
    assert last_log().status == "success"


def test_a_future_day_says_so():
    with pytest.raises(CrawlFailed, match="refuses 2026-08-22"):
        crawl_day(dt.date(2026, 8, 22))
    assert last_log().status == "failed"
    assert "refuses" in last_log().error


def test_what_was_stored_before_the_source_failed_stays(replay, settings):
    replay.start("--today", DAY.isoformat(), "--most", "5")
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=replay.addresses)
    replay.faults([{"match": "p=2", "status": 500}])
    with pytest.raises(CrawlFailed):
        crawl_day(DAY)
    assert Paper.objects.count() == 10
    assert (last_log().status, last_log().papers_new) == ("failed", 10)
    assert all((paper_folder(p.arxiv_id) / "meta.json").is_file() for p in Paper.objects.all())
    assert TaskLock.objects.get().status == "failed"


@pytest.mark.parametrize(
    "fault",
    [{"status": 429, "headers": {"Retry-After": "0"}}, {"status": 500}, {"cut": 100}, {"body": "<html>busy</html>"}],
    ids=["429", "500", "cut", "html"],
)
def test_a_passing_fault_is_sat_out(replay, fault):
    replay.faults([{"match": "/hf/", "times": 2, **fault}])
    assert crawl_day(DAY).new == 17


@pytest.mark.parametrize(
    "fault", [{"status": 503}, {"body": "Rate exceeded."}, {"cut": 50}], ids=["503", "text", "cut"]
)
def test_arxiv_being_down_does_not_stop_the_crawl(replay, fault):
    replay.faults([{"match": "/arxiv/api", **fault}])
    assert crawl_day(DAY).new == 17
    assert last_log().status == "success"
    assert "arXiv's facts are missing" in last_log().detail
    replay.clear()
    crawl_day(DAY)
    assert not Paper.objects.filter(version=None).exists()


def test_a_newer_version_and_a_withdrawal_are_noticed(replay):
    crawl_day(DAY)
    Paper.objects.update(arxiv_checked_at=timezone.now() - dt.timedelta(days=1))
    replay.world({"versions": {"2608.19880": 2}, "withdrawn": ["2608.18027"]})
    crawl_day(DAY)
    assert Paper.objects.get(arxiv_id="2608.19880").version == 2
    withdrawn = Paper.objects.get(arxiv_id="2608.18027")
    assert withdrawn.is_withdrawn
    assert "withdrawn" in withdrawn.arxiv_comment


def test_a_day_held_by_someone_alive_is_left_to_them():
    TaskLock.objects.create(
        task="crawl",
        lock_key=DAY.isoformat(),
        status="running",
        owner=owners.current_owner(),
        acquired_at=timezone.now(),
    )
    with pytest.raises(LockHeld):
        crawl_day(DAY)
    assert not CrawlLog.objects.exists()


def test_the_command_goes_on_with_the_other_days_of_a_range_and_ends_with_the_code_of_the_worst(capsys):
    TaskLock.objects.create(
        task="crawl",
        lock_key=DAY.isoformat(),
        status="running",
        owner=owners.current_owner(),
        acquired_at=timezone.now(),
    )
    with pytest.raises(CommandError) as caught:
        call_command("crawl", "--from", "2026-08-20", "--to", "2026-08-21")
    assert caught.value.returncode == 3
    assert Paper.objects.filter(paper_date=BEFORE).count() == 15
    with pytest.raises(CommandError) as caught:
        call_command("crawl", "--from", "2026-08-20", "--to", "2026-08-22")
    assert caught.value.returncode == 1


def _first_disk_full(monkeypatch):
    """Let the files of the first day meet a full disk."""
    calls = iter([OSError(28, "No space left on device")])

    def write(_ids):
        if error := next(calls, None):
            raise error

    monkeypatch.setattr("operations.crawl.write_meta_files", write)


def test_a_day_that_meets_a_full_disk_costs_the_other_days_nothing(monkeypatch, capsys):
    _first_disk_full(monkeypatch)
    with pytest.raises(CommandError, match="1 of 2 days failed") as caught:
        call_command("crawl", "--from", "2026-08-20", "--to", "2026-08-21")
    assert caught.value.returncode == 1
    assert "No space left" in capsys.readouterr().err
    assert list(CrawlLog.objects.order_by("date").values_list("status", flat=True)) == ["failed", "success"]


def test_days_asked_for_by_hand_go_one_request_at_a_time(monkeypatch):
    _first_disk_full(monkeypatch)
    job = tasks.request_crawl(BEFORE, DAY)
    [first] = _requests("crawl_by_hand")
    assert first["args"] == (job.pk,)
    OrmQ.objects.all().delete()
    assert tasks.crawl_by_hand(job.pk) == "2026-08-20: failed"
    assert [request["args"] for request in _requests("crawl_by_hand")] == [(job.pk,)]
    assert CrawlLog.objects.get(task="crawl").date == BEFORE


def _requests(task: str) -> list[dict]:
    return [queued.task for queued in OrmQ.objects.all() if queued.task["func"] == f"operations.tasks.{task}"]


@pytest.mark.parametrize(
    "arguments",
    [
        ["--from", "2026-08-20"],
        ["--to", "2026-08-20"],
        ["--from", "2026-08-21", "--to", "2026-08-20"],
        ["--date", "2026-08-21", "--from", "2026-08-20", "--to", "2026-08-21"],
    ],
)
def test_dates_that_do_not_go_together_are_wrong_use(arguments):
    with pytest.raises(CommandError) as caught:
        call_command("crawl", *arguments)
    assert caught.value.returncode == 2


@pytest.mark.parametrize("date", ["yesterday", "2026-02-30", "20260821", "2026-W34-5", ""])
def test_a_bad_date_is_wrong_use(date):
    with pytest.raises(CommandError, match="date"):
        call_command("crawl", "--date", date)


def test_the_daily_crawl_takes_today_first_and_asks_for_each_other_day_by_itself(monkeypatch):
    monkeypatch.setattr(tasks, "utc_today", lambda: DAY)
    monkeypatch.setattr(tasks, "days_to_refresh", lambda today: [BEFORE, SATURDAY])
    assert tasks.daily_crawl() == "2026-08-21: 17 found, 17 new"
    [queued] = _requests("crawl_again")
    assert queued["args"] == (BEFORE.isoformat(), SATURDAY.isoformat())
    assert tasks.crawl_again(*queued["args"]) == "2026-08-20: 15 found, 15 new"
    assert OrmQ.objects.order_by("-id")[0].task["args"] == (SATURDAY.isoformat(),)


def test_where_no_day_grows_nothing_is_asked_for(monkeypatch):
    monkeypatch.setattr(tasks, "growing_days", lambda today: [])
    assert tasks.growing_crawl() == "nothing to do"


def test_a_refresh_leaves_out_what_was_deleted():
    DeletedPaper.objects.create(arxiv_id="2608.19880", paper_date=DAY, deleted_at=timezone.now())
    tasks.crawl_again(DAY.isoformat())
    assert not Paper.objects.filter(arxiv_id="2608.19880").exists()


def test_a_crawl_by_hand_brings_back_what_was_deleted():
    DeletedPaper.objects.create(arxiv_id="2608.19880", paper_date=DAY, deleted_at=timezone.now())
    assert crawl_day(DAY).left_deleted == 1
    call_command("crawl", "--date", DAY.isoformat())
    assert Paper.objects.filter(arxiv_id="2608.19880").exists()


@pytest.mark.parametrize("arxiv_id", ["hep-th/9901001", "math.GT/0309136", "0704.0156", "2608.19880"])
def test_a_paper_of_any_kind_is_added_by_its_id(arxiv_id):
    call_command("add_paper", f"{arxiv_id}v1")
    paper = Paper.objects.get(arxiv_id=arxiv_id)
    assert paper.paper_date == timezone.now().astimezone(dt.UTC).date()
    assert paper.status.status == "pending"
    assert paper.authors.exists()
    assert (paper_folder(arxiv_id) / "meta.json").is_file()


def test_an_added_paper_that_is_known_keeps_its_day():
    crawl_day(DAY)
    call_command("add_paper", "2608.19880")
    assert Paper.objects.get(arxiv_id="2608.19880").paper_date == DAY


def test_an_unknown_id_fails_and_costs_the_others_nothing():
    with pytest.raises(CommandError, match=r"unknown to arXiv: 9912\.99999") as caught:
        call_command("add_paper", "9912.99999", "2608.19880")
    assert caught.value.returncode == 1
    assert Paper.objects.count() == 1


def test_a_text_that_is_no_id_is_wrong_use():
    with pytest.raises(CommandError, match="not an arXiv id") as caught:
        call_command("add_paper", "../../etc/passwd")
    assert caught.value.returncode == 2
