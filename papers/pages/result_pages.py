"""One page of search results, with the ways to narrow it, and the addresses of the others."""

from dataclasses import dataclass, replace

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from papers.pages.facets import ChosenFilter, Facet
from papers.pages.search_choice import SearchChoice
from papers.pages.search_facets import chosen_filters, search_facets
from papers.queries.cards import PaperCard, cards_by_id
from papers.queries.hit_facets import hit_facets, values_beside
from papers.search.results import MAX_COUNT, Hit, search
from papers.search.results import Order as OrderName

PAGE_SIZE = 20
# Filters are counted over so many of the first hits.
COUNTED_HITS = 1000
_MOST_TAGS = 24
_LAST_PAGE = MAX_COUNT // PAGE_SIZE
_ORDERS: dict[OrderName, Promise] = {"relevance": _("按相关"), "newest": _("按日期"), "upvotes": _("按票数")}


@dataclass(frozen=True, slots=True)
class Result:
    """A paper that was found, with the hits marked: HTML made safe by the search."""

    card: PaperCard
    title_zh: SafeString
    title_en: SafeString
    excerpt: SafeString
    excerpt_language: str


@dataclass(frozen=True, slots=True)
class Order:
    """A choice of order."""

    label: str
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class ResultPage:
    """One page of what a query found; pages are counted from 1. Of `counted_of` hits the first are counted by value."""

    choice: SearchChoice
    count: int
    counted_of: int
    is_capped: bool
    is_wordless: bool
    results: tuple[Result, ...]
    facets: tuple[Facet, ...]
    chosen: tuple[ChosenFilter, ...]

    @property
    def page(self) -> int:
        """The number of this page."""
        return self.choice.page

    @property
    def counted_hits(self) -> int:
        """Over how many hits the filters are counted, where these are not all; else 0."""
        return COUNTED_HITS if self.counted_of > COUNTED_HITS else 0

    @property
    def pages(self) -> int:
        """How many pages there are; only those counted can be turned to."""
        return max(1, -(-self.count // PAGE_SIZE))

    @property
    def first_number(self) -> int:
        """The number of the first result on this page."""
        return (self.page - 1) * PAGE_SIZE + 1

    @property
    def orders(self) -> tuple[Order, ...]:
        """The orders to choose from."""
        current = self.choice.order
        return tuple(
            Order(str(label), self.choice.with_value("order", key).address, key == current)
            for key, label in _ORDERS.items()
        )

    @property
    def unfiltered(self) -> str:
        """The address without any filter."""
        return self.choice.unfiltered.address

    @property
    def first_page(self) -> str:
        """The address of the first page."""
        return self._address(1)

    @property
    def previous_page(self) -> str:
        """The address of the page before; empty on the first."""
        return self._address(self.page - 1) if self.page > 1 else ""

    @property
    def next_page(self) -> str:
        """The address of the page after; empty on the last."""
        return self._address(self.page + 1) if self.page < self.pages else ""

    def _address(self, page: int) -> str:
        return replace(self.choice, page=page).address


def result_page(choice: SearchChoice) -> ResultPage:
    """Return the page of what is asked for; one beyond the last that is counted is that last one."""
    choice = replace(choice, page=min(choice.page, _LAST_PAGE))
    order = next(known for known in _ORDERS if known == choice.order)
    found = search(
        choice.query,
        limit=PAGE_SIZE,
        offset=(choice.page - 1) * PAGE_SIZE,
        order=order,
        filters=choice.filters,
        wider=choice.wider_filters if choice.has_siblings else None,
    )
    cards = cards_by_id([hit.paper_id for hit in found.hits])
    counts = hit_facets(found.ids[:COUNTED_HITS], most_tags=_MOST_TAGS)
    beside = values_beside(found.wider_ids[:COUNTED_HITS], choice.filters) if found.wider_ids else {}
    return ResultPage(
        choice=choice,
        count=found.count,
        counted_of=max(found.count, len(found.wider_ids)),
        is_capped=found.count_capped,
        is_wordless=not found.query.included,
        results=tuple(_result(cards[hit.paper_id], hit) for hit in found.hits if hit.paper_id in cards),
        facets=tuple(search_facets(choice, counts, beside)) if found.ids or beside else (),
        chosen=tuple(chosen_filters(choice)),
    )


def _result(card: PaperCard, hit: Hit) -> Result:
    return Result(card, hit.title_zh, hit.title_en, hit.excerpt, hit.excerpt_language)
