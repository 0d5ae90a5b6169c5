"""Papers that someone is summarising while they are to be deleted."""

import pytest
from django.utils import timezone

from operations import states
from operations.deletion import run
from operations.deletion.run import delete_now
from operations.models import DataDeleteJob, LockState, TaskLock
from operations.summarize import summarize_waiting
from papers.models import Paper, SummaryStatus
from tests.deletion.conftest import NEXT
from tests.deletion.whole import problems, traces
from tests.factories import DAY, make_paper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


@pytest.fixture
def patience(settings, monkeypatch):
    """Let a deletion wait for so many seconds, looking often."""
    monkeypatch.setattr(run, "POLL", 0.01)

    def set_patience(seconds: int) -> None:
        settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"agent_timeout": seconds})

    return set_patience


def delete(**more) -> DataDeleteJob:
    return delete_now(DAY, DAY, **{"include_notes": True, "by": "ada"} | more)


@pytest.mark.parametrize("by", ["claim", "lock"])
def test_a_paper_still_held_at_the_end_fails_the_job_which_names_it(full_paper, in_work, patience, by):
    patience(0)
    held = full_paper()
    for _ in range(3):
        full_paper()
    in_work(held, by=by)
    job = delete()
    assert (job.status, job.paper_count) == ("failed", 3)
    assert job.error.startswith(f"stopped at 3 of 4: still being summarised: {held.arxiv_id} (process ")
    assert list(Paper.objects.all()) == [held]
    assert TaskLock.objects.get(task="delete").status == "failed"


@pytest.mark.parametrize("by", ["claim", "lock"])
def test_a_paper_in_work_is_waited_for_and_then_deleted(full_paper, in_work, patience, data_dir, monkeypatch, by):
    patience(60)
    held, other = full_paper(), full_paper()
    in_work(held, by=by)
    looks = []

    def sleep(_seconds: float) -> None:
        looks.append(set(Paper.objects.all()))
        if len(looks) == 3:
            SummaryStatus.objects.update(status="done", owner=None)
            TaskLock.objects.filter(task="summarize").update(status=LockState.FINISHED)

    monkeypatch.setattr(run.time, "sleep", sleep)
    assert delete().status == "success"
    assert looks == [{held}] * 3, "all others are deleted before anyone waits"
    assert traces({held.arxiv_id, other.arxiv_id}, data_dir) == [] and problems() == []


@pytest.mark.parametrize("by", ["claim", "lock"])
def test_nobody_waits_for_the_dead(full_paper, in_work, patience, dead, by):
    patience(0)
    in_work(full_paper(), dead, by=by)
    assert delete().status == "success"


def test_nobody_waits_for_a_lease_that_ran_out(full_paper, in_work, patience):
    patience(0)
    in_work(full_paper())
    SummaryStatus.objects.update(lease_until=timezone.now())
    assert delete().status == "success"


def test_a_kept_paper_in_work_is_no_concern(full_paper, in_work, patience):
    patience(0)
    in_work(full_paper("note"))
    assert delete(include_notes=False).status == "success"


def test_a_wish_to_stop_is_heard_while_waiting(full_paper, in_work, patience):
    patience(60)
    in_work(full_paper())
    calls = []

    def stopped() -> None:
        calls.append(1)
        if len(calls) == 3:
            raise run.WorkStopped("enough")

    assert delete(stopped=stopped).error == "stopped at 0 of 1"


def test_no_summary_is_begun_of_a_paper_that_is_about_to_be_deleted(started):
    waiting, other = make_paper(), make_paper(paper_date=NEXT)
    started()
    claim = states.claim_next(states.due())
    assert claim.paper_id == other.pk
    assert states.claim_next(states.due()) is None
    DataDeleteJob.objects.update(status="failed")
    assert states.claim_next(states.due()).paper_id == waiting.pk


def test_a_paper_given_back_while_it_is_waited_for_is_not_taken_again(full_paper, in_work, patience, monkeypatch):
    patience(60)
    held = full_paper()
    in_work(held)

    def give_back_and_try_again(_seconds: float) -> None:
        SummaryStatus.objects.filter(paper=held).update(status="pending", owner=None)
        assert states.claim_next(states.due()) is None
        assert summarize_waiting().done == 0

    monkeypatch.setattr(run.time, "sleep", give_back_and_try_again)
    assert delete().status == "success"
