"""The papers of a day with all that its page filters and sorts by."""

import datetime as dt
from dataclasses import dataclass

from papers.models import SummaryState
from papers.queries.cards import CardRow, card_rows_of_day, tags_of_papers
from papers.queries.days import papers_of_day
from papers.queries.tags import FoldedTags
from papers.text import one_line

# More are not listed on a day's page, those with the fewest votes; the busiest day recorded had 648.
MOST_OF_A_DAY = 2000


@dataclass(frozen=True, slots=True)
class PaperState:
    """A paper and the state of its summary."""

    arxiv_id: str
    title: str
    state: str


@dataclass(frozen=True, slots=True)
class DayPaper:
    """One paper of a day, as a row from which its card can be made, and its tags."""

    row: CardRow
    tags: FoldedTags

    @property
    def id(self) -> int:
        """The key of its row."""
        return self.row["id"]

    @property
    def title(self) -> str:
        """The title that its card leads with."""
        return self.row["title_zh"] or self.row["title_en"]

    @property
    def published_at(self) -> dt.date:
        """The day on which arXiv published it; the first of all days where that is not known."""
        return self.row["published_at"] or dt.date.min

    @property
    def upvotes(self) -> int:
        """Its votes."""
        return self.row["upvotes"] or 0

    @property
    def difficulty(self) -> str:
        """How hard it is to read, in the words of the model; nothing where it said nothing."""
        return one_line(self.row["summary__difficulty"] or "")

    @property
    def quality(self) -> str:
        """How good its summary is; nothing where there is none."""
        return self.row["summary_quality"] or ""

    @property
    def state(self) -> str:
        """The state of its summary; a summary that is made anew is still there to be read."""
        if self.row["summary__one_line"]:
            return SummaryState.DONE
        return self.row["status__status"] or SummaryState.PENDING

    @property
    def progress(self) -> PaperState:
        """The paper and its state alone."""
        return PaperState(self.row["arxiv_id"], self.title, self.state)

    @property
    def has_code(self) -> bool:
        """Whether a link to its code is known."""
        return bool(self.row["code_url"])


def day_papers(day: dt.date) -> list[DayPaper]:
    """Return the papers of `day`, most votes first, in two queries; at most `MOST_OF_A_DAY` and one more."""
    rows = card_rows_of_day(day, MOST_OF_A_DAY + 1)
    tags = tags_of_papers([row["id"] for row in rows])
    return [DayPaper(row, tags.get(row["id"], {})) for row in rows]


def day_states(day: dt.date) -> list[PaperState]:
    """Return the states of the papers that `day_papers` lists, in one query."""
    rows = papers_of_day(day).values("arxiv_id", "title_zh", "title_en", "status__status", "summary__one_line")[
        :MOST_OF_A_DAY
    ]
    return [DayPaper(dict(row), {}).progress for row in rows]
