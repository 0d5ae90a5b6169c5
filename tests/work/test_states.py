"""How summary statuses move."""

import datetime as dt

import pytest
from django.utils import timezone

from operations import states
from papers.models import SummaryState, SummaryStatus
from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db

DEAD = "gone:999999:1@no-such-boot:1"


def pending(**columns):
    return make_paper(state="pending", **columns)


def claim_of(paper) -> states.Claim:
    claim = states.claim_next(states.due(paper_ids=[paper.pk]))
    assert claim
    return claim


def status_of(paper) -> SummaryStatus:
    return SummaryStatus.objects.get(paper=paper)


def test_the_newest_day_comes_first_then_votes_then_interrupted_papers():
    old = pending(paper_date=dt.date(2026, 6, 1), upvotes=99)
    few = pending(paper_date=dt.date(2026, 6, 2), upvotes=1)
    many = pending(paper_date=dt.date(2026, 6, 2), upvotes=5)
    interrupted = pending(paper_date=dt.date(2026, 6, 3))
    SummaryStatus.objects.filter(paper=interrupted).update(queued_at=timezone.now())
    assert [row.paper_id for row in states.due()] == [many.pk, few.pk, old.pk, interrupted.pk]


def test_a_claimed_paper_cannot_be_claimed_again():
    paper = pending()
    claim = claim_of(paper)
    assert states.claim_next(states.due()) is None
    row = status_of(paper)
    assert (row.status, row.owner, row.started_at) == (SummaryState.PROCESSING, claim.owner, claim.started_at)


def test_no_more_papers_are_claimed_than_have_a_place():
    pending(), pending()
    assert states.claim_next(states.due(), most_running=1)
    assert states.claim_next(states.due(), most_running=1) is None


def test_success_clears_what_went_wrong_before():
    paper = pending()
    SummaryStatus.objects.filter(paper=paper).update(error_type="timeout", error="slow", interruptions=2)
    states.succeed(claim_of(paper), "normal")
    row = status_of(paper)
    assert (row.status, row.quality, row.error_type, row.error, row.interruptions) == ("done", "normal", None, None, 0)
    assert row.completed_at and row.raw_output_saved and row.owner is None


def test_the_first_failure_waits_ten_minutes_and_the_second_is_permanent():
    paper = pending()
    assert states.fail(claim_of(paper), "timeout", "600 s") == SummaryState.FAILED
    row = status_of(paper)
    assert (row.retry_count, row.error_type) == (0, "timeout")
    assert states.retry_failed(now=timezone.now() + dt.timedelta(minutes=9)) == 0
    assert states.retry_failed(now=timezone.now() + dt.timedelta(minutes=11)) == 1
    assert (status_of(paper).status, status_of(paper).retry_count) == ("pending", 1)
    assert states.fail(claim_of(paper), "timeout", "600 s") == SummaryState.PERMANENT_FAILURE
    assert status_of(paper).retry_count == 1


def test_an_attempt_without_output_leaves_that_of_the_one_before():
    paper = pending()
    states.fail(claim_of(paper), "json_invalid", "half", raw_output_saved=True)
    states.retry_failed()
    states.fail(claim_of(paper), "pdf_download_failed", "no text")
    assert status_of(paper).raw_output_saved


def test_failed_papers_of_other_days_go_on_waiting_when_one_day_is_retried():
    asked = make_paper(state="failed", paper_date=dt.date(2026, 6, 1))
    other = make_paper(state="failed", paper_date=dt.date(2026, 6, 2))
    assert states.retry_failed(date=dt.date(2026, 6, 1)) == 1
    assert (status_of(asked).status, status_of(other).status) == ("pending", "failed")


def test_a_count_that_was_never_written_counts_as_none():
    paper = make_paper(state="failed", status={"retry_count": None})
    states.retry_failed()
    assert status_of(paper).retry_count == 1


def test_a_withdrawn_paper_is_permanent_at_once():
    assert states.fail(claim_of(pending()), "pdf_download_failed", "withdrawn", permanent=True) == "permanent_failure"


def test_a_failed_rerun_of_a_done_paper_leaves_it_done_with_the_error_beside():
    paper = make_paper(state="done")
    make_summary(paper)
    assert states.rerun([paper.pk]) == 1
    assert states.fail(claim_of(paper), "json_invalid", "half") == SummaryState.FAILED
    states.retry_failed()
    assert states.fail(claim_of(paper), "json_invalid", "half") == SummaryState.DONE
    row = status_of(paper)
    assert (row.status, row.quality, row.error_type) == ("done", "normal", "json_invalid")


def test_a_paused_paper_is_given_back_as_if_never_claimed():
    paper = pending()
    states.give_back(claim_of(paper))
    row = status_of(paper)
    assert (row.status, row.retry_count, row.owner, row.started_at) == ("pending", 0, None, None)


def test_each_third_death_of_a_worker_counts_as_a_failed_attempt():
    paper = pending()
    seen = []
    for _ in range(6):
        SummaryStatus.objects.filter(paper=paper).update(status="processing", owner=DEAD, started_at=timezone.now())
        assert states.interrupt(status_of(paper))
        seen.append(status_of(paper).status)
        states.retry_failed()
    assert seen == ["pending", "pending", "failed", "pending", "pending", "permanent_failure"]
    assert status_of(paper).error_type == "unknown"


def test_of_two_sweeps_only_one_takes_a_paper_from_a_dead_owner():
    paper = pending()
    SummaryStatus.objects.filter(paper=paper).update(status="processing", owner=DEAD, started_at=timezone.now())
    first, second = status_of(paper), status_of(paper)
    assert states.interrupt(first)
    assert not states.interrupt(second)
    assert status_of(paper).interruptions == 1


@pytest.mark.parametrize(
    "move", [lambda c: states.succeed(c, "normal"), lambda c: states.fail(c, "timeout", "x"), states.renew]
)
def test_a_lost_claim_moves_nothing(move):
    paper = pending()
    claim = claim_of(paper)
    states.interrupt(status_of(paper))
    with pytest.raises(states.ClaimLost):
        move(claim)
    assert status_of(paper).status == "pending"


def test_renewing_lengthens_the_lease():
    paper = pending()
    claim = claim_of(paper)
    SummaryStatus.objects.filter(paper=paper).update(lease_until=timezone.now())
    states.renew(claim)
    assert status_of(paper).lease_until > timezone.now() + states.LEASE / 2


@pytest.mark.parametrize("state", ["pending", "done", "failed", "permanent_failure"])
def test_a_rerun_by_hand_starts_the_count_anew_from_any_state(state):
    paper = make_paper(state=state)
    SummaryStatus.objects.filter(paper=paper).update(retry_count=1, interruptions=2)
    assert states.rerun([paper.pk]) == 1
    row = status_of(paper)
    assert (row.status, row.retry_count, row.interruptions) == ("pending", 0, 0)


def test_a_rerun_leaves_papers_in_work_alone_and_adds_missing_rows():
    busy, bare = pending(), pending()
    claim_of(busy)
    SummaryStatus.objects.filter(paper=bare).delete()
    assert states.rerun([busy.pk, bare.pk]) == 1
    assert (status_of(busy).status, status_of(bare).status) == ("processing", "pending")


def test_thousands_are_rerun_at_once(django_assert_max_num_queries):
    papers = [pending(authors=[], tags=[]).pk for _ in range(1100)]
    with django_assert_max_num_queries(20):
        assert states.rerun(papers) == 1100
