"""How far the summaries of a day are."""

from collections.abc import Iterable
from dataclasses import dataclass

from papers.models import SummaryState
from papers.queries.day_papers import PaperState

# More papers in work than this are counted and not named.
MOST_NAMED = 4


@dataclass(frozen=True, slots=True)
class DayProgress:
    """How many papers of a day have a summary, and what has become of the others."""

    total: int
    done: int
    waiting: int
    to_retry: int
    failed: int
    working: tuple[PaperState, ...]

    @property
    def is_going_on(self) -> bool:
        """Whether any summary is still to come."""
        return bool(self.waiting or self.working or self.to_retry)

    @property
    def named(self) -> tuple[PaperState, ...]:
        """Papers in work, those to be named."""
        return self.working[:MOST_NAMED]

    @property
    def more_working(self) -> int:
        """How many papers in work are not named."""
        return len(self.working) - len(self.named)


def progress(papers: Iterable[PaperState]) -> DayProgress:
    """Return how far the summaries of `papers` are."""
    known = list(papers)
    states = [paper.state for paper in known]
    return DayProgress(
        total=len(known),
        done=states.count(SummaryState.DONE),
        waiting=states.count(SummaryState.PENDING),
        to_retry=states.count(SummaryState.FAILED),
        failed=states.count(SummaryState.PERMANENT_FAILURE),
        working=tuple(paper for paper in known if paper.state == SummaryState.PROCESSING),
    )
