"""Logs and locks for scripts."""

import datetime as dt

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from operations import api_records
from operations.locks import hold, release, take
from operations.logs import finish_log, open_log, start_log
from operations.models import CrawlLog, LockState, RunState, Task, TaskLock
from operations.owners import current_owner, describe
from tests.factories import DAY
from tests.other_owners import in_another_container, that_died
from tests.roles import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]

LOGS, LOCKS = "/api/v1/operations/logs", "/api/v1/operations/locks"


@pytest.fixture
def operator(script):
    return script("operate")


def ids(answer) -> list[int]:
    assert answer.status_code == 200, answer.content
    return [row["id"] for row in answer.json()["items"]]


def test_a_log_tells_how_it_went(operator):
    log = start_log(Task.CRAWL, DAY)
    CrawlLog.objects.update(started_at=timezone.now() - dt.timedelta(seconds=90))
    running = operator.get(f"{LOGS}/{log.pk}").json()
    assert (running["status"], running["completed_at"]) == ("running", None)
    assert (running["owner"], 90 <= running["duration"] < 100) == (describe(current_owner()), True)
    finish_log(log, RunState.FAILED, error="HTTP 503", detail="skipped x", found=25, new=3)
    ended = operator.get(f"{LOGS}/{log.pk}").json()
    assert ended == {
        **ended,
        **{"id": log.pk, "task": "crawl", "status": "failed", "date": "2026-06-05", "papers_found": 25},
        **{"papers_new": 3, "error": "HTTP 503", "detail": "skipped x"},
    }
    assert 90 <= ended["duration"] < 100
    assert operator.get(LOGS).json()["items"] == [ended]


def test_a_log_that_waits_has_no_owner(operator):
    log = open_log(Task.CRAWL, DAY)
    assert operator.get(f"{LOGS}/{log.pk}").json()["owner"] is None


def test_logs_are_listed_newest_first_by_task_state_and_day(operator):
    crawl, other, summary = start_log(Task.CRAWL, DAY), start_log(Task.CRAWL), start_log(Task.SUMMARIZE, DAY)
    finish_log(crawl, RunState.SUCCESS)
    assert ids(operator.get(LOGS)) == [summary.pk, other.pk, crawl.pk]
    assert ids(operator.get(f"{LOGS}?task=crawl")) == [other.pk, crawl.pk]
    assert ids(operator.get(f"{LOGS}?status=running")) == [summary.pk, other.pk]
    assert ids(operator.get(f"{LOGS}?date={DAY}&task=crawl&status=success")) == [crawl.pk]
    assert ids(operator.get(f"{LOGS}?limit=1&offset=1")) == [other.pk]
    assert operator.get(f"{LOGS}?task=crawl").json()["count"] == 2


@pytest.mark.parametrize("query", ["task=x", "status=waiting", "date=soon", "limit=0", "limit=201", "offset=-1"])
def test_what_cannot_be_asked_is_422(operator, query):
    answer = operator.get(f"{LOGS}?{query}")
    assert answer.status_code == 422 and query.split("=")[0] in answer.json()["detail"]


def test_unknown_parameters_are_refused(operator):
    for address in (LOGS, LOCKS):
        assert operator.get(f"{address}?owner=x").json()["code"] == "unknown_parameter"


@pytest.mark.parametrize("log_id", ["1", "99999999999999999999999", "-1"])
def test_an_unknown_log_is_404(operator, log_id):
    assert operator.get(f"{LOGS}/{log_id}").status_code == 404


def test_a_large_count_is_capped(operator, monkeypatch):
    monkeypatch.setattr(api_records, "MOST_COUNTED", 2)
    for _ in range(3):
        start_log(Task.CRAWL)
    answer = operator.get(LOGS).json()
    assert (answer["count"], answer["count_capped"], len(answer["items"])) == (2, True, 3)


def test_a_held_lock_tells_who_holds_it(operator):
    with hold(Task.CRAWL, "2026-06-05") as lock:
        held = operator.get(LOCKS).json()
    (row,) = held["items"]
    assert (row["task"], row["key"], row["status"], row["is_alive"]) == ("crawl", "2026-06-05", "running", True)
    assert row["owner"] == describe(lock.owner) and held["count"] == 1
    assert operator.get(LOCKS).json()["items"] == []
    (row,) = operator.get(f"{LOCKS}?status=finished").json()["items"]
    assert row["is_alive"] is None and row["released_at"]


@pytest.mark.parametrize(("owner", "is_alive"), [(that_died, False), (in_another_container, None)])
def test_whether_the_owner_is_there(operator, owner, is_alive):
    lock = take(Task.CRAWL, "2026-06-05")
    TaskLock.objects.filter(pk=lock.pk).update(owner=owner())
    assert operator.get(LOCKS).json()["items"][0]["is_alive"] is is_alive
    release(lock, LockState.FAILED)


@pytest.mark.parametrize("address", [LOGS, LOCKS])
def test_the_queries_do_not_grow_with_the_rows(operator, address):
    counted = []
    operator.get(address)  # the use of a token is noted once a minute
    for number in range(40):
        start_log(Task.CRAWL), take(Task.CRAWL, str(number))
        if number in (0, 39):
            with CaptureQueriesContext(connection) as found:
                operator.get(f"{address}?limit=200")
            counted.append(len(found))
    assert counted[0] == counted[1] <= 6


@pytest.mark.parametrize(("role", "status"), [("operator", 200), ("auditor", 200), ("editor", 403), ("owner", 200)])
@pytest.mark.parametrize("address", [LOGS, LOCKS])
def test_who_may_read(role, status, address):
    assert client_of(role).get(address).status_code == status


@pytest.mark.parametrize("address", [LOGS, LOCKS, f"{LOGS}/1"])
def test_nobody_else_may(client, script, address):
    answer = client.get(address)
    assert (answer.status_code, answer.json()["code"]) == (401, "unauthorized")
    assert script("personal").get(address).status_code == 403
