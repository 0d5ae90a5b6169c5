"""The one place that moves `summary_status.status`.

    pending -> processing -> done
                         `-> failed -> (ten minutes) pending -> processing
                         `-> permanent_failure

Every move is an UPDATE that names the state it leaves, so that of two workers only one wins. A claim is held by a
lease; what dead owners hold is given back by `interrupt`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from operations.logs import bounded
from operations.models import DataDeleteJob, RunState
from operations.owners import current_owner, is_dead
from papers.models import ErrorType, PaperSummary, SummaryState, SummaryStatus

# From the data model: one automatic retry.
MAX_RETRIES = 1
RETRY_DELAY = timedelta(minutes=10)
# Each so many deaths of a worker over one paper count as one failed attempt, so that a paper that kills its
# worker is not run for ever.
INTERRUPTIONS_PER_ATTEMPT = 3
# Renewed every few seconds while the agent runs; the download of source and PDF, each of two attempts of ten minutes
# at worst (see http.patience), and the reading of both are bounded to less.
LEASE = timedelta(minutes=60)
CHUNK = 500


@dataclass(frozen=True)
class Claim:
    """A paper that this process alone works on."""

    status_id: int
    paper_id: int
    arxiv_id: str
    owner: str
    started_at: datetime
    retry_count: int


class ClaimLost(Exception):
    """The paper was given to someone else meanwhile; whatever was made of it must not be stored."""


def due(*, date: date | None = None, paper_ids: Iterable[int] | None = None) -> QuerySet[SummaryStatus]:
    """Return what waits for a summary: newest day first, then by votes; interrupted papers last.

    Papers that a deletion is about are left out while it runs, so that it never waits for more than what was in work
    at its start.
    """
    waiting = _in_state(SummaryState.PENDING, date, paper_ids).exclude(_is_being_deleted())
    return waiting.order_by(F("queued_at").asc(nulls_first=True), "-paper__paper_date", "-paper__upvotes", "id")


def _in_state(state: SummaryState, date: date | None, paper_ids: Iterable[int] | None) -> QuerySet[SummaryStatus]:
    """Return the rows in `state`, of one day alone or of some papers alone where these are given."""
    rows = SummaryStatus.objects.filter(status=state)
    if date is not None:
        rows = rows.filter(paper__paper_date=date)
    if paper_ids is not None:
        rows = rows.filter(paper_id__in=list(paper_ids))
    return rows


def _is_being_deleted() -> Exists:
    day = OuterRef("paper__paper_date")
    return Exists(DataDeleteJob.objects.filter(status=RunState.RUNNING, date_start__lte=day, date_end__gte=day))


def claim_next(waiting: QuerySet[SummaryStatus], *, most_running: int | None = None) -> Claim | None:
    """Claim the first paper of `waiting`, or None where there is none.

    `most_running` bounds how many papers may be in work at once, whoever has them.
    """
    with transaction.atomic():
        if most_running is not None:
            running = SummaryStatus.objects.filter(status=SummaryState.PROCESSING).count()
            if running >= most_running:
                return None
        row = waiting.select_related("paper").only("id", "retry_count", "paper__arxiv_id").first()
        return _claim(row) if row else None


def _claim(row: SummaryStatus) -> Claim | None:
    now, owner = timezone.now(), current_owner()
    claimed = SummaryStatus.objects.filter(pk=row.pk, status=SummaryState.PENDING).update(
        status=SummaryState.PROCESSING,
        owner=owner,
        started_at=now,
        completed_at=None,
        lease_until=now + LEASE,
        next_attempt_at=None,
    )
    if not claimed:
        return None
    return Claim(row.pk, row.paper_id, row.paper.arxiv_id, owner, now, row.retry_count or 0)


def _held(claim: Claim) -> QuerySet[SummaryStatus]:
    return SummaryStatus.objects.filter(
        pk=claim.status_id, status=SummaryState.PROCESSING, owner=claim.owner, started_at=claim.started_at
    )


def _move(claim: Claim, **columns) -> None:
    moved = _held(claim).update(owner=None, lease_until=None, **columns)
    if not moved:
        raise ClaimLost(claim.arxiv_id)


def is_held(row: SummaryStatus, now: datetime) -> bool:
    """Tell whether a paper in work is worked on: its owner was noted, is not dead, and has kept the lease."""
    if row.owner is None or row.lease_until is None or row.lease_until < now:
        return False
    return not is_dead(row.owner)


def renew(claim: Claim) -> None:
    """Lengthen the lease.

    Raises:
        ClaimLost: someone else has the paper now.
    """
    if not _held(claim).update(lease_until=timezone.now() + LEASE):
        raise ClaimLost(claim.arxiv_id)


def succeed(claim: Claim, quality: str) -> None:
    """Mark the summary done; call it in the transaction that stores the summary.

    Raises:
        ClaimLost: someone else has the paper now; the transaction must be rolled back.
    """
    _move(
        claim,
        status=SummaryState.DONE,
        quality=quality,
        error_type=None,
        error=None,
        raw_output_saved=True,
        completed_at=timezone.now(),
        interruptions=0,
        queued_at=None,
    )


def fail(
    claim: Claim, error_type: str, error: str, *, permanent: bool = False, raw_output_saved: bool = False
) -> SummaryState:
    """Count a failed attempt and return the state it leads to.

    The first failure waits for its retry; after that, or where trying again is no use, the paper has failed for
    good. A paper that has a summary from before keeps it and is done again, with the error beside it.

    Raises:
        ClaimLost: someone else has the paper now.
    """
    state = _state_after_failure(claim.paper_id, claim.retry_count, permanent)
    # An attempt that ends before the agent has answered leaves the output of the one before where it is.
    saved = {"raw_output_saved": True} if raw_output_saved else {}
    _move(claim, **saved, **_failure(state, error_type, error))
    return state


def _state_after_failure(paper_id: int, retry_count: int, permanent: bool) -> SummaryState:
    if retry_count < MAX_RETRIES and not permanent:
        return SummaryState.FAILED
    if PaperSummary.objects.filter(paper_id=paper_id).exists():
        return SummaryState.DONE
    return SummaryState.PERMANENT_FAILURE


def _failure(state: SummaryState, error_type: str, error: str) -> dict:
    now = timezone.now()
    return {
        "status": state,
        "error_type": error_type,
        "error": bounded(error),
        "completed_at": now,
        "next_attempt_at": now + RETRY_DELAY if state == SummaryState.FAILED else None,
    }


def give_back(claim: Claim, *, to_end: bool = False) -> None:
    """Put the paper back as if it had never been claimed: the work was paused or stopped, no attempt is counted.

    At the end of the queue where the trouble may be the paper's alone, so that it does not stand in the way of others.
    """
    columns = {"queued_at": timezone.now()} if to_end else {}
    _held(claim).update(status=SummaryState.PENDING, owner=None, lease_until=None, started_at=None, **columns)


def retry_failed(
    *, now: datetime | None = None, date: date | None = None, paper_ids: Iterable[int] | None = None
) -> int:
    """Make failed papers pending again for their retry, and return how many.

    With `now`: those whose waiting time is over by then; without: at once.
    """
    failed = _in_state(SummaryState.FAILED, date, paper_ids)
    if now is not None:
        failed = failed.filter(Q(next_attempt_at__lte=now) | Q(next_attempt_at=None))
    return failed.update(status=SummaryState.PENDING, retry_count=Coalesce("retry_count", 0) + 1, next_attempt_at=None)


def interrupt(row: SummaryStatus) -> bool:
    """Take a paper from an owner that died and put it at the end of the queue; False where another did so first."""
    interruptions = row.interruptions + 1
    columns: dict = {"status": SummaryState.PENDING, "queued_at": timezone.now()}
    with transaction.atomic():
        if interruptions % INTERRUPTIONS_PER_ATTEMPT == 0:
            state = _state_after_failure(row.paper_id, row.retry_count or 0, permanent=False)
            error = f"the process that made this summary died {interruptions} times"
            columns = _failure(state, ErrorType.UNKNOWN, error)
        moved = SummaryStatus.objects.filter(
            pk=row.pk, status=SummaryState.PROCESSING, owner=row.owner, started_at=row.started_at
        ).update(owner=None, lease_until=None, interruptions=interruptions, **columns)
    return bool(moved)


def rerun(paper_ids: Iterable[int], *, only: Q | None = None) -> int:
    """Make papers pending in whatever state they are, their count begun anew; return how many.

    Papers in work are left alone, and with `only` those for whose row it does not hold when it is moved. A good
    summary from before stays until a new one is stored.
    """
    wanted, moved = list(paper_ids), 0
    for start in range(0, len(wanted), CHUNK):
        moved += _rerun_chunk(wanted[start : start + CHUNK], only)
    return moved


def _rerun_chunk(paper_ids: list[int], only: Q | None) -> int:
    with transaction.atomic():
        if only is None:
            add_missing(paper_ids)
        return (
            SummaryStatus.objects.filter(only or Q(), paper_id__in=paper_ids)
            .exclude(status=SummaryState.PROCESSING)
            .update(
                status=SummaryState.PENDING,
                retry_count=0,
                interruptions=0,
                error_type=None,
                error=None,
                next_attempt_at=None,
                queued_at=None,
            )
        )


def restore_done(paper_id: int, quality: str, *, raw_output_saved: bool, completed_at: datetime) -> bool:
    """Mark done a paper whose summary was read back from its file; False where the paper is in work.

    Call it in the transaction that stores the summary.
    """
    add_missing([paper_id])
    restored = (
        SummaryStatus.objects.filter(paper_id=paper_id)
        .exclude(status=SummaryState.PROCESSING)
        .update(
            status=SummaryState.DONE,
            quality=quality,
            error_type=None,
            error=None,
            raw_output_saved=raw_output_saved,
            completed_at=completed_at,
            next_attempt_at=None,
        )
    )
    return bool(restored)


def regrade(paper_id: int, quality: str) -> bool:
    """Note the grade of a summary that was edited by hand; False where the paper is in work. No state is moved.

    Call it in the transaction that stores the summary.
    """
    rows = SummaryStatus.objects.filter(paper_id=paper_id)
    rows.exclude(status=SummaryState.PROCESSING).update(quality=quality)
    return not rows.filter(status=SummaryState.PROCESSING).exists()


def add_missing(paper_ids: Iterable[int]) -> int:
    """Give a pending row to each paper that has none, and return how many."""
    ids = set(paper_ids)
    known = set(SummaryStatus.objects.filter(paper_id__in=ids).values_list("paper_id", flat=True))
    rows = [SummaryStatus(paper_id=paper_id, status=SummaryState.PENDING) for paper_id in sorted(ids - known)]
    SummaryStatus.objects.bulk_create(rows)
    return len(rows)
