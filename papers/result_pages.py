"""One page of search results, with the addresses of the others."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from papers.queries import PaperCard, cards_by_id
from papers.search.results import MAX_COUNT, Hit, search
from papers.search.results import Order as OrderName

PAGE_SIZE = 20
_LAST_PAGE = MAX_COUNT // PAGE_SIZE
_ORDERS: dict[OrderName, Promise] = {"relevance": _("按相关"), "newest": _("按日期"), "upvotes": _("按票数")}
_FIRST_ORDER: OrderName = "relevance"


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
    """One page of what a query found; pages are counted from 1."""

    query: str
    order: str
    page: int
    count: int
    is_capped: bool
    is_wordless: bool
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
        return tuple(Order(str(label), self._address(1, key), key == self.order) for key, label in _ORDERS.items())

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
        if order != _FIRST_ORDER:
            parameters["order"] = order
        if page > 1:
            parameters["page"] = page
        return "?" + urlencode(parameters)


def result_page(query: str, *, page: str = "", order: str = "") -> ResultPage:
    """Return the page `page` of what `query` finds; what is no page number or no order stands for the first."""
    number = min(_page_number(page), _LAST_PAGE)
    chosen = next((known for known in _ORDERS if known == order), _FIRST_ORDER)
    found = search(query, limit=PAGE_SIZE, offset=(number - 1) * PAGE_SIZE, order=chosen)
    cards = cards_by_id([hit.paper_id for hit in found.hits])
    return ResultPage(
        query=query,
        order=chosen,
        page=number,
        count=found.count,
        is_capped=found.count_capped,
        is_wordless=not found.query.included,
        results=tuple(_result(cards[hit.paper_id], hit) for hit in found.hits if hit.paper_id in cards),
    )


def _result(card: PaperCard, hit: Hit) -> Result:
    return Result(card, hit.title_zh, hit.title_en, hit.excerpt, hit.excerpt_language)


def _page_number(text: str) -> int:
    # Bounded before it is read: Python refuses to read a number of thousands of digits.
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) <= 6 else 1
