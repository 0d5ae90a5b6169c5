"""The admin's first page says what is missing and what is going on."""

import datetime as dt

from django.utils import timezone

from operations import status
from operations.agent.installation import AgentState
from operations.models import CrawlLog, QueuePause, RunState, Task
from papers.models import SummaryState
from tests.factories import make_paper


def index(client) -> str:
    answer = client.get("/admin/")
    assert answer.status_code == 200
    return answer.content.decode()


def test_a_missing_agent_is_told_with_the_way_to_get_it(owner, monkeypatch):
    monkeypatch.setattr(status, "agent_state", lambda: AgentState(False, "pi_missing", "请运行 make run"))
    page = index(owner)
    assert "现在不能生成总结" in page
    assert "请运行 make run" in page


def test_pauses_the_last_crawl_and_failures_are_told(owner):
    now = timezone.now()
    QueuePause.objects.create(cause="arxiv", message="HTTP 503", since=now, until=now + dt.timedelta(hours=1))
    CrawlLog.objects.create(
        task=Task.CRAWL, status=RunState.FAILED, date=now.date(), started_at=now, completed_at=now, error="refused <b>"
    )
    make_paper(state=SummaryState.PERMANENT_FAILURE)
    page = index(owner)
    assert "HTTP 503" in page
    assert "refused &lt;b&gt;" in page
    assert "永久失败 1" in page and "permanent_failure" in page


def test_a_new_installation_has_a_first_page(owner):
    assert "add_paper" in index(owner)


def test_all_models_are_listed(owner):
    page = index(owner)
    for name in ("paper", "papersummary", "summarystatus", "userbookmark", "usernote", "userreadingstatus"):
        assert f"/admin/papers/{name}/" in page
    for name in ("crawllog", "tasklock", "datadeletejob", "daylisting", "deletedpaper", "queuepause", "heartbeat"):
        assert f"/admin/operations/{name}/" in page
