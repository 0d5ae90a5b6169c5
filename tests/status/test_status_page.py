"""`/status/`: the work in words and numbers, for everybody."""

import datetime as dt

import pytest
from django.utils import timezone

from operations import status as status_module
from operations.agent.installation import COMMAND_MISSING, PI_MISSING, AgentState
from operations.models import CrawlLog, DayListing, DeletedPaper, Heartbeat, QueuePause, RunState, Task
from papers.models import SummaryState
from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db

STATUS = "/status/"


@pytest.fixture(autouse=True)
def agent(monkeypatch):
    monkeypatch.setattr(status_module, "agent_state", lambda: AgentState(True, "", "pi 1"))


@pytest.fixture
def today() -> dt.date:
    return timezone.now().astimezone(dt.UTC).date()


def text_of(client) -> str:
    answer = client.get(STATUS)
    assert answer.status_code == 200
    return answer.content.decode()


def listed(date, key, **columns):
    DayListing.objects.create(date=date, entry_key=key, arxiv_id=key, first_seen_at=timezone.now(), **columns)


def crawled(date, state=RunState.SUCCESS, error=None):
    now = timezone.now()
    CrawlLog.objects.create(task=Task.CRAWL, status=state, date=date, started_at=now, completed_at=now, error=error)


def test_a_new_installation_has_a_page(client):
    page = text_of(client)
    assert "最近的日子还没有抓取过" in page
    assert page.count("<p>没有抓取过。</p>") == 1


def test_each_day_shows_its_account_in_words_and_numbers(client, today):
    crawled(today)
    for number in range(3):
        listed(today, f"2605.0000{number}")
    make_summary(make_paper(arxiv_id="2605.00000", paper_date=today))
    make_paper(
        arxiv_id="2605.00001",
        paper_date=today,
        state=SummaryState.PERMANENT_FAILURE,
        status={"error_type": "timeout", "error": "/secret/trace"},
    )
    DeletedPaper.objects.create(arxiv_id="2605.00002", paper_date=today, deleted_at=timezone.now())
    listed(today, "2605.00003", skipped_reason="could not be stored: DataError: /secret/file")
    page = text_of(client)
    assert "列出 4 = 收录 2 + 归入更早一天 0 + 跳过 1 + 有意删除 1" in page
    assert "收录 2 = 已完成 1 + 等待 0 + 总结中 0 + 待重试 0 + 永久失败 1" in page
    assert "超时 1" in page
    assert "could not be stored" in page
    assert "今天的论文已经收录" in page
    assert "账目不平" not in page
    assert "/secret" not in page


def test_an_account_that_does_not_add_up_says_so(client, today):
    listed(today, "2605.00001")
    assert "1 篇没有下落" in text_of(client)


def test_an_empty_day_says_why(client, today):
    crawled(today)
    crawled(today - dt.timedelta(days=1), RunState.FAILED, "Traceback /secret")
    page = text_of(client)
    assert "来源没有列出论文" in page
    assert "最近一次抓取失败" in page
    assert "/secret" not in page


def test_pauses_are_told_without_their_messages(client):
    now = timezone.now()
    QueuePause.objects.create(cause="arxiv", message="/secret", since=now, until=now + dt.timedelta(minutes=5))
    QueuePause.objects.create(cause="agent", message="over", since=now, until=now - dt.timedelta(minutes=5))
    page = text_of(client)
    assert page.count("总结暂停") == 1
    assert "arXiv 无法访问" in page
    assert "/secret" not in page


def test_a_missing_agent_is_told_with_the_way_to_get_it(client, monkeypatch):
    monkeypatch.setattr(status_module, "agent_state", lambda: AgentState(False, PI_MISSING, "请运行 make run"))
    page = text_of(client)
    assert "现在不能生成总结" in page
    assert "请运行 make run" in page


@pytest.mark.parametrize("problem", [COMMAND_MISSING, "something new"])
def test_a_problem_that_names_a_path_is_told_without_it(client, monkeypatch, problem):
    monkeypatch.setattr(status_module, "agent_state", lambda: AgentState(False, problem, "/secret/agent"))
    page = text_of(client)
    assert "现在不能生成总结" in page
    assert "/secret" not in page


def test_the_queue_and_the_last_heartbeat_are_shown(client):
    now = timezone.now()
    Heartbeat.objects.create(name="worker", beat_at=now, owner="host:1")
    make_paper()
    make_paper(state=SummaryState.PROCESSING, status={"started_at": now, "owner": "secret-host:12"})
    page = text_of(client)
    assert "最早开始于" in page
    assert "secret-host" not in page


def test_the_page_costs_the_same_few_queries_however_much_there_is(client, today, django_assert_max_num_queries):
    for back in range(21):
        for number in range(5):
            listed(today - dt.timedelta(days=back), f"2605.{back:02}{number:03}")
            make_paper(arxiv_id=f"2605.{back:02}{number:03}", paper_date=today - dt.timedelta(days=back))
        crawled(today - dt.timedelta(days=back))
    with django_assert_max_num_queries(19):
        text_of(client)


def test_only_reading_is_possible(client):
    assert client.post(STATUS).status_code == 405


def test_days_that_were_never_crawled_are_one_line_and_earlier_accounts_a_page_away(client, today):
    old = today - dt.timedelta(days=100)
    listed(old, "2605.00001")
    make_paper(arxiv_id="2605.00001", paper_date=old)
    crawled(old)
    page = text_of(client)
    assert page.count("<p>没有抓取过。</p>") == 1
    assert f"?to={old}" in page
    earlier = client.get(STATUS, {"to": str(old)}).content.decode()
    assert "列出 1 = 收录 1" in earlier
    assert "更早的日子" not in earlier


@pytest.mark.parametrize("day", ["", "yesterday", "2026-02-30", "0001-01-01"])
def test_an_account_of_no_day_is_not_found(client, day):
    assert client.get(STATUS, {"to": day}).status_code == 404


def test_the_future_has_no_account(client, today):
    assert str(today + dt.timedelta(days=1)) not in client.get(STATUS, {"to": "2999-01-01"}).content.decode()
