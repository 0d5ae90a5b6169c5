"""Figures for Prometheus: off unless asked for, read by Prometheus' own parser, cheap."""

import datetime as dt

import pytest
from django.db import DatabaseError, connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from prometheus_client.parser import text_string_to_metric_families

from operations import health, maintenance
from operations.models import CrawlLog, Heartbeat, QueuePause, RunState, Task
from papers.models import SummaryState, SummaryStatus
from tests.factories import DAY, make_paper, make_summary

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]

METRICS = "/api/v1/metrics"


@pytest.fixture(autouse=True)
def _switched_on(settings, data_dir):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"metrics": True})


def figures(client) -> dict[str, float]:
    """Return each figure by its name, and its label in braces where it has one."""
    answer = client.get(METRICS)
    assert answer.status_code == 200 and answer.headers["Content-Type"].startswith("text/plain; version=")
    assert answer.headers["Cache-Control"] == "no-store"
    found = {}
    for family in text_string_to_metric_families(answer.content.decode()):
        assert family.documentation and family.name.startswith("papersite_")
        for sample in family.samples:
            label = "".join(f"{{{value}}}" for value in sample.labels.values())
            found[sample.name.removeprefix("papersite_") + label] = sample.value
    return found


def test_off_by_default(client, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"metrics": False})
    answer = client.get(METRICS)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


def test_the_library_and_the_work_in_figures(client):
    now = timezone.now().replace(microsecond=0)
    make_summary(make_paper())
    make_summary(make_paper(paper_date=DAY - dt.timedelta(days=1)), quality="low")
    make_paper()
    failed = make_paper()
    SummaryStatus.objects.filter(paper=failed).update(status=SummaryState.PERMANENT_FAILURE, error_type="timeout")
    for status, minutes in ((RunState.FAILED, 1), (RunState.SUCCESS, 5), (RunState.RUNNING, 0)):
        CrawlLog.objects.create(
            task=Task.CRAWL, status=status, date=DAY, started_at=now - dt.timedelta(minutes=minutes)
        )
    Heartbeat.objects.create(name="worker", beat_at=now)
    QueuePause.objects.create(cause="arxiv", message="/secret", since=now, until=now + dt.timedelta(hours=1))
    found = figures(client)
    expected = {
        **{"papers": 4, "days": 2, "summaries{done}": 2, "summaries{pending}": 1, "summaries{failed}": 0},
        **{"summaries{permanent_failure}": 1, "summary_quality{normal}": 1, "summary_quality{low}": 1},
        **{"permanent_failures{timeout}": 1, "permanent_failures{unknown}": 0},
        **{"paused{arxiv}": 1, "paused{agent}": 0, "maintenance": 0, "running_logs": 1},
        **{"up{database}": 1, "up{worker}": 1, "up{summaries}": 0},
        "last_crawl_timestamp_seconds": now.timestamp() - 60,
        "last_successful_crawl_timestamp_seconds": now.timestamp() - 300,
        "worker_last_beat_timestamp_seconds": now.timestamp(),
    }
    assert {name: found.get(name) for name in expected} == expected
    assert found["disk_free_bytes"] > 0 and found["disk_size_bytes"] > 0


def test_a_change_is_seen_at_the_next_scrape(client):
    make_paper()
    assert figures(client)["papers"] == 1
    make_paper()
    maintenance.switch_on("x", by=None)
    found = figures(client)
    assert (found["papers"], found["maintenance"]) == (2, 1)


def test_what_never_happened_has_no_line(client):
    found = figures(client)
    assert found["papers"] == 0 and not [name for name in found if "crawl_timestamp" in name or "beat" in name]


def test_without_a_database_the_rest_is_told(client, monkeypatch):
    class Broken:
        def cursor(self):
            raise DatabaseError("/secret/papersite.sqlite3 is locked")

    monkeypatch.setattr(health, "connection", Broken())
    found = figures(client)
    assert found["up{database}"] == 0 and "papers" not in found and found["disk_free_bytes"] > 0


def test_the_queries_do_not_grow_and_no_table_is_walked_again(client):
    counted = []
    for number in range(30):
        make_paper()
        if number in (0, 29):
            figures(client)
            with CaptureQueriesContext(connection) as found:
                figures(client)
            counted.append(len(found))
            assert not [query for query in found if "FROM papers GROUP" in query["sql"]]
            assert not [query for query in found if query["sql"] == "SELECT count(*) FROM papers"]
    assert counted[0] == counted[1] <= 30


def test_nothing_private_is_told(client):
    QueuePause.objects.create(
        cause="llm", message="/secret", since=timezone.now(), until=timezone.now() + dt.timedelta(hours=1)
    )
    assert "secret" not in client.get(METRICS).content.decode()
