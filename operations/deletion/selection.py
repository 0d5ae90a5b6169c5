"""Which papers a deletion is about, and which of them someone works on at this moment."""

import datetime as dt
from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from operations import states
from operations.locks import is_held
from operations.models import LockState, Task, TaskLock
from operations.owners import describe
from papers.models import Paper, SummaryState, SummaryStatus, UserBookmark, UserNote

# SQLite's statements name so many papers at most.
CHUNK = 500


class RangeReversed(ValueError):
    """The first day is after the last."""

    def __init__(self, first: dt.date, last: dt.date) -> None:
        """Name both."""
        super().__init__(f"{first} is after {last}")


@dataclass(frozen=True)
class Selection:
    """The papers filed under the days from `first` to `last`; without `include_notes` some of them are kept.

    Kept are those that carry a note or a bookmark; a reading status alone keeps none.
    """

    first: dt.date
    last: dt.date
    include_notes: bool

    def __post_init__(self) -> None:
        """Refuse what is no range."""
        if self.last < self.first:
            raise RangeReversed(self.first, self.last)

    def doomed(self) -> QuerySet[Paper]:
        """Return the papers to be deleted."""
        return self._papers() if self.include_notes else self._papers().exclude(_carries_notes())

    def kept(self) -> QuerySet[Paper]:
        """Return the papers to be kept."""
        return self._papers().none() if self.include_notes else self._papers().filter(_carries_notes())

    def in_work(self) -> dict[str, str]:
        """Return the ids of papers to be deleted that are being summarised now, each with who has it, in words.

        Under the write lock the answer holds for as long as the lock is held.
        """
        owners = self._claimed() | self._locked()
        if not owners:
            return {}
        doomed = self.doomed().filter(arxiv_id__in=owners)
        return {arxiv_id: describe(owners[arxiv_id]) for arxiv_id in doomed.values_list("arxiv_id", flat=True)}

    def _papers(self) -> QuerySet[Paper]:
        return Paper.objects.filter(paper_date__range=(self.first, self.last))

    def _claimed(self) -> dict[str, str | None]:
        now, rows = timezone.now(), SummaryStatus.objects.filter(status=SummaryState.PROCESSING)
        rows = rows.filter(paper__paper_date__range=(self.first, self.last)).select_related("paper")
        return {row.paper.arxiv_id: row.owner for row in rows if states.is_held(row, now)}

    def _locked(self) -> dict[str, str | None]:
        """Return what is held after the claim has ended, until the last file is in its place."""
        locks = TaskLock.objects.filter(task=Task.SUMMARIZE, status=LockState.RUNNING)
        return {lock.lock_key: lock.owner for lock in locks if is_held(lock)}


def _carries_notes() -> Q:
    rows = (model.objects.filter(paper=OuterRef("pk")) for model in (UserNote, UserBookmark))
    note, bookmark = map(Exists, rows)
    return Q(note) | Q(bookmark)
