"""Summaries that failed for good, by error type and day, and how many of them at once are run again."""

import datetime as dt
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Count, Q, QuerySet, Value
from django.db.models.functions import Coalesce

from operations import states, tasks
from operations.logs import write_log
from operations.models import RunState, Task
from papers.models import ErrorType, SummaryState, SummaryStatus

# Papers named for each error type; lists show all of them.
SAMPLES = 5

_PERMANENT = Q(status=SummaryState.PERMANENT_FAILURE)
# A re-run that failed left the summary from before, and the error beside it.
_KEPT = Q(status=SummaryState.DONE, error_type__isnull=False)


@dataclass(frozen=True)
class DayFailures:
    """How many papers of one day failed in one way."""

    date: dt.date
    count: int


@dataclass(frozen=True)
class FailureGroup:
    """All papers that failed in one way: their days, the newest first, and a few of the newest papers."""

    error_type: str
    count: int
    days: tuple[DayFailures, ...]
    samples: tuple[SummaryStatus, ...]


@dataclass(frozen=True)
class KeptSummaries:
    """Papers whose re-run failed and whose summary from before is still shown, and the newest of them."""

    count: int
    samples: tuple[SummaryStatus, ...]


def failure_groups() -> list[FailureGroup]:
    """Return the permanent failures of each error type that has any, the most frequent type first."""
    days: dict[str, list[DayFailures]] = {}
    for error_type, date, count in _counted():
        days.setdefault(error_type, []).append(DayFailures(date, count))
    groups = [_group(error_type, found) for error_type, found in days.items()]
    return sorted(groups, key=lambda group: (-group.count, group.error_type))


def _counted() -> Iterable[tuple[str, dt.date, int]]:
    # To people a failure of no type is one of the type `unknown`.
    kind = Coalesce("error_type", Value(ErrorType.UNKNOWN.value))
    days = SummaryStatus.objects.filter(_PERMANENT).annotate(kind=kind).values_list("kind", "paper__paper_date")
    return days.annotate(count=Count("pk")).order_by("-paper__paper_date", "kind")


def _group(error_type: str, days: list[DayFailures]) -> FailureGroup:
    samples = _samples(SummaryStatus.objects.filter(_PERMANENT & _of_type(error_type)))
    return FailureGroup(error_type, sum(day.count for day in days), tuple(days), samples)


def _samples(rows: QuerySet[SummaryStatus]) -> tuple[SummaryStatus, ...]:
    named = rows.select_related("paper").only(
        *("error_type", "error", "completed_at"), *(f"paper__{name}" for name in ("arxiv_id", "title_zh", "title_en"))
    )
    return tuple(named.order_by("-paper__paper_date", "-paper_id")[:SAMPLES])


def _of_type(error_type: str | None) -> Q:
    """Return the condition for one type of error; for all of them where it is None."""
    if error_type is None:
        return Q()
    if error_type == ErrorType.UNKNOWN:
        return Q(error_type=ErrorType.UNKNOWN) | Q(error_type=None)
    return Q(error_type=error_type)


def kept_summaries() -> KeptSummaries:
    """Return the papers whose last re-run failed and that still have the summary from before."""
    rows = SummaryStatus.objects.filter(_KEPT)
    return KeptSummaries(rows.count(), _samples(rows))


def rerun_failures(error_type: str | None = None, date: dt.date | None = None, *, by: str | None) -> int:
    """Make permanent failures of one type, or of any, wait again, of one day alone with `date`; return how many.

    A paper that is no permanent failure of that type any more when its turn comes is left alone.
    """
    wanted = _PERMANENT & _of_type(error_type)
    of_day = Q() if date is None else Q(paper__paper_date=date)
    chosen = SummaryStatus.objects.filter(wanted & of_day).order_by("paper_id")
    moved = states.rerun(chosen.values_list("paper_id", flat=True), only=wanted)
    named = [error_type or "all types", *([f"of {date}"] if date else [])]
    return _begun(moved, f"permanent failures ({' '.join(named)})", by)


def rerun_kept(*, by: str | None) -> int:
    """Make the papers wait again whose last re-run failed though they have a summary; return how many."""
    chosen = SummaryStatus.objects.filter(_KEPT).order_by("paper_id")
    moved = states.rerun(chosen.values_list("paper_id", flat=True), only=_KEPT)
    return _begun(moved, "papers with an older summary", by)


def _begun(moved: int, named: str, by: str | None) -> int:
    """Wake the worker and log it where anything was moved."""
    if moved:
        write_log(Task.SCHEDULER, RunState.SUCCESS, detail=f"re-run of {moved} {named} asked for by {by or 'nobody'}")
        tasks.request_summaries()
    return moved
