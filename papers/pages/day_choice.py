"""What a reader chose to see of a day: the order, filters and a page, as they stand in an address."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict

from papers.models import SummaryQuality, SummaryState
from papers.pages.page_number import page_number
from papers.queries.day_papers import DayPaper
from papers.queries.tags import FoldedTags
from papers.text import fold, one_line
from papers.title_order import title_place

MOST_TAGS = 5
# Letters of a tag or a difficulty that an address may hold; longer ones are not offered as filters.
LONGEST_VALUE = 80

VOTES, NEWEST, TITLE = "votes", "newest", "title"
SORTS = (VOTES, NEWEST, TITLE)
_KNOWN = {"quality": SummaryQuality.values, "code": ["1"], "state": SummaryState.values, "sort": SORTS}


@dataclass(frozen=True, slots=True)
class DayChoice:
    """The order, the filters (an empty one filters nothing) and the page, counted from 1."""

    sort: str = VOTES
    tags: tuple[str, ...] = ()
    difficulty: str = ""
    quality: str = ""
    code: str = ""
    state: str = ""
    page: int = 1

    @property
    def has_filters(self) -> bool:
        """Whether any paper may be left out."""
        return bool(self.tags or self.difficulty or self.quality or self.code or self.state)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """The parameters of its one address, in order, without those that say what is so anyway."""
        pairs = [("tag", tag) for tag in self.tags]
        pairs += [(name, getattr(self, name)) for name in ("difficulty", "quality", "code", "state")]
        pairs += [("sort", "" if self.sort == VOTES else self.sort), ("page", str(self.page) if self.page > 1 else "")]
        return [(name, value) for name, value in pairs if value]

    @property
    def query(self) -> str:
        """Its one address's part from the question mark on; nothing where nothing was chosen."""
        return "?" + urlencode(self.pairs) if self.pairs else ""

    def without(self, name: str, tag: str = "") -> "DayChoice":
        """Return the choice on its first page without the filter `name`; of the tags only `tag` is taken out."""
        if name == "tags":
            return replace(self, page=1, tags=tuple(other for other in self.tags if other != tag))
        return self.with_value(name, "")

    def with_value(self, name: str, value: str) -> "DayChoice":
        """Return the choice on its first page with another value of the filter `name`, which is not that of tags."""
        changed: dict[str, Any] = {name: value}
        return replace(self, page=1, **changed)

    def spelled_as_in(self, papers: Sequence[DayPaper]) -> "DayChoice":
        """Return the choice with its tags written as the day writes them, each once."""
        if not self.tags:
            return self
        asked = {fold(tag): tag for tag in reversed(self.tags)}
        spelled = asked | spellings(papers)
        return replace(self, tags=tuple(spelled[folded] for folded in dict.fromkeys(map(fold, self.tags))))

    def picks(self, paper: DayPaper) -> bool:
        """Tell whether `paper` passes all filters."""
        return (
            self.difficulty in ("", paper.difficulty)
            and self.quality in ("", paper.quality)
            and self.state in ("", paper.state)
            and (not self.code or paper.has_code)
            and all(fold(tag) in paper.tags for tag in self.tags)
        )

    def sorted(self, papers: Sequence[DayPaper]) -> list[DayPaper]:
        """Return the papers, which stand by votes, in the chosen order; equal ones stay by votes."""
        if self.sort == NEWEST:
            return sorted(papers, key=lambda paper: paper.published_at, reverse=True)
        if self.sort == TITLE:
            return sorted(papers, key=lambda paper: title_place(paper.title))
        return list(papers)


def spellings(papers: Sequence[DayPaper]) -> FoldedTags:
    """Return the tags of a day by the form they are compared in, as the paper that stands first writes them."""
    found: FoldedTags = {}
    for paper in reversed(papers):
        found.update(paper.tags)
    return found


def read_choice(parameters: QueryDict) -> tuple[DayChoice, tuple[str, ...]]:
    """Return what the parameters of an address choose, and the values that mean nothing, as a reader is told.

    Parameters of other names are passed over.
    """
    values = {name: _clean(parameters.get(name, "")) for name in ("difficulty", "quality", "code", "state", "sort")}
    good = {name: value for name, value in values.items() if value and _is_understood(name, value)}
    tags = tuple(dict.fromkeys(filter(None, map(_clean, parameters.getlist("tag")[: 2 * MOST_TAGS]))))
    good_tags = tuple(tag for tag in tags if len(tag) <= LONGEST_VALUE)[:MOST_TAGS]
    ignored = [tag for tag in tags if tag not in good_tags]
    ignored += [value for name, value in values.items() if value and name not in good]
    choice = DayChoice(tags=good_tags, page=page_number(parameters.get("page", "")), **good)
    return choice, tuple(value[:LONGEST_VALUE] for value in ignored)


def _is_understood(name: str, value: str) -> bool:
    return value in _KNOWN[name] if name in _KNOWN else len(value) <= LONGEST_VALUE


def _clean(value: str) -> str:
    # Cut before it is cleaned: an address may hold thousands of letters.
    return one_line(value[: 2 * LONGEST_VALUE])
