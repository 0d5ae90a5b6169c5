"""One page of search results, with the addresses of the others."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from papers.queries import PaperCard, cards_by_id

PAGE_SIZE = 20
RELEVANCE, NEWEST = "relevance", "newest"


@dataclass(frozen=True, slots=True)
class Result:
    """A paper that was found, with the hits marked: HTML made safe by the search."""

    card: PaperCard
    title_zh: SafeString
    title_en: SafeString
    excerpt: SafeString


@dataclass(frozen=True, slots=True)
class Order:
    """A choice of order."""

    label: str
    address: str
    is_current: bool


@dataclass(frozen=True, slots=True)
class ResultPage:
    """One page of what a query found; pages are counted from 1."""

    query: str
    order: str
    page: int
    count: int
    is_capped: bool
    results: tuple[Result, ...]

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
        labels = ((RELEVANCE, _("按相关")), (NEWEST, _("按日期")))
        return tuple(Order(label, self._address(1, order), order == self.order) for order, label in labels)

    @property
    def first_page(self) -> str:
        """The address of the first page."""
        return self._address(1, self.order)

    @property
    def previous_page(self) -> str:
        """The address of the page before; empty on the first."""
        return self._address(self.page - 1, self.order) if self.page > 1 else ""

    @property
    def next_page(self) -> str:
        """The address of the page after; empty on the last."""
        return self._address(self.page + 1, self.order) if self.page < self.pages else ""

    def _address(self, page: int, order: str) -> str:
        parameters: dict[str, str | int] = {"q": self.query}
        if order != RELEVANCE:
            parameters["order"] = order
        if page > 1:
            parameters["page"] = page
        return "?" + urlencode(parameters)


def result_page(query: str, *, page: str = "", order: str = "") -> ResultPage:
    """Return the page `page` of what `query` finds; what is no page number or no order stands for the first."""
    from papers.search.results import COUNT_CAP, search

    number = min(_page_number(page), COUNT_CAP // PAGE_SIZE + 1)
    order = order if order in (RELEVANCE, NEWEST) else RELEVANCE
    found = search(query, limit=PAGE_SIZE, offset=(number - 1) * PAGE_SIZE, order=order)
    cards = cards_by_id([hit.paper_id for hit in found.hits])
    results = tuple(
        Result(cards[hit.paper_id], hit.title_zh, hit.title_en, hit.excerpt)
        for hit in found.hits
        if hit.paper_id in cards
    )
    return ResultPage(query, order, number, found.count, found.count_capped, results)


def _page_number(text: str) -> int:
    # Bounded before it is read: Python refuses to read a number of thousands of digits.
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) <= 6 else 1
