"""`GET health`: public, and plain about what is not well."""

import datetime as dt

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from operations import health
from operations.agent.installation import AgentState
from operations.models import CrawlLog, DayListing, Heartbeat, QueuePause, RunState, Task
from papers.models import SummaryState, SummaryStatus
from tests.factories import make_paper

pytestmark = pytest.mark.django_db

HEALTH = "/api/v1/health"


@pytest.fixture
def well(monkeypatch, data_dir):
    """A site on which all is well: crawled today, a worker, an agent."""
    now = timezone.now()
    today = now.astimezone(dt.UTC).date()
    CrawlLog.objects.create(task=Task.CRAWL, status=RunState.SUCCESS, date=today, started_at=now, completed_at=now)
    DayListing.objects.create(date=today, entry_key="x", arxiv_id="x", first_seen_at=now, skipped_reason="odd")
    Heartbeat.objects.create(name="worker", beat_at=now)
    monkeypatch.setattr(health, "agent_state", lambda: AgentState(True, "", "pi 1"))
    return now


def failing(answer) -> set[str]:
    return {check["name"] for check in answer.json()["checks"] if not check["ok"]}


def test_all_well_is_ok(client, well):
    answer = client.get(HEALTH)
    assert (answer.status_code, answer.json()["status"], answer.json()["reasons"]) == (200, "ok", [])
    assert answer.headers["Cache-Control"] == "no-store"


def test_without_a_worker_it_is_degraded(client, well):
    Heartbeat.objects.update(beat_at=well - dt.timedelta(hours=1))
    answer = client.get(HEALTH)
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")
    assert failing(answer) == {"worker", "feed"}
    assert len(answer.json()["reasons"]) == 2


def test_a_failed_crawl_is_degraded(client, well):
    CrawlLog.objects.update(status=RunState.FAILED, error="/secret/path: refused")
    answer = client.get(HEALTH)
    assert failing(answer) == {"feed"}
    assert "/secret" not in answer.content.decode()


def test_a_pause_is_degraded_and_its_message_kept_private(client, well):
    QueuePause.objects.create(cause="arxiv", message="/secret", since=well, until=well + dt.timedelta(hours=1))
    answer = client.get(HEALTH)
    assert failing(answer) == {"summaries"}
    assert "/secret" not in answer.content.decode()


def test_a_missing_agent_is_degraded(client, well, monkeypatch):
    monkeypatch.setattr(health, "agent_state", lambda: AgentState(False, "command_missing", "/home/x/pi missing"))
    answer = client.get(HEALTH)
    assert failing(answer) == {"agent"}
    assert "/home" not in answer.content.decode()


def test_a_full_disk_is_degraded(client, well, monkeypatch):
    monkeypatch.setattr(health, "LEAST_FREE_BYTES", 2**80)
    assert failing(client.get(HEALTH)) == {"disk"}


def test_without_a_database_it_is_503(client, well, monkeypatch):
    class Broken:
        def cursor(self):
            raise DatabaseError("/secret/papersite.sqlite3 is locked")

    monkeypatch.setattr(health, "connection", Broken())
    answer = client.get(HEALTH)
    assert (answer.status_code, answer.json()["status"]) == (503, "degraded")
    assert "/secret" not in answer.content.decode()


def test_a_new_installation_is_degraded_not_broken(client, data_dir):
    answer = client.get(HEALTH)
    assert (answer.status_code, answer.json()["status"]) == (200, "degraded")


def test_the_figures_behind_it(client, well):
    CrawlLog.objects.update(papers_found=25, papers_new=3)
    paper, failed = make_paper(), make_paper()
    SummaryStatus.objects.filter(paper=failed).update(status=SummaryState.PERMANENT_FAILURE)
    found = client.get(HEALTH).json()
    assert found["queue"] == {**found["queue"], "waiting": 1, "processing": 0, "failed": 0, "permanent_failures": 1}
    assert found["queue"]["due_since"]
    crawled = {"date": well.astimezone(dt.UTC).date().isoformat(), "status": "success", "papers_found": 25}
    assert found["last_crawl"] == {**found["last_crawl"], **crawled, "papers_new": 3}
    assert found["newest_day"] == paper.paper_date.isoformat() and found["last_beat"]
    assert found["disk"]["total_bytes"] >= found["disk"]["free_bytes"] > 0
    assert found["agent"] == {"ok": True, "problem": None}


def test_a_new_installation_has_no_figures_yet(client, data_dir):
    found = client.get(HEALTH).json()
    assert (found["last_crawl"], found["newest_day"], found["last_beat"]) == (None, None, None)


def test_without_a_database_its_figures_are_null(client, well, monkeypatch):
    class Broken:
        def cursor(self):
            raise DatabaseError

    monkeypatch.setattr(health, "connection", Broken())
    found = client.get(HEALTH).json()
    assert found["queue"] is None and found["last_crawl"] is None and found["disk"]["free_bytes"] > 0


def test_it_is_cheap(client, well):
    counted = []
    for number in range(30):
        make_paper()
        if number in (0, 29):
            with CaptureQueriesContext(connection) as found:
                client.get(HEALTH)
            counted.append(len(found))
    assert counted[0] == counted[1] <= 20
