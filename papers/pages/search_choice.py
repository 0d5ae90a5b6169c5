"""What a reader chose of a search: the words, the order, filters and a page, as they stand in an address."""

import re
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from papers.pages.day_choice import read_choice
from papers.pages.page_number import page_number
from papers.search.filters import HitFilters
from papers.text import fold

ORDERS = ("relevance", "newest", "upvotes")
# As long as the field of a search lets anybody type.
LONGEST_QUERY = 400
_FILTERS = ("year", "difficulty", "quality", "code", "state")
# Of these a hit has one of several values: beside the chosen one, the others are worth knowing.
_WITH_SIBLINGS = ("year", "difficulty", "quality", "state")
_YEAR = re.compile(r"(?:19|20)\d\d", re.ASCII)


@dataclass(frozen=True, slots=True)
class SearchChoice:
    """The words, the order, the filters (an empty one filters nothing) and the page, counted from 1."""

    query: str
    order: str = ORDERS[0]
    tags: tuple[str, ...] = ()
    year: str = ""
    difficulty: str = ""
    quality: str = ""
    code: str = ""
    state: str = ""
    page: int = 1

    @property
    def has_filters(self) -> bool:
        """Whether any hit may be left out."""
        return bool(self.tags or any(getattr(self, name) for name in _FILTERS))

    @property
    def filters(self) -> HitFilters:
        """The filters as the search takes them."""
        return HitFilters(
            tuple(dict.fromkeys(map(fold, self.tags))),
            **{name: getattr(self, name) for name in _FILTERS},
        )

    @property
    def has_siblings(self) -> bool:
        """Whether a filter is at work that other values could be chosen of."""
        return any(getattr(self, name) for name in _WITH_SIBLINGS)

    @property
    def wider_filters(self) -> HitFilters:
        """The filters that only ever narrow further: those of tags."""
        return HitFilters(self.filters.tags)

    @property
    def kept(self) -> list[tuple[str, str]]:
        """What stays as it is when other words are looked for: the filters and the order, as in an address."""
        order = [("order", self.order)] if self.order != ORDERS[0] else []
        return self._filter_pairs + order

    @property
    def selection(self) -> str:
        """The words and filters alone, for an export and a feed."""
        return urlencode([("q", self.query), *self._filter_pairs])

    @property
    def feed_address(self) -> str:
        """The feed of the words and filters."""
        return f"{reverse('papers:feed_search')}?{self.selection}"

    @property
    def address(self) -> str:
        """Its one address's part from the question mark on."""
        page = [("page", str(self.page))] if self.page > 1 else []
        return "?" + urlencode([("q", self.query), *self.kept, *page])

    @property
    def _filter_pairs(self) -> list[tuple[str, str]]:
        single = [(name, getattr(self, name)) for name in _FILTERS]
        return [("tag", tag) for tag in self.tags] + [pair for pair in single if pair[1]]

    def with_value(self, name: str, value: Any) -> "SearchChoice":
        """Return the choice on its first page with another value of one part."""
        return replace(self, **{"page": 1, name: value})

    def without_tag(self, tag: str) -> "SearchChoice":
        """Return the choice on its first page without a tag."""
        return self.with_value("tags", tuple(other for other in self.tags if other != tag))

    @property
    def unfiltered(self) -> "SearchChoice":
        """The words and the order alone."""
        return SearchChoice(self.query, self.order)


def read_search(parameters: QueryDict) -> tuple[SearchChoice, tuple[str, ...]]:
    """Return what the parameters of an address ask for, and the values of filters that mean nothing."""
    chosen, ignored = read_choice(parameters)
    year, order = parameters.get("year", "")[:20], parameters.get("order", "")
    if year and not _YEAR.fullmatch(year):
        ignored, year = (*ignored, year), ""
    choice = SearchChoice(
        query=parameters.get("q", "").strip()[:LONGEST_QUERY],
        order=order if order in ORDERS else ORDERS[0],
        tags=chosen.tags,
        year=year,
        difficulty=chosen.difficulty,
        quality=chosen.quality,
        code=chosen.code,
        state=chosen.state,
        page=page_number(parameters.get("page", "")),
    )
    return choice, ignored
