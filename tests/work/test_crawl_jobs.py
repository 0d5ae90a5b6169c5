"""Crawls that someone asked for: a day at a time, stopped cleanly, and never lost with a worker."""

import datetime as dt
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from django.utils import timezone

from operations import crawl_jobs, maintenance, tasks
from operations.crawl import CrawlFailed, CrawlResult
from operations.crawl_jobs import (
    DEATHS,
    LOCK_ATTEMPTS,
    finish_abandoned,
    next_job,
    run_next_day,
    start_crawl,
    stop_crawl,
)
from operations.crawl_plan import BadDates, DateProblem
from operations.files import META_NAME, paper_folder
from operations.locks import hold
from operations.logs import OWNER_DIED, STOPPED, finish_log, start_log, take_log
from operations.maintenance import MaintenanceOn
from operations.models import CrawlJob, CrawlJobDay, CrawlLog, DayState, RunState, Task, TaskLock
from operations.owners import current_owner
from operations.stopping import WorkStopped, ask_workers_to_stop, let_workers_work
from operations.sweep import sweep
from papers.models import Paper
from tests.other_owners import that_died

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]

FRIDAY = dt.date(2026, 8, 21)
DAYS = [dt.date(2026, 8, 18), dt.date(2026, 8, 19), dt.date(2026, 8, 20)]


@pytest.fixture
def crawled(monkeypatch) -> list[dt.date]:
    """Crawls that need no source: each finds 3 papers, 1 of them new; returns the days that were crawled."""
    days: list[dt.date] = []

    def crawl(date, *, by_hand, log_id, progress, began):
        assert by_hand
        with hold(Task.CRAWL, date.isoformat()):
            log = take_log(log_id) or start_log(Task.CRAWL, date)
            began(log)
            progress()
            days.append(date)
            finish_log(log, RunState.SUCCESS, found=3, new=1)
        return CrawlResult(date, found=3, new=1)

    monkeypatch.setattr(crawl_jobs, "crawl_day", crawl)
    return days


@pytest.fixture
def failing(monkeypatch):
    """Returns a function that lets every crawl end by an error, raised in the middle of its day."""

    def make(error: BaseException) -> None:
        def crawl(date, *, by_hand, log_id, progress, began):
            began(start_log(Task.CRAWL, date))
            raise error

        monkeypatch.setattr(crawl_jobs, "crawl_day", crawl)

    return make


def states(job: CrawlJob) -> list[str]:
    return list(job.days.values_list("state", flat=True))


def test_a_job_crawls_its_days_one_by_one_in_the_order_asked_for(crawled):
    job = start_crawl([*reversed(DAYS), DAYS[0]], by="alice")
    assert (job.requested_by, states(job)) == ("alice", ["waiting"] * 3)
    day = run_next_day(job.pk)
    assert (day.date, day.state, day.papers_found, day.papers_new) == (DAYS[2], "success", 3, 1)
    assert day.log.date == DAYS[2] and day.owner is None
    run_next_day(job.pk)
    job.refresh_from_db()
    assert job.status == RunState.RUNNING
    run_next_day(job.pk)
    job.refresh_from_db()
    assert (job.status, job.error) == (RunState.SUCCESS, None) and job.completed_at
    assert crawled == [*reversed(DAYS)]
    assert run_next_day(job.pk) is None


@pytest.mark.parametrize(
    ("dates", "problem"),
    [
        ([], DateProblem.NONE),
        ([dt.date(2100, 1, 1)], DateProblem.FUTURE),
        ([FRIDAY, dt.date(2020, 1, 1)], DateProblem.TOO_EARLY),
    ],
    ids=["none", "future", "before the first"],
)
def test_days_that_cannot_be_crawled_make_no_job(dates, problem):
    with pytest.raises(BadDates) as caught:
        start_crawl(dates, by=None)
    assert caught.value.problem == problem
    assert not CrawlJob.objects.exists()


@pytest.mark.parametrize("error", [CrawlFailed("HTTP 503"), OSError("No space left")], ids=["source", "disk"])
def test_a_day_that_fails_is_told_and_costs_the_others_nothing(crawled, failing, monkeypatch, error):
    job = start_crawl(DAYS, by=None)
    run_next_day(job.pk)
    good = crawl_jobs.crawl_day
    failing(error)
    day = run_next_day(job.pk)
    assert day.state == DayState.FAILED and str(error) in day.error and day.log is not None
    monkeypatch.setattr(crawl_jobs, "crawl_day", good)
    run_next_day(job.pk)
    job.refresh_from_db()
    assert (job.status, job.error) == (RunState.FAILED, "1 of 3 days failed")


def test_one_day_is_crawled_at_a_time_and_jobs_take_turns(crawled):
    first, second = start_crawl(DAYS, by=None), start_crawl([FRIDAY, DAYS[0]], by=None)
    order = []
    while (job_id := next_job()) is not None:
        order.append(job_id)
        run_next_day(job_id)
    assert order == [first.pk, second.pk, first.pk, second.pk, first.pk]


def test_while_a_day_is_in_work_no_other_is_begun(crawled):
    first, second = start_crawl(DAYS, by=None), start_crawl([FRIDAY], by=None)
    first.days.filter(date=DAYS[0]).update(
        state=DayState.RUNNING, owner=current_owner(), started_at=timezone.now(), attempts=1
    )
    assert run_next_day(first.pk) is None and run_next_day(second.pk) is None
    assert next_job(held_too=True) is None
    assert crawled == []


def test_a_day_crawled_elsewhere_is_tried_again_after_the_others(crawled):
    job = start_crawl(DAYS[:2], by=None)
    with hold(Task.CRAWL, DAYS[0].isoformat()):
        day = run_next_day(job.pk)
        assert day.state == DayState.WAITING and "is being run by" in day.error
        assert run_next_day(job.pk).date == DAYS[1]
        assert next_job() is None, "only the minute's tick tries it again"
    assert next_job(held_too=True) == job.pk
    assert run_next_day(job.pk).state == DayState.SUCCESS
    job.refresh_from_db()
    assert job.status == RunState.SUCCESS


def test_a_day_crawled_elsewhere_all_the_time_is_skipped_with_the_reason(crawled):
    job = start_crawl(DAYS[:1], by=None)
    job.days.update(attempts=LOCK_ATTEMPTS - 1)
    with hold(Task.CRAWL, DAYS[0].isoformat()):
        day = run_next_day(job.pk)
    assert day.state == DayState.SKIPPED and "is being run by" in day.error
    job.refresh_from_db()
    assert (job.status, job.error) == (RunState.FAILED, "1 of 1 days failed")


def test_a_job_stopped_between_two_days_ends_at_once(crawled):
    job = start_crawl(DAYS, by=None)
    run_next_day(job.pk)
    assert stop_crawl(job.pk, by="bob")
    job.refresh_from_db()
    assert (job.status, job.error) == (RunState.FAILED, "stopped at 1 of 3 days")
    assert states(job) == ["success", "skipped", "skipped"]
    assert set(job.days.filter(state="skipped").values_list("error", flat=True)) == {"stopped by bob"}
    assert not stop_crawl(job.pk, by="bob")
    assert run_next_day(job.pk) is None


def test_a_job_that_is_not_there_cannot_be_stopped():
    with pytest.raises(CrawlJob.DoesNotExist):
        stop_crawl(1, by=None)


def test_during_maintenance_nothing_is_begun(crawled):
    job = start_crawl(DAYS, by=None)
    maintenance.switch_on("", by=None)
    with pytest.raises(MaintenanceOn):
        run_next_day(job.pk)
    assert states(job) == ["waiting"] * 3


def test_a_day_given_up_since_the_site_stops_waits_as_if_it_had_not_been_begun(crawled, monkeypatch):
    job = start_crawl(DAYS, by=None)
    good = crawl_jobs.crawl_day

    def stopping(date, *, progress, **more):
        ask_workers_to_stop()
        return good(date, progress=progress, **more)

    monkeypatch.setattr(crawl_jobs, "crawl_day", stopping)
    with pytest.raises(WorkStopped):
        run_next_day(job.pk)
    day = job.days.first()
    assert (day.state, day.attempts, day.error, day.owner) == ("waiting", 0, None, None)
    let_workers_work()
    assert next_job() == job.pk


@pytest.mark.parametrize("attempts", [1, DEATHS], ids=["once", "too often"])
def test_a_day_whose_owner_died_waits_again_unless_that_happened_too_often(attempts):
    job = start_crawl(DAYS[:1], by=None)
    job.days.update(state=DayState.RUNNING, owner=that_died(), started_at=timezone.now(), attempts=attempts)
    assert sweep().days == 1
    day, _ = job.days.get(), job.refresh_from_db()
    expected = ("waiting", "running") if attempts == 1 else ("failed", "failed")
    assert (day.state, job.status) == expected and day.error == OWNER_DIED


def test_a_day_whose_owner_died_while_its_job_was_being_stopped_ends_the_job():
    job = start_crawl(DAYS[:2], by=None)
    job.days.filter(date=DAYS[0]).update(
        state=DayState.RUNNING, owner=that_died(), started_at=timezone.now(), attempts=1
    )
    stop_crawl(job.pk, by="bob")
    job.refresh_from_db()
    assert job.status == RunState.RUNNING
    finish_abandoned()
    job.refresh_from_db()
    assert (job.status, job.error) == (RunState.FAILED, "stopped at 0 of 2 days")


def test_a_day_that_came_back_to_wait_at_the_moment_of_a_stop_is_skipped(crawled):
    job = start_crawl(DAYS[:1], by=None)
    CrawlJob.objects.update(stop_requested_at=timezone.now())
    assert next_job() == job.pk
    assert run_next_day(job.pk) is None
    job.refresh_from_db()
    assert (job.status, states(job), crawled) == (RunState.FAILED, ["skipped"], [])


def test_a_job_whose_worker_died_after_its_last_day_is_ended():
    job = start_crawl(DAYS[:1], by=None)
    job.days.update(state=DayState.SUCCESS)
    assert sweep().days == 0
    job.refresh_from_db()
    assert job.status == RunState.SUCCESS


@pytest.mark.parametrize("minutes", [1, 10])
def test_a_day_that_its_living_owner_lost_sight_of_waits_again_after_a_while(minutes):
    job = start_crawl(DAYS[:1], by=None)
    began = timezone.now() - dt.timedelta(minutes=minutes)
    job.days.update(state=DayState.RUNNING, owner=current_owner(), started_at=began, attempts=1)
    with hold(Task.CRAWL, DAYS[0].isoformat()):
        assert finish_abandoned() == 0, "it is being crawled"
    assert finish_abandoned() == (1 if minutes == 10 else 0)


def test_a_crash_in_the_middle_of_a_day_lets_it_wait_and_is_not_hidden(failing):
    job = start_crawl(DAYS[:1], by=None)
    failing(SystemExit())
    for _ in range(DEATHS):
        assert job.days.get().state == DayState.WAITING
        with pytest.raises(SystemExit):
            run_next_day(job.pk)
    assert (job.days.get().state, job.days.get().error) == (DayState.FAILED, STOPPED)
    job.refresh_from_db()
    assert job.status == RunState.FAILED


def test_the_tick_wakes_a_job_that_waits(crawled, monkeypatch):
    woken = []
    monkeypatch.setattr(tasks, "async_task", lambda *args, **more: woken.append(args))
    job = start_crawl(DAYS, by=None)
    tasks.tick()
    assert ("operations.tasks.crawl_by_hand", job.pk) in woken


# ---------------------------------------------------------------- against the recorded source


@pytest.fixture
def paged(replay, settings):
    """The sources on a day of 17 papers, ten on a page."""
    replay.start("--today", FRIDAY.isoformat(), "--most", "10")
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=replay.addresses)
    return replay


def test_a_job_stopped_in_the_middle_of_a_day_keeps_the_page_at_hand(paged, replayed_sources, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=paged.addresses)
    job = start_crawl([FRIDAY, DAYS[0]], by=None)
    day = run_next_day(job.pk, progress=lambda: stop_crawl(job.pk, by="bob"))
    assert (day.state, day.error, day.papers_found, day.papers_new) == (DayState.FAILED, STOPPED, 10, 10)
    assert (day.log.status, day.log.error) == (RunState.FAILED, STOPPED)
    job.refresh_from_db()
    assert (job.status, job.error) == (RunState.FAILED, "stopped at 0 of 2 days")
    assert Paper.objects.count() == 10
    assert all((paper_folder(paper.arxiv_id) / META_NAME).is_file() for paper in Paper.objects.all())
    assert not TaskLock.objects.filter(status="running").exists()


_WORKER = """
import django
django.setup()
from operations.crawl_jobs import run_next_day
run_next_day({job})
"""


@pytest.mark.django_db(transaction=True)
def test_nothing_is_lost_or_doubled_when_a_worker_is_killed_in_the_middle_of_a_day(
    paged, replayed_sources, settings, data_dir, tmp_path
):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=paged.addresses)
    job = start_crawl([FRIDAY, DAYS[2]], by=None)
    paged.faults([{"match": "&p=1", "hang": 60, "times": 1}])
    worker = _start_worker(job, paged.environment, data_dir)
    try:
        _wait_until(lambda: Paper.objects.count() == 10)
        os.kill(worker.pid, signal.SIGKILL)
    finally:
        worker.kill()
        worker.wait()
    assert job.days.get(date=FRIDAY).state == DayState.RUNNING
    sweep()
    assert states(job) == ["waiting", "waiting"]
    assert CrawlLog.objects.get(task=Task.CRAWL).error == OWNER_DIED
    while run_next_day(job.pk):
        pass
    job.refresh_from_db()
    assert job.status == RunState.SUCCESS
    assert dict(CrawlJobDay.objects.values_list("date", "papers_found")) == {FRIDAY: 17, DAYS[2]: 15}
    assert Paper.objects.filter(paper_date=FRIDAY).count() == 17


def _start_worker(job: CrawlJob, environment: dict[str, str], data_dir: Path) -> subprocess.Popen:
    from django.db import connection

    (data_dir / "papersite.sqlite3").symlink_to(connection.settings_dict["NAME"])
    own = {"PAPERSITE_DATA_DIR": str(data_dir), "DJANGO_SETTINGS_MODULE": "papersite.settings"}
    return subprocess.Popen(
        [sys.executable, "-c", _WORKER.format(job=job.pk)],
        env=os.environ | environment | own,
        cwd=Path(__file__).resolve().parents[2],
    )


def _wait_until(holds, seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < deadline, "it did not come about in time"
        time.sleep(0.05)
