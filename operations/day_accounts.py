"""The account of each day: what became of every paper that Daily Papers listed.

listed = stored here + filed under an earlier day + skipped with reason + deleted on purpose.
stored = done + waiting + processing + failed + permanent.
What neither line explains is a fault and is named as one: `missing` (listed, but without any trace here) and
`without_status` (stored, but nothing says what must be done). Papers added by hand stand apart.
"""

import datetime
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Case, CharField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value, When

from operations.models import DayListing, DeletedPaper
from papers.models import Paper, SummaryState, SummaryStatus

_STORED, _EARLIER, _SKIPPED, _DELETED, _MISSING = "stored", "earlier", "skipped", "deleted", "missing"
_NO_STATUS = "without_status"


@dataclass(frozen=True)
class Reason:
    """Why papers of a day are not summarised or not stored: an error type or a text, and how many."""

    reason: str
    papers: int


@dataclass(frozen=True)
class DayAccount:
    """The account of one day; see the module for how its figures belong together."""

    date: datetime.date
    listed: int = 0
    stored: int = 0
    earlier: int = 0
    skipped: int = 0
    deleted: int = 0
    missing: int = 0
    done: int = 0
    waiting: int = 0
    processing: int = 0
    failed: int = 0
    permanent: int = 0
    without_status: int = 0
    by_hand: int = 0
    failures: tuple[Reason, ...] = field(default=())
    skips: tuple[Reason, ...] = field(default=())

    @property
    def adds_up(self) -> bool:
        """Whether both lines of the account balance."""
        kept = self.done + self.waiting + self.processing + self.failed + self.permanent
        fates = self.stored + self.earlier + self.skipped + self.deleted
        return self.listed == fates and self.stored == kept

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing at all to account for."""
        return not (self.listed or self.by_hand)


def day_accounts(dates: Iterable[datetime.date]) -> list[DayAccount]:
    """Return the account of each of `dates`, in their order, by two queries however many there are."""
    wanted = list(dates)
    if not wanted:
        return []
    tallies = {date: _Tally() for date in wanted}
    for row in _listing_groups(min(wanted), max(wanted)):
        if row["date"] in tallies:
            tallies[row["date"]].add(row)
    by_hand = _papers_by_hand(min(wanted), max(wanted))
    return [tallies[date].account(date, by_hand.get(date, 0)) for date in wanted]


def known_days() -> list[datetime.date]:
    """Return every day that has a listing or a paper, newest first."""
    listed = DayListing.objects.order_by().values_list("date", flat=True).distinct()
    stored = Paper.objects.order_by().values_list("paper_date", flat=True).distinct()
    return sorted({*listed, *stored}, reverse=True)


def _listing_groups(first: datetime.date, last: datetime.date) -> QuerySet:
    """Return how many entries of each day share a fate, a state and a reason.

    A range, not a list of days: a list would meet SQLite's limit of parameters.
    """
    paper = Paper.objects.filter(arxiv_id=OuterRef("arxiv_id"))
    status = SummaryStatus.objects.filter(paper__arxiv_id=OuterRef("arxiv_id"))
    return (
        DayListing.objects.filter(date__range=(first, last))
        .order_by()
        .annotate(
            filed_under=Subquery(paper.values("paper_date")[:1]),
            is_deleted=Exists(DeletedPaper.objects.filter(arxiv_id=OuterRef("arxiv_id"))),
            state=Subquery(status.values("status")[:1]),
            error_type=Subquery(status.values("error_type")[:1]),
        )
        .annotate(fate=_fate())
        .values("date", "fate", "state", "error_type", "skipped_reason")
        .annotate(entries=Count("id"))
    )


def _fate() -> Case:
    """Return what became of an entry; a paper that is here now outweighs what the listing says of it."""
    return Case(
        When(filed_under=F("date"), then=Value(_STORED)),
        When(filed_under__lt=F("date"), then=Value(_EARLIER)),
        When(Q(skipped_reason__isnull=False) & ~Q(skipped_reason=""), then=Value(_SKIPPED)),
        # A paper filed under a later day than one that listed it is a fault: its day only moves to earlier ones.
        When(filed_under__isnull=True, is_deleted=True, then=Value(_DELETED)),
        default=Value(_MISSING),
        output_field=CharField(),
    )


def _papers_by_hand(first: datetime.date, last: datetime.date) -> dict[datetime.date, int]:
    listing = DayListing.objects.filter(date=OuterRef("paper_date"), arxiv_id=OuterRef("arxiv_id"))
    groups = (
        Paper.objects.filter(~Exists(listing), paper_date__range=(first, last))
        .order_by()
        .values_list("paper_date")
        .annotate(papers=Count("id"))
    )
    return dict(groups)


class _Tally:
    """Adds up the groups of one day."""

    _FAILED = (SummaryState.FAILED, SummaryState.PERMANENT_FAILURE)

    def __init__(self) -> None:
        self.fates: Counter[str] = Counter()
        self.states: Counter[str] = Counter()
        self.failures: Counter[str] = Counter()
        self.skips: Counter[str] = Counter()

    def add(self, row: dict) -> None:
        """Count one group."""
        fate, entries = row["fate"], row["entries"]
        self.fates[fate] += entries
        if fate == _SKIPPED:
            self.skips[row["skipped_reason"]] += entries
        if fate == _STORED:
            self.states[row["state"] or _NO_STATUS] += entries
            if row["state"] in self._FAILED:
                self.failures[row["error_type"] or "unknown"] += entries

    def account(self, date: datetime.date, by_hand: int) -> DayAccount:
        """Return the finished account."""
        return DayAccount(
            date=date,
            listed=self.fates.total(),
            **{fate: self.fates[fate] for fate in (_STORED, _EARLIER, _SKIPPED, _DELETED, _MISSING)},
            done=self.states[SummaryState.DONE],
            waiting=self.states[SummaryState.PENDING],
            processing=self.states[SummaryState.PROCESSING],
            failed=self.states[SummaryState.FAILED],
            permanent=self.states[SummaryState.PERMANENT_FAILURE],
            without_status=self.states[_NO_STATUS],
            by_hand=by_hand,
            failures=_reasons(self.failures),
            skips=_reasons(self.skips),
        )


def _reasons(counted: Counter[str]) -> tuple[Reason, ...]:
    return tuple(Reason(reason, papers) for reason, papers in counted.most_common())
