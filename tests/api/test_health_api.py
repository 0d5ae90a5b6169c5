"""`GET health`: public, and plain about what is not well."""

import datetime as dt

import pytest
from django.db import DatabaseError
from django.utils import timezone

from operations import health
from operations.agent.installation import AgentState
from operations.models import CrawlLog, DayListing, Heartbeat, QueuePause, RunState, Task

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
