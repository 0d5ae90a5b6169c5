"""Questions to arXiv: answered in batches, told paper by paper, and never lost."""

import datetime as dt

import pytest
from django.db import DatabaseError, OperationalError
from django.utils import timezone
from django_q.models import OrmQ

from operations import arxiv_requests, maintenance, tasks
from operations.arxiv_requests import (
    BATCH,
    DELETED,
    NEW,
    REFRESHED,
    UNKNOWN,
    answer_requests,
    request_metadata,
    request_papers,
    requests_are_due,
)
from operations.files import META_NAME, paper_folder
from operations.http.errors import SourceUnavailable
from operations.locks import hold
from operations.maintenance import MaintenanceOn
from operations.models import ArxivRequest, CrawlLog, DeletedPaper, QueuePause, Task
from operations.pauses import Cause, active_pauses
from papers.models import Paper
from tests.factories import DAY, make_paper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]
NOW = timezone.now()


@pytest.fixture
def arxiv(monkeypatch):
    """An arXiv that knows every id that does not begin with 99; what it was asked is kept."""
    asked: list[list[str]] = []

    def add(ids):
        asked.append(list(ids))
        return {i: UNKNOWN if i.startswith("99") else NEW for i in ids}

    monkeypatch.setattr(arxiv_requests, "_add", add)
    monkeypatch.setattr(
        arxiv_requests, "_refresh", lambda ids: asked.append(list(ids)) or dict.fromkeys(ids, REFRESHED)
    )
    return asked


@pytest.fixture
def arxiv_down(monkeypatch):
    """An arXiv that does not answer; returns what it was asked."""
    asked: list[list[str]] = []

    def fail(ids):
        asked.append(list(ids))
        raise SourceUnavailable("HTTP 503")

    monkeypatch.setattr(arxiv_requests, "_add", fail)
    return asked


def results() -> dict[str, tuple[str, str | None]]:
    return {row.arxiv_id: (row.state, row.result) for row in ArxivRequest.objects.all()}


def test_ids_are_taken_in_any_form_and_what_is_none_is_named():
    make_paper(arxiv_id="2606.00001")
    ArxivRequest.objects.create(arxiv_id="2606.00003", kind="add", requested_at=NOW)
    requested = request_papers(
        [" arXiv:2606.00001v2", "https://arxiv.org/abs/hep-th/9901001", "2606.00001", "2606.00003", "<b>", ""],
        by="alice",
    )
    assert requested.asked == ("2606.00001", "hep-th/9901001")
    assert requested.known == ("2606.00001",)
    assert requested.already == ("2606.00003",)
    assert requested.bad == ("<b>", "")
    assert ArxivRequest.objects.filter(requested_by="alice", kind="add", state="waiting").count() == 2


def test_a_text_of_the_form_of_an_id_that_is_far_too_long_is_none():
    text = "x" * 60 + "/9901001"
    assert request_papers([text], by=None).bad == (text,)


def test_what_waits_already_is_not_asked_twice():
    paper = make_paper()
    request_papers(["2606.11111"], by=None)
    request_papers(["2606.11111"], by=None)
    assert request_metadata([paper.pk], by=None) == 1
    assert request_metadata([paper.pk], by=None) == 1
    assert ArxivRequest.objects.count() == 2


def test_metadata_is_asked_for_of_stored_papers_alone():
    paper = make_paper()
    assert request_metadata([paper.pk, paper.pk + 1], by="alice") == 1
    assert ArxivRequest.objects.get().arxiv_id == paper.arxiv_id


def test_answers_come_a_batch_at_a_time_the_oldest_first(arxiv):
    ids = [f"2606.{n:05}" for n in range(BATCH + 1)]
    request_papers(ids, by=None)
    assert str(answer_requests()) == "arXiv: 100 papers added, 0 refreshed, 0 failed"
    assert answer_requests().new == 1
    assert answer_requests() is None
    assert arxiv == [ids[:BATCH], ids[BATCH:]]
    assert CrawlLog.objects.filter(task=Task.SCHEDULER, status="success").count() == 2


def test_one_kind_is_asked_at_a_time(arxiv):
    paper = make_paper()
    request_metadata([paper.pk], by=None)
    request_papers(["2606.22222"], by=None)
    answer_requests()
    answer_requests()
    assert arxiv == [["2606.22222"], [paper.arxiv_id]]


def test_arxiv_down_keeps_all_waiting_for_a_growing_while(arxiv_down):
    request_papers(["2606.00001"], by=None)
    assert answer_requests().kept_waiting == "HTTP 503"
    assert not requests_are_due() and answer_requests() is None
    assert results() == {"2606.00001": ("waiting", None)}
    QueuePause.objects.update(until=NOW - dt.timedelta(days=30))
    assert requests_are_due()
    answer_requests()
    pause = QueuePause.objects.get()
    assert pause.times == 2 and pause.until > timezone.now() + dt.timedelta(seconds=90)
    assert results() == {"2606.00001": ("waiting", None)}


def test_a_pause_of_questions_holds_no_summaries(arxiv_down):
    request_papers(["2606.00001"], by=None)
    answer_requests()
    assert active_pauses() == []


def test_when_arxiv_is_back_everything_is_asked(arxiv):
    request_papers(["2606.00001"], by=None)
    QueuePause.objects.create(cause=Cause.ARXIV_API, message="m", since=NOW, until=NOW, times=9)
    assert answer_requests().new == 1
    assert not QueuePause.objects.exists()


def test_after_failures_smaller_batches_are_asked_so_that_one_id_holds_up_no_others(arxiv):
    request_papers([f"2606.{n:05}" for n in range(50)], by=None)
    QueuePause.objects.create(cause=Cause.ARXIV_API, message="m", since=NOW, until=NOW, times=3)
    answer_requests()
    assert [len(batch) for batch in arxiv] == [BATCH >> 3]


@pytest.mark.parametrize(
    "error", [OperationalError("database is locked"), OSError("No space left")], ids=["db", "disk"]
)
def test_a_database_or_disk_that_cannot_be_written_costs_no_question(monkeypatch, error):
    def fail(ids):
        raise error

    monkeypatch.setattr(arxiv_requests, "_add", fail)
    request_papers(["2606.00001"], by=None)
    assert answer_requests().kept_waiting
    assert results() == {"2606.00001": ("waiting", None)}


def test_a_paper_that_cannot_be_stored_costs_itself_alone(monkeypatch):
    def add(ids):
        if "2606.00002" in ids:
            raise DatabaseError("too odd")
        return dict.fromkeys(ids, NEW)

    monkeypatch.setattr(arxiv_requests, "_add", add)
    request_papers(["2606.00001", "2606.00002", "2606.00003"], by=None)
    answer_requests()
    found = results()
    assert found["2606.00001"] == found["2606.00003"] == ("done", NEW)
    assert found["2606.00002"] == ("failed", "could not be stored: DatabaseError: too odd")


def test_two_workers_never_ask_at_once(arxiv):
    request_papers(["2606.00001"], by=None)
    with hold(Task.SCHEDULER, "arxiv requests"):
        assert answer_requests() is None
    assert arxiv == []


def test_during_maintenance_nothing_is_asked(arxiv):
    request_papers(["2606.00001"], by=None)
    maintenance.switch_on("", by=None)
    with pytest.raises(MaintenanceOn):
        answer_requests()
    assert tasks.answer_requests() == "held for maintenance"
    assert arxiv == []


def test_a_task_answers_a_batch_and_wakes_for_the_next(arxiv):
    request_papers([f"2606.{n:05}" for n in range(BATCH + 1)], by=None)
    assert tasks.answer_requests() == "arXiv: 100 papers added, 0 refreshed, 0 failed"
    assert [queued.task["func"] for queued in OrmQ.objects.all()] == ["operations.tasks.answer_requests"]
    tasks.answer_requests()
    assert OrmQ.objects.count() == 1
    assert tasks.answer_requests() == "nothing to do now"


# ---------------------------------------------------------------- against the recorded source


def test_papers_of_any_kind_are_added_and_known_ones_keep_their_day(replayed_sources):
    known = make_paper(arxiv_id="2608.19880", paper_date=DAY)
    DeletedPaper.objects.create(arxiv_id="math.GT/0309136", paper_date=DAY, deleted_at=NOW)
    request_papers(["2608.19880", "math.GT/0309136", "9912.99999"], by="alice")
    answer_requests()
    assert results() == {
        "2608.19880": ("done", REFRESHED),
        "math.GT/0309136": ("done", NEW),
        "9912.99999": ("failed", UNKNOWN),
    }
    known.refresh_from_db()
    assert known.paper_date == DAY and known.version
    assert not DeletedPaper.objects.exists()


def test_metadata_is_fetched_again_and_a_paper_deleted_meanwhile_stays_away(replayed_sources, replay):
    paper, gone = make_paper(arxiv_id="2608.19880", version=1), make_paper(arxiv_id="hep-th/9901001")
    request_metadata([paper.pk, gone.pk], by="alice")
    gone.delete()
    replay.world({"versions": {"2608.19880": 2}})
    answer_requests()
    assert results() == {"2608.19880": ("done", REFRESHED), "hep-th/9901001": ("failed", DELETED)}
    paper.refresh_from_db()
    assert paper.version == 2
    assert (paper_folder("2608.19880") / META_NAME).is_file()
    assert not Paper.objects.filter(arxiv_id="hep-th/9901001").exists()


def test_a_real_outage_is_a_pause(replayed_sources, replay):
    replay.faults([{"match": "/arxiv/api", "status": 503}])
    request_papers(["2608.19880"], by=None)
    assert "503" in answer_requests().kept_waiting
    replay.clear()
    QueuePause.objects.update(until=NOW)
    assert answer_requests().new == 1
