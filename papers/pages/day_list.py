"""The list of a day as its page shows it: sorted, filtered, cut into pages."""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass, replace
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from papers.pages.day_choice import NEWEST, TITLE, VOTES, DayChoice
from papers.pages.day_facets import chosen_filters, facets
from papers.pages.day_progress import DayProgress, progress
from papers.pages.facets import ChosenFilter, Facet
from papers.queries.cards import PaperCard, cards_of_rows
from papers.queries.day_papers import MOST_OF_A_DAY, DayPaper

# All of a usual day stands on one page; the busiest recorded days have some hundreds of papers.
PAGE_SIZE = 120

_SORT_NAMES: dict[str, Promise] = {VOTES: _("票数"), NEWEST: _("最新"), TITLE: _("标题")}


@dataclass(frozen=True, slots=True)
class Sort:
    """An order to choose."""

    label: str
    query: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class DayList:
    """The cards of one page of a day, and the ways to see others."""

    day: dt.date
    choice: DayChoice
    total: int
    found: int
    is_cut: bool
    cards: tuple[PaperCard, ...]
    facets: tuple[Facet, ...]
    chosen: tuple[ChosenFilter, ...]
    progress: DayProgress

    @property
    def address(self) -> str:
        """The address of the day, to which choices are added."""
        return reverse("papers:day", args=[self.day.isoformat()])

    @property
    def sorts(self) -> list[Sort]:
        """The orders to choose from."""
        return [
            Sort(str(label), replace(self.choice, sort=key, page=1).query, key == self.choice.sort)
            for key, label in _SORT_NAMES.items()
        ]

    @property
    def canonical(self) -> str:
        """The one address of what is shown."""
        return self.address + self.choice.query

    @property
    def export_selection(self) -> str:
        """The day's whole list, as exports are asked for it."""
        return urlencode({"day": self.day.isoformat()})

    @property
    def unfiltered(self) -> str:
        """The address of the day's whole list, in the same order."""
        return self.address + DayChoice(sort=self.choice.sort).query

    @property
    def pages(self) -> int:
        """How many pages the list has."""
        return _pages(self.found)

    @property
    def first_number(self) -> int:
        """The number of the first card in the whole list."""
        return (self.choice.page - 1) * PAGE_SIZE + 1

    @property
    def last_number(self) -> int:
        """The number of the last card in the whole list."""
        return self.first_number + len(self.cards) - 1

    @property
    def previous_page(self) -> str:
        """The address of the page before; nothing on the first."""
        return self.address + replace(self.choice, page=self.choice.page - 1).query if self.choice.page > 1 else ""

    @property
    def next_page(self) -> str:
        """The address of the page after; nothing on the last."""
        return self.address + replace(self.choice, page=self.choice.page + 1).query if self._has_more else ""

    @property
    def most_listed(self) -> int:
        """How many papers a day's page lists at most."""
        return MOST_OF_A_DAY

    @property
    def _has_more(self) -> bool:
        return self.choice.page < self.pages


def day_list(day: dt.date, papers: Sequence[DayPaper], choice: DayChoice) -> DayList:
    """Return what `choice` shows of the papers of `day`, in one query; a page too many becomes the last one."""
    listed = papers[:MOST_OF_A_DAY]
    spelled = choice.spelled_as_in(listed)
    picked = spelled.sorted([paper for paper in listed if spelled.picks(paper)])
    on_page = replace(spelled, page=min(spelled.page, _pages(len(picked))))
    first = (on_page.page - 1) * PAGE_SIZE
    return DayList(
        day=day,
        choice=on_page,
        total=len(listed),
        found=len(picked),
        is_cut=len(papers) > len(listed),
        cards=_cards(picked[first : first + PAGE_SIZE]),
        facets=tuple(facets(on_page, listed)),
        chosen=tuple(chosen_filters(on_page)),
        progress=progress(paper.progress for paper in listed),
    )


def _cards(papers: Sequence[DayPaper]) -> tuple[PaperCard, ...]:
    found = cards_of_rows([paper.row for paper in papers], {paper.id: paper.tags for paper in papers})
    return tuple(found.values())


def _pages(papers: int) -> int:
    return max(1, -(-papers // PAGE_SIZE))
