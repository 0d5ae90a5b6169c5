"""Crawls and summaries that scripts ask for, and the logs that tell how they went."""

import datetime as dt
import json

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from operations import maintenance, states, tasks
from operations.checks.work import problems
from operations.crawl_jobs import LOCK_ATTEMPTS, finish_abandoned, stop_crawl
from operations.locks import hold, take
from operations.logs import OWNER_DIED
from operations.models import (
    CrawlJob,
    CrawlJobDay,
    CrawlLog,
    DayState,
    Heartbeat,
    QueuePause,
    RunState,
    SummaryRequest,
    Task,
)
from operations.summarize import summarize_next
from operations.summary_requests import MOST_NAMED, settle_requests
from operations.sweep import sweep
from papers.models import Paper, SummaryState, SummaryStatus
from tests.factories import DAY, SUMMARY, make_paper, make_summary
from tests.other_owners import that_died
from tests.roles import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]

CRAWL, SUMMARIZE = "/api/v1/operations/crawl", "/api/v1/operations/summarize"
FRIDAY = dt.date(2026, 8, 21)


@pytest.fixture
def operator(script):
    Heartbeat.objects.create(name=tasks.WORKER, beat_at=timezone.now())
    return script("operate")


def post(client, address, body=None):
    return client.post(address, body or {}, "application/json")


def log_of(answer) -> CrawlLog:
    assert answer.status_code == 202, answer.content
    body = answer.json()
    assert body["look_at"] == f"/api/v1/operations/logs/{body['log_id']}"
    return CrawlLog.objects.get(pk=body["log_id"])


def summarised(**columns) -> Paper:
    paper = make_paper(**columns)
    make_summary(paper)
    return paper


def settle(paper: Paper, **columns) -> None:
    SummaryStatus.objects.filter(paper=paper).update(**columns)


# ---------------------------------------------------------------- crawls


def test_a_crawl_is_stored_and_its_log_waits(operator):
    answer = post(operator, CRAWL, {"date": "2026-08-20"})
    log = log_of(answer)
    assert answer.json() == {
        **answer.json(),
        "date": "2026-08-20",
        "job_id": CrawlJob.objects.get().pk,
        "notice": None,
    }
    assert (log.task, log.status, log.owner, log.date) == (Task.CRAWL, RunState.RUNNING, None, dt.date(2026, 8, 20))
    assert CrawlJob.objects.get().requested_by == "token script to operate"
    sweep()
    log.refresh_from_db()
    assert log.status == RunState.RUNNING and list(problems()) == [], "a log that waits is no dead one's"


@pytest.mark.usefixtures("replayed_sources")
def test_the_worker_crawls_the_day_under_that_log(operator):
    log = log_of(post(operator, CRAWL, {"date": FRIDAY.isoformat()}))
    asked_at = log.started_at
    tasks.crawl_by_hand(CrawlJob.objects.get().pk)
    log.refresh_from_db()
    assert (log.status, log.error, log.papers_found) == (RunState.SUCCESS, None, Paper.objects.count())
    assert log.papers_found > 0 and log.owner and log.started_at > asked_at
    assert CrawlLog.objects.filter(task=Task.CRAWL).count() == 1


def test_asked_for_twice_it_is_one_crawl(operator):
    first, second = (post(operator, CRAWL, {"date": "2026-08-20"}) for _ in range(2))
    assert first.json() == second.json() and second.status_code == 202
    assert CrawlJobDay.objects.count() == CrawlLog.objects.count() == 1


def test_a_day_that_waits_already_gets_a_log(operator):
    job = tasks.request_crawl(dt.date(2026, 8, 19), dt.date(2026, 8, 20), by="bob")
    log = log_of(post(operator, CRAWL, {"date": "2026-08-20"}))
    assert list(job.days.order_by("date").values_list("log", flat=True)) == [None, log.pk]


def test_a_day_that_is_being_crawled_is_409_with_who_and_since_when(operator):
    with hold(Task.CRAWL, "2026-08-20") as lock:
        answer = post(operator, CRAWL, {"date": "2026-08-20"})
    assert (answer.status_code, answer.json()["code"]) == (409, "already_running")
    assert f"{lock.acquired_at:%Y-%m-%d %H:%M:%S} UTC" in answer.json()["detail"]
    assert not CrawlJob.objects.exists() and not CrawlLog.objects.exists()


def test_the_lock_of_a_dead_one_is_no_hindrance(operator):
    lock = take(Task.CRAWL, "2026-08-20")
    type(lock).objects.update(owner=that_died())
    assert post(operator, CRAWL, {"date": "2026-08-20"}).status_code == 202


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"date": "2999-01-01"},
        {"date": "2001-01-01"},
        {"date": "0001-01-01"},
        {"date": "yesterday"},
        {"date": 20000},
        {"date": "2026-08-20T00:00:00"},
        {"date": None},
        {"date": "2026-08-20", "dates": []},
    ],
)
def test_what_is_no_day_is_422_and_stores_nothing(operator, body):
    answer = post(operator, CRAWL, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")
    assert "date" in answer.json()["detail"]
    assert not CrawlJob.objects.exists() and not CrawlLog.objects.exists()


def test_stopped_before_it_began_its_log_says_so(operator):
    log = log_of(post(operator, CRAWL, {"date": "2026-08-20"}))
    stop_crawl(CrawlJob.objects.get().pk, by="bob")
    log.refresh_from_db()
    assert (log.status, log.error) == (RunState.FAILED, "stopped by bob")


def test_skipped_at_last_its_log_says_why(operator):
    log = log_of(post(operator, CRAWL, {"date": "2026-08-20"}))
    CrawlJobDay.objects.update(attempts=LOCK_ATTEMPTS - 1)
    with hold(Task.CRAWL, "2026-08-20"):
        tasks.crawl_by_hand(CrawlJob.objects.get().pk)
    assert CrawlJobDay.objects.get().state == DayState.SKIPPED
    log.refresh_from_db()
    assert log.status == RunState.FAILED and "is being run by" in log.error


@pytest.mark.usefixtures("replayed_sources")
def test_after_a_death_the_day_goes_on_under_a_new_log(operator):
    log = log_of(post(operator, CRAWL, {"date": FRIDAY.isoformat()}))
    began = timezone.now()
    CrawlLog.objects.update(owner=that_died(), started_at=began)
    CrawlJobDay.objects.update(state=DayState.RUNNING, owner=that_died(), started_at=began, attempts=1)
    sweep()
    log.refresh_from_db()
    assert (log.status, log.error) == (RunState.FAILED, OWNER_DIED)
    again = log_of(post(operator, CRAWL, {"date": FRIDAY.isoformat()}))
    assert again.pk != log.pk
    tasks.crawl_by_hand(CrawlJob.objects.get().pk)
    again.refresh_from_db()
    assert again.status == RunState.SUCCESS


def test_a_log_that_nobody_waits_for_is_closed(operator):
    log = log_of(post(operator, CRAWL, {"date": "2026-08-20"}))
    CrawlJob.objects.all().delete()
    assert len(list(problems())) == 1
    finish_abandoned()
    sweep()
    log.refresh_from_db()
    assert (log.status, log.error) == (RunState.FAILED, OWNER_DIED)


# ---------------------------------------------------------------- summaries


def test_papers_are_queued_in_any_state_and_told_of_by_one_log(operator):
    done, broken, waiting = summarised(), make_paper(), make_paper()
    settle(broken, status=SummaryState.PERMANENT_FAILURE, retry_count=1, error_type="timeout")
    ids = [done.arxiv_id + "v3", broken.arxiv_id, waiting.arxiv_id, done.arxiv_id]
    answer = post(operator, SUMMARIZE, {"arxiv_ids": ids})
    log = log_of(answer)
    assert (answer.json()["papers"], answer.json()["in_work"], answer.json()["notice"]) == (3, [], None)
    assert set(SummaryStatus.objects.values_list("status", "retry_count")) == {("pending", 0)}
    assert (log.task, log.status, log.papers_found) == (Task.SCHEDULER, RunState.RUNNING, 3)
    assert log.detail == "summaries of 3 papers asked for by token script to operate"
    sweep()
    settle(done, status=SummaryState.DONE)
    settle(broken, status=SummaryState.FAILED)
    settle(waiting, status=SummaryState.DONE)
    assert settle_requests() == 0, "one will be tried again"
    settle(broken, status=SummaryState.DONE)
    assert settle_requests() == 1
    log.refresh_from_db()
    assert (log.status, log.error, log.papers_new, log.papers_found) == (RunState.SUCCESS, None, 3, 3)
    assert log.completed_at and not SummaryRequest.objects.exists()


@pytest.mark.parametrize("end", ["permanent", "kept", "deleted"])
def test_a_request_of_which_one_has_no_new_summary_has_failed(operator, end):
    good, bad = make_paper(), make_paper()
    log = log_of(post(operator, SUMMARIZE, {"arxiv_ids": [good.arxiv_id, bad.arxiv_id]}))
    settle(good, status=SummaryState.DONE)
    if end == "deleted":
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM papers WHERE id = %s", [bad.pk])
    else:
        status = SummaryState.DONE if end == "kept" else SummaryState.PERMANENT_FAILURE
        settle(bad, status=status, error_type="timeout")
    sweep()
    log.refresh_from_db()
    assert (log.status, log.error) == (RunState.FAILED, "1 of 2 papers have no new summary")


def test_a_request_whose_papers_are_all_deleted_is_closed_with_the_reason(operator):
    log = log_of(post(operator, SUMMARIZE, {"arxiv_ids": [make_paper().arxiv_id]}))
    Paper.objects.all().delete()
    sweep()
    log.refresh_from_db()
    assert (log.status, log.error) == (RunState.FAILED, "1 of 1 papers have no new summary")


def test_of_a_day_what_waits_and_what_failed_once_is_asked_for(operator):
    failed, waiting, done, other = make_paper(), make_paper(), summarised(), make_paper(paper_date=FRIDAY)
    settle(failed, status=SummaryState.FAILED, next_attempt_at=timezone.now() + dt.timedelta(minutes=9))
    settle(done, status=SummaryState.DONE)
    answer = post(operator, SUMMARIZE, {"date": DAY.isoformat()})
    log = log_of(answer)
    assert (answer.json()["papers"], log.date) == (2, DAY)
    wanted = SummaryRequest.objects.values_list("paper", flat=True)
    assert set(wanted) == {failed.pk, waiting.pk}
    assert SummaryStatus.objects.get(paper=failed).retry_count == 1
    assert not SummaryRequest.objects.filter(paper__in=[done, other]).exists()


def test_of_a_day_without_any_the_log_is_closed_at_once(operator):
    answer = post(operator, SUMMARIZE, {"date": "2026-01-01"})
    log = log_of(answer)
    assert (answer.json()["papers"], log.status, log.papers_found) == (0, RunState.SUCCESS, 0)


def test_papers_in_work_are_left_alone_and_named(operator):
    make_paper()
    claim = states.claim_next(states.due())
    other = make_paper()
    answer = post(operator, SUMMARIZE, {"arxiv_ids": [claim.arxiv_id, other.arxiv_id]})
    assert (answer.json()["papers"], answer.json()["in_work"]) == (1, [claim.arxiv_id])
    assert SummaryStatus.objects.get(pk=claim.status_id).status == SummaryState.PROCESSING


@pytest.mark.parametrize("address", [SUMMARIZE, None])
def test_all_in_work_is_409_with_who_and_since_when(operator, address):
    make_paper()
    claim = states.claim_next(states.due())
    answer = post(operator, address or f"/api/v1/papers/{claim.arxiv_id}/retry", {"arxiv_ids": [claim.arxiv_id]})
    assert (answer.status_code, answer.json()["code"]) == (409, "already_running")
    detail = answer.json()["detail"]
    assert detail.startswith(f"{claim.arxiv_id} is being summarised by") and f"{claim.started_at:%H:%M:%S}" in detail
    assert not CrawlLog.objects.exists()


def test_the_lock_of_a_paper_is_respected_while_its_owner_lives(operator):
    paper = make_paper()
    address = f"/api/v1/papers/{paper.arxiv_id}/retry"
    lock = take(Task.SUMMARIZE, paper.arxiv_id)
    answer = post(operator, address)
    assert (answer.status_code, answer.json()["code"]) == (409, "already_running")
    assert f"{lock.acquired_at:%Y-%m-%d %H:%M:%S} UTC" in answer.json()["detail"]
    type(lock).objects.update(owner=that_died())
    assert post(operator, address).status_code == 202


def test_an_unknown_paper_is_404_and_nothing_is_queued(operator):
    paper = summarised()
    settle(paper, status=SummaryState.DONE)
    answer = post(operator, SUMMARIZE, {"arxiv_ids": [paper.arxiv_id, "2101.00001"]})
    assert (answer.status_code, answer.json()["detail"]) == (404, "not stored here: 2101.00001.")
    assert SummaryStatus.objects.get(paper=paper).status == SummaryState.DONE
    assert not CrawlLog.objects.exists()


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"date": "2026-08-20", "arxiv_ids": ["2605.00001"]},
        {"arxiv_ids": []},
        {"arxiv_ids": ["../../etc"]},
        {"arxiv_ids": ["2605.00001"] * (MOST_NAMED + 1)},
        {"arxiv_ids": "2605.00001"},
        {"paper": "2605.00001"},
    ],
)
def test_what_names_no_papers_is_422(operator, body):
    answer = post(operator, SUMMARIZE, body)
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid")


@pytest.mark.parametrize("arxiv_id", ["2605.00077", "hep-th/9901001"])
def test_one_paper_is_run_again(operator, arxiv_id):
    paper = summarised(arxiv_id=arxiv_id)
    settle(paper, status=SummaryState.DONE)
    answer = post(operator, f"/api/v1/papers/{arxiv_id}v2/retry")
    assert answer.json()["papers"] == 1 and log_of(answer).papers_found == 1
    assert SummaryStatus.objects.get(paper=paper).status == SummaryState.PENDING
    assert post(operator, "/api/v1/papers/2101.99999/retry").status_code == 404
    assert post(operator, "/api/v1/papers/nonsense/retry").status_code == 404


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("replayed_sources")
def test_the_log_is_closed_with_the_last_summary(operator, tmp_path, settings):
    from operations.addition import add_papers

    add_papers(["2608.19880"])
    program = tmp_path / "agent.py"
    program.write_text(f"import sys\nsys.stdin.read()\nprint({json.dumps(SUMMARY, ensure_ascii=False)!r})\n", "utf-8")
    command = ["python3", str(program)]
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"agent_command": command})
    log = log_of(post(operator, "/api/v1/papers/2608.19880/retry"))
    assert summarize_next().quality == "normal"
    log.refresh_from_db()
    assert (log.status, log.papers_new) == (RunState.SUCCESS, 1)


@pytest.mark.parametrize("count", [1, 40])
def test_the_queries_do_not_grow_with_the_papers(operator, count):
    ids = [make_paper().arxiv_id for _ in range(count)]
    with CaptureQueriesContext(
        connection,
    ) as found:
        assert post(operator, SUMMARIZE, {"arxiv_ids": ids}).json()["papers"] == count
    reading = [query for query in found if 'INSERT INTO "django_q_ormq"' not in query["sql"]]
    assert len(reading) <= 30


# ---------------------------------------------------------------- notices, rights


def test_why_it_waits_is_said(operator):
    paper = make_paper()
    pause = QueuePause.objects.create(
        cause="llm", message="/secret", since=timezone.now(), until=timezone.now() + dt.timedelta(hours=1)
    )
    address = f"/api/v1/papers/{paper.arxiv_id}/retry"
    assert post(operator, address).json()["notice"] == f"Summaries are paused: {pause.cause} out of reach."
    assert post(operator, CRAWL, {"date": "2026-08-20"}).json()["notice"] is None
    Heartbeat.objects.all().delete()
    assert "No worker" in post(operator, address).json()["notice"]
    maintenance.switch_on("moving disks", by="ann")
    assert "moving disks" in post(operator, CRAWL, {"date": "2026-08-20"}).json()["notice"]


@pytest.mark.parametrize("role", ["editor", "auditor"])
@pytest.mark.parametrize("address", [CRAWL, SUMMARIZE, "/api/v1/papers/2605.00001/retry"])
def test_other_roles_may_not(role, address):
    answer = post(client_of(role), address, {"nonsense": 1})
    assert (answer.status_code, answer.json()["code"]) == (403, "forbidden")


@pytest.mark.parametrize("scope", ["read", "personal"])
@pytest.mark.parametrize("address", [CRAWL, SUMMARIZE, "/api/v1/papers/2605.00001/retry"])
def test_other_tokens_may_not(script, scope, address):
    assert post(script(scope), address).status_code == 403


def test_what_a_person_asks_for_is_in_the_record(operator):
    person, paper = client_of("operator"), make_paper()
    post(person, CRAWL, {"date": "2026-08-20"})
    post(person, f"/api/v1/papers/{paper.arxiv_id}/retry")
    post(person, SUMMARIZE, {"date": "2026-08-20"})
    told = LogEntry.objects.order_by("id").values_list("change_message", "object_id")
    assert list(told) == [
        ("开始抓取 2026-08-20", str(CrawlJob.objects.get().pk)),
        ("重新运行总结", str(paper.pk)),
        ("请求总结 2026-08-20 的论文", None),
    ]
    assert CrawlJob.objects.get().requested_by == "operator"
