"""What the queue's tasks show of themselves."""

import pytest

from operations import tasks
from operations.crawl import CrawlResult
from operations.models import Heartbeat
from operations.stopping import WorkStopped, ask_workers_to_stop

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


def test_a_summary_in_work_shows_now_and_then_that_its_worker_is_alive(monkeypatch):
    show = tasks.sign_of_life()
    show()
    assert not Heartbeat.objects.exists()
    monkeypatch.setattr(tasks, "SIGN_EVERY", 0)
    show()
    assert Heartbeat.objects.get().name == tasks.WORKER


def test_a_summary_in_work_hears_the_wish_to_stop():
    ask_workers_to_stop()
    with pytest.raises(WorkStopped):
        tasks.sign_of_life()()


def test_a_crawl_beats_before_it_asks_the_source(monkeypatch):
    def crawl(date, *, progress) -> CrawlResult:
        assert Heartbeat.objects.filter(name=tasks.WORKER).exists()
        Heartbeat.objects.all().delete()
        progress()
        return CrawlResult(date)

    monkeypatch.setattr(tasks, "crawl_day", crawl)
    assert tasks.crawl_again("2026-06-05") == "2026-06-05: 0 found, 0 new"
    assert Heartbeat.objects.exists()
