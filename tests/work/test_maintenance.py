"""The switch that holds all work, what it holds, and what is caught up afterwards."""

import datetime as dt
import json
import threading
import time

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.utils import timezone
from django_q.models import OrmQ

from operations import maintenance, states, tasks
from operations.addition import add_papers
from operations.calendar import missed_days
from operations.crawl import CrawlResult
from operations.crawl_jobs import start_crawl
from operations.logs import open_log
from operations.maintenance import MaintenanceOn, current, raise_if_on, switch_off, switch_on
from operations.models import CrawlLog, Heartbeat, RunState, Task, TaskLock
from operations.summarize import summarize_next
from papers.models import SummaryState, SummaryStatus
from tests.factories import SUMMARY, make_paper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]

HOUR = dt.timedelta(hours=1)
ID = "2608.19880"
SLOW = f"import sys, time\nsys.stdin.read()\ntime.sleep(30)\nprint({json.dumps(SUMMARY, ensure_ascii=False)!r})\n"


def queued() -> list[str]:
    return [row.task["func"].removeprefix("operations.tasks.") for row in OrmQ.objects.all()]


def test_it_says_who_switched_it_on_since_when_and_why():
    raise_if_on()
    assert switch_on(" new\n disk ", by="alice")
    with pytest.raises(MaintenanceOn, match=r"since 20.* UTC by alice: new disk\. `manage.py maintenance off`"):
        raise_if_on()
    assert CrawlLog.objects.get().detail.startswith("maintenance on: work is held")


def test_the_first_switch_stays_and_is_switched_off_once():
    switch_on("first", by="alice")
    assert not switch_on("second", by="bob")
    assert (current().switched_by, current().reason) == ("alice", "first")
    assert switch_off(by="bob") and not switch_off(by="bob")
    assert current() is None
    assert queued() == ["catch_up"]


def test_the_tick_beats_and_sweeps_and_starts_nothing(monkeypatch):
    swept = []
    monkeypatch.setattr(tasks, "sweep", lambda: swept.append(True))
    make_paper()
    long_ago = timezone.now() - HOUR
    failed = make_paper(state=SummaryState.FAILED, status={"next_attempt_at": long_ago, "retry_count": 0})
    start_crawl([dt.date(2026, 6, 1)], by=None)
    switch_on("", by=None)
    tasks.tick()
    assert Heartbeat.objects.exists() and swept
    assert queued() == []
    assert SummaryStatus.objects.get(paper=failed).status == SummaryState.FAILED
    switch_off(by=None)
    tasks.tick()
    assert {"summarize", "crawl_by_hand"} <= set(queued())
    assert SummaryStatus.objects.get(paper=failed).status == SummaryState.PENDING


@pytest.mark.parametrize(
    ("task", "arguments"),
    [
        ("summarize", ()),
        ("crawl_by_hand", (1,)),
        ("crawl_again", ("2026-06-01", "2026-06-02")),
        ("daily_crawl", ()),
        ("growing_crawl", ()),
        ("first_crawl", ()),
        ("answer_requests", ()),
        ("cleaning", ()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_task_that_comes_meanwhile_does_nothing(task, arguments):
    switch_on("", by=None)
    assert getattr(tasks, task)(*arguments) == "held for maintenance"
    assert queued() == []


def test_a_crawl_in_work_goes_on_to_the_end_of_its_day_and_no_further(monkeypatch):
    def crawl(date, *, progress):
        switch_on("", by=None)
        progress()
        return CrawlResult(date)

    monkeypatch.setattr(tasks, "crawl_day", crawl)
    assert tasks.crawl_again("2026-06-02", "2026-06-01") == "2026-06-02: 0 found, 0 new"
    [request] = [row.task for row in OrmQ.objects.all()]
    assert tasks.crawl_again(*request["args"]) == "held for maintenance"


def test_a_summary_in_work_hears_it():
    show = tasks.sign_of_life()
    show()
    switch_on("", by=None)
    with pytest.raises(MaintenanceOn):
        show()


# ---------------------------------------------------------------- what was missed

TODAY = dt.date(2026, 8, 21)
DUE = dt.datetime(2026, 8, 21, 1, tzinfo=dt.UTC)
NOW = DUE + HOUR
WEEK = [TODAY - dt.timedelta(days=back) for back in range(8)]


@pytest.fixture
def now(monkeypatch):
    monkeypatch.setattr("django.utils.timezone.now", lambda: NOW)


def begun(date, at):
    CrawlLog.objects.create(task=Task.CRAWL, status=RunState.SUCCESS, date=date, started_at=at, papers_new=0)


def missed(held_since):
    return missed_days(TODAY, due=DUE, held_since=held_since)


def test_a_daily_crawl_that_was_due_meanwhile_is_caught_up(now):
    begun(TODAY, DUE - 24 * HOUR)
    assert missed(DUE - HOUR) == WEEK


def test_of_a_chain_that_was_cut_off_the_rest_is_caught_up(now):
    for date in WEEK[:3]:
        begun(date, DUE + HOUR / 2)
    assert missed(DUE + HOUR / 2) == WEEK[3:]


def test_where_nothing_was_due_and_nothing_cut_off_nothing_is_caught_up(now):
    begun(TODAY, DUE - HOUR)
    begun(dt.date(2026, 1, 1), NOW)  # an old day, by hand
    assert missed(NOW - HOUR / 4) == []
    for date in WEEK:
        begun(date, DUE + HOUR / 4)
    assert missed(NOW - HOUR / 4) == []


def test_a_day_whose_crawl_was_only_asked_for_meanwhile_is_missing_all_the_same(now):
    for date in WEEK[1:]:
        begun(date, DUE)
    open_log(Task.CRAWL, WEEK[0])
    assert missed(DUE + HOUR / 2) == WEEK[:1]


def test_after_a_long_hold_days_that_grow_are_asked_for(now, monkeypatch):
    monkeypatch.setattr("operations.calendar.growing_days", lambda today: [TODAY, WEEK[1]])
    for date in WEEK:
        begun(date, DUE)
    assert missed(NOW - 3 * HOUR) == WEEK[:2]


def test_switching_off_crawls_what_was_missed(monkeypatch):
    crawled = []
    monkeypatch.setattr(tasks, "utc_today", lambda: TODAY)
    monkeypatch.setattr(tasks, "missed_days", lambda today, *, due, held_since: WEEK)
    monkeypatch.setattr(tasks, "crawl_day", lambda date, *, progress: crawled.append(date) or CrawlResult(date))
    switch_on("", by=None)
    switch_off(by=None)
    [request] = [row.task for row in OrmQ.objects.all()]
    OrmQ.objects.all().delete()
    tasks.catch_up(*request["args"])
    assert crawled == WEEK[:1]
    [request] = [row.task for row in OrmQ.objects.all() if row.task["func"] == "operations.tasks.crawl_again"]
    assert request["args"] == tuple(map(str, WEEK[1:]))


# ---------------------------------------------------------------- commands


@pytest.mark.parametrize("command", [["crawl"], ["summarize"], ["add_paper", ID]], ids=lambda command: command[0])
def test_commands_begin_nothing_and_say_how_to_end_it(command):
    switch_on("new disk", by="alice")
    with pytest.raises(CommandError, match=r"by alice: new disk\. `manage.py maintenance off`") as caught:
        call_command(*command)
    assert caught.value.returncode == 1
    assert not CrawlLog.objects.exclude(task=Task.SCHEDULER).exists()


def test_a_range_that_is_being_crawled_ends_after_its_day(monkeypatch):
    crawled = []

    def crawl(date, **more):
        crawled.append(date)
        switch_on("", by=None)
        return CrawlResult(date)

    monkeypatch.setattr("operations.management.commands.crawl.crawl_day", crawl)
    with pytest.raises(CommandError, match="maintenance") as caught:
        call_command("crawl", "--from", "2026-06-01", "--to", "2026-06-05")
    assert caught.value.returncode == 1
    assert crawled == [dt.date(2026, 6, 1)]


def test_the_command_switches_and_tells(capsys, caplog, monkeypatch):
    caplog.set_level("INFO")
    monkeypatch.setattr(maintenance.getpass, "getuser", lambda: "alice")
    call_command("maintenance", "status")
    call_command("maintenance", "on", "--reason", "new disk")
    call_command("maintenance", "on")
    call_command("maintenance", "off")
    call_command("maintenance", "off")
    out = capsys.readouterr().out.splitlines()
    assert out[0] == "Off: the work goes on."
    assert out[1].startswith("On: work is held for maintenance since") and out[1].endswith("by alice: new disk.")
    assert out[2:] == [
        "It was on already.",
        out[1],
        "Off: the work goes on.",
        "It was not on.",
        "Off: the work goes on.",
    ]
    assert not [line for line in caplog.records if line.name == "django-q"], "the queue's own words are no answer"


def test_an_account_without_a_name_can_switch(monkeypatch):
    def nameless():
        raise KeyError("getpwuid(): uid not found")

    monkeypatch.setattr(maintenance.getpass, "getuser", nameless)
    call_command("maintenance", "on")
    assert current().switched_by is None


# ---------------------------------------------------------------- summaries in work


def switch_on_in_a_while(seconds: float) -> threading.Timer:
    def switch():
        try:
            switch_on("new disk", by="alice")
        finally:
            connection.close()

    timer = threading.Timer(seconds, switch)
    timer.start()
    return timer


def given_back_uncounted() -> bool:
    row = SummaryStatus.objects.get()
    assert (row.status, row.owner, row.started_at) == (SummaryState.PENDING, None, None)
    assert not TaskLock.objects.filter(status="running").exists()
    assert CrawlLog.objects.get(task=Task.SUMMARIZE).papers_found is None
    return not (row.retry_count or row.interruptions or row.error_type)


@pytest.mark.django_db(transaction=True)
def test_a_workers_summary_is_given_back_uncounted_at_once(replayed_sources, agent):
    add_papers([ID])
    agent(SLOW)
    timer = switch_on_in_a_while(2)
    began = time.monotonic()
    with pytest.raises(MaintenanceOn):
        summarize_next(tasks.sign_of_life())
    timer.join()
    assert time.monotonic() - began < 10
    assert given_back_uncounted()
    assert states.due().count() == 1


@pytest.mark.django_db(transaction=True)
def test_the_command_gives_its_summaries_back_and_ends(replayed_sources, agent, capsys):
    add_papers([ID])
    agent(SLOW)
    timer = switch_on_in_a_while(2)
    with pytest.raises(CommandError, match="the papers stay pending: work is held for maintenance") as caught:
        call_command("summarize")
    timer.join()
    assert caught.value.returncode == 1
    assert given_back_uncounted()
