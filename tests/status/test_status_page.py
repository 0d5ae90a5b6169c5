"""`/status/`: the work in words and numbers, for everybody."""

import datetime as dt
import re

import pytest
from django.utils import timezone

from operations import status as status_module
from operations.account_picture import KINDS
from operations.agent.installation import COMMAND_MISSING, PI_MISSING, AgentState
from operations.logs import open_log, take_log
from operations.models import CrawlLog, DayListing, DeletedPaper, Heartbeat, Maintenance, QueuePause, RunState, Task
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
    assert "列出 4 = 收录 2 + 跳过 1 + 有意删除 1" in page
    assert "收录 2 = 已完成 1 + 永久失败 1" in page
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
    assert "最近一次抓取失败：来源无法访问，或回答有误" in page
    assert "/secret" not in page


def test_a_failed_crawl_says_why_where_that_is_for_everybody(client, today):
    crawled(today, RunState.FAILED, "HTTP 503 for https://internal.example/api")
    page = text_of(client)
    assert "最近一次抓取失败：来源回答 HTTP 503。" in page
    assert "internal.example" not in page


def test_a_day_that_is_being_crawled_is_no_gap(client, today):
    asked_for = open_log(Task.CRAWL, today)
    assert "<p>正在抓取。</p>" not in text_of(client)
    take_log(asked_for.pk)
    assert "<p>正在抓取。</p>" in text_of(client)


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
    with django_assert_max_num_queries(12):
        text_of(client)


LONG_AGO, LATELY = dt.timedelta(hours=30), dt.timedelta(hours=1)


@pytest.mark.parametrize("is_held", [False, True], ids=["working", "maintenance"])
@pytest.mark.parametrize(
    ("crawl", "word"),
    [
        (None, "已停滞"),
        ((LATELY, RunState.SUCCESS), "已停滞"),
        ((LONG_AGO, RunState.SUCCESS), "已停滞"),
        ((LATELY, RunState.FAILED), "抓取失败"),
        ((dt.timedelta(days=40), RunState.SUCCESS), "已停滞"),
    ],
    ids=["never crawled", "summaries stopped", "crawls stopped", "failed", "left off"],
)
@pytest.mark.parametrize("limit", [100, 0], ids=["limit", "limit used up"])
def test_no_state_costs_more_than_twelve_queries(
    client, settings, crawl, word, is_held, limit, django_assert_max_num_queries
):
    now = timezone.now()
    changed = {"summary_daily_limit": limit, "crawl_cron": "0 9 1 * *"}  # once a month: only the summaries can be late
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=changed if crawl != (LONG_AGO, RunState.SUCCESS) else {})
    make_paper(crawled_at=now - 9 * LATELY)
    QueuePause.objects.create(cause="arxiv", message="refused", since=now, until=now + LATELY)
    if crawl:
        at = now - crawl[0]
        CrawlLog.objects.create(task=Task.CRAWL, status=crawl[1], date=at.date(), started_at=at, completed_at=at)
    if is_held:
        Maintenance.objects.create(reason="secret reason", since=now)
    with django_assert_max_num_queries(12):
        page = text_of(client)
    if limit or word == "抓取失败":
        assert f"<strong>{'等待更新' if is_held and word == '已停滞' else word}</strong>" in page


def test_the_page_is_never_an_old_one(client, today):
    first = client.get(STATUS)
    assert first.headers["Cache-Control"] == "public, max-age=0, must-revalidate"
    assert client.get(STATUS, headers={"If-None-Match": first.headers["ETag"]}).status_code == 304
    crawled(today)  # no table of papers is written
    assert "没有列出论文" in text_of(client)


def test_the_bar_of_a_day_has_a_part_for_each_state_that_the_words_name(client, today):
    crawled(today)
    for number, state in enumerate((SummaryState.PENDING, SummaryState.FAILED, SummaryState.PERMANENT_FAILURE)):
        listed(today, f"2605.0000{number}")
        make_paper(arxiv_id=f"2605.0000{number}", paper_date=today, state=state)
    listed(today, "2605.00009")
    page = text_of(client)
    parts = re.findall(r'<rect class="bar__part bar__part--(\w+)" x="([\d.]+)%" width="([\d.]+)%"', page)
    assert parts == [
        ("waiting", "0.0", "10.0"),
        ("failed", "10.0", "10.0"),
        ("permanent", "20.0", "10.0"),
        ("unexplained", "30.0", "10.0"),
    ]


def test_every_part_of_a_bar_has_a_pattern_and_a_name_in_the_legend(client):
    page = text_of(client)
    patterns = re.findall(r'<pattern id="pattern-(\w+)"', page)
    assert sorted(patterns) == sorted(KINDS)
    assert all(f'fill="url(#pattern-{kind})"/></svg> {label}</li>' in page for kind, label in KINDS.items())


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


def test_maintenance_is_told_without_names_and_reasons(client):
    assert "正在维护" not in text_of(client)
    Maintenance.objects.create(reason="SECRET", since=timezone.now(), switched_by="ALICE")
    page = text_of(client)
    assert "正在维护" in page
    assert "SECRET" not in page and "ALICE" not in page
