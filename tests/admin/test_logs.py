"""The log of work is found by task, state and day, tells how long things took, and is never written by hand."""

import datetime as dt

import pytest
from django.utils import timezone

from operations.models import CrawlLog, RunState, Task
from operations.templatetags.work_in_words import length_in_words
from tests.factories import DAY
from tests.roles import client_of

LOGS = "/admin/operations/crawllog/"
NOW = timezone.now()


def log(task=Task.CRAWL, status=RunState.SUCCESS, **columns) -> CrawlLog:
    columns.setdefault("date", DAY)
    columns.setdefault("started_at", NOW - dt.timedelta(minutes=5))
    columns.setdefault("completed_at", columns["started_at"] + dt.timedelta(seconds=125))
    return CrawlLog.objects.create(task=task, status=status, **columns)


def shown(client, **query) -> list[int]:
    return [row.pk for row in client.get(LOGS, query).context["cl"].result_list]


@pytest.fixture
def auditor(db):
    return client_of("auditor")


def test_logs_are_found_by_task_state_and_day(auditor):
    crawl = log()
    summary = log(Task.SUMMARIZE)
    failed = log(status=RunState.FAILED, date=DAY - dt.timedelta(days=1))
    nothing = log(Task.SCHEDULER, date=None)
    assert shown(auditor, task__exact="crawl") == [failed.pk, crawl.pk]
    assert shown(auditor, status__exact="failed") == [failed.pk]
    assert shown(auditor, date=DAY.isoformat()) == [summary.pk, crawl.pk]
    assert shown(auditor, date=DAY.isoformat(), task__exact="crawl") == [crawl.pk]
    assert nothing.pk in shown(auditor)


@pytest.mark.parametrize("date", ["yesterday", "2026-13-01", "\0", "9" * 400])
def test_what_is_no_day_finds_nothing(auditor, date):
    log()
    assert shown(auditor, date=date) == []


def test_the_day_keeps_what_else_narrows_the_list(auditor):
    log()
    page = auditor.get(LOGS, {"task__exact": "crawl", "date": DAY.isoformat()}).content.decode()
    assert '<input type="hidden" name="task__exact" value="crawl">' in page
    assert f'name="date" value="{DAY}"' in page


def test_logs_are_found_by_when_they_began(auditor):
    old = log(started_at=NOW - dt.timedelta(days=800))
    new = log()
    local = timezone.localtime(old.started_at)
    page = auditor.get(LOGS).content.decode()
    assert f"started_at__year={local.year}" in page and f"started_at__year={timezone.localtime(NOW).year}" in page
    assert shown(auditor, started_at__year=local.year) == [old.pk]
    assert new.pk not in shown(auditor, started_at__year=local.year)


def test_it_tells_how_long_a_run_took_or_has_taken(auditor):
    log()
    log(status=RunState.RUNNING, completed_at=None, started_at=timezone.now() - dt.timedelta(seconds=3700))
    page = auditor.get(LOGS).content.decode()
    assert "2 分 5 秒" in page and "已 1 小时 1 分" in page


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-1, "0.0 秒"), (0.25, "0.2 秒"), (9.94, "9.9 秒"), (59, "59 秒"), (60, "1 分 0 秒"), (7260, "2 小时 1 分")],
)
def test_lengths_are_told_in_their_largest_units(seconds, words):
    assert length_in_words(dt.timedelta(seconds=seconds)) == words


def test_a_long_error_is_cut_in_the_list_and_whole_on_its_page(auditor):
    row = log(status=RunState.FAILED, error="e" * 3000 + " the end")
    assert "e" * 200 not in auditor.get(LOGS).content.decode()
    assert "the end" in auditor.get(f"{LOGS}{row.pk}/change/").content.decode()


def test_texts_are_searched_and_escaped(auditor):
    wanted = log(detail="<script>alert(1)</script> 2606.00001 normal")
    log(error="another")
    assert shown(auditor, q="2606.00001") == [wanted.pk]
    assert "<script>alert" not in auditor.get(LOGS).content.decode()
    assert "<script>alert" not in auditor.get(f"{LOGS}{wanted.pk}/change/").content.decode()


@pytest.mark.parametrize("role", ["owner", "operator", "auditor"])
def test_nobody_writes_the_log_a_superuser_neither(role, db):
    row = log()
    client = client_of(role)
    assert client.get(LOGS).status_code == 200
    for address in (f"{LOGS}add/", f"{LOGS}{row.pk}/delete/"):
        assert client.get(address).status_code == 403
    assert client.post(f"{LOGS}{row.pk}/change/", {"status": "failed"}).status_code == 403
    client.post(LOGS, {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"})
    assert CrawlLog.objects.get() == row


def test_an_editor_does_not_read_it(db):
    assert client_of("editor").get(LOGS).status_code == 403
