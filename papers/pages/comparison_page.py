"""What the page of a comparison shows round the comparison itself: adding, removing, and what could not be used."""

from collections.abc import Sequence
from dataclasses import dataclass

from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.comparison import MARKS, Comparison, compare
from papers.models import Paper
from papers.pages.comparison_address import FEWEST, MOST, AskedPapers, comparison_address
from papers.queries.cards import PaperCard, cards_by_id
from papers.queries.paper import is_known
from papers.search.results import search

# Papers offered for words.
_OFFERED = 8
_LONGEST_WORDS = 400


@dataclass(frozen=True, slots=True)
class Place:
    """A paper's place in the comparison, and the addresses that change it."""

    paper: Paper
    mark: str
    without: str
    earlier: str


@dataclass(frozen=True, slots=True)
class Offer:
    """A paper that can be added, and the address of the comparison with it."""

    card: PaperCard
    address: str


@dataclass(frozen=True, slots=True)
class ComparisonPage:
    """A comparison and what can be done with it. `wanted` is what a reader wants to add: words, or an id."""

    places: tuple[Place, ...]
    comparison: Comparison
    ids: str
    unreadable: tuple[str, ...]
    unknown: tuple[str, ...]
    left_over: tuple[str, ...]
    wanted: str
    offers: tuple[Offer, ...]
    joined: str = ""

    @property
    def has_room(self) -> bool:
        """Whether one more paper fits beside these."""
        return len(self.places) < MOST

    @property
    def is_complete(self) -> bool:
        """Whether there is something to compare."""
        return len(self.places) >= FEWEST


def comparison_page(asked: AskedPapers, papers: Sequence[Paper], *, wanted: str = "") -> ComparisonPage:
    """Return the page of `papers`, which are those of `asked` that are known, in its order."""
    ids = [paper.arxiv_id for paper in papers]
    wanted = wanted.strip()[:_LONGEST_WORDS] if len(ids) < MOST else ""
    wanted_id = _known_id(wanted)
    return ComparisonPage(
        places=tuple(_place(paper, index, ids) for index, paper in enumerate(papers)),
        comparison=compare(papers),
        ids=",".join(ids),
        unreadable=asked.unreadable,
        unknown=tuple(arxiv_id for arxiv_id in asked.compared if arxiv_id not in ids),
        left_over=asked.left_over,
        wanted=wanted,
        offers=() if wanted_id or not wanted else _offers(wanted, ids),
        joined=comparison_address([*ids, wanted_id]) if wanted_id and wanted_id not in ids else "",
    )


def _place(paper: Paper, index: int, ids: list[str]) -> Place:
    swapped = ids.copy()
    swapped.insert(index - 1, swapped.pop(index))
    return Place(
        paper=paper,
        mark=MARKS[index],
        without=comparison_address(ids[:index] + ids[index + 1 :]),
        earlier=comparison_address(swapped) if index else "",
    )


def _known_id(text: str) -> str:
    try:
        plain, _version = split_arxiv_id(text)
    except InvalidArxivId:
        return ""
    return plain if is_known(plain) else ""


def _offers(words: str, ids: list[str]) -> tuple[Offer, ...]:
    found = search(words, limit=_OFFERED + len(ids))
    cards = cards_by_id([hit.paper_id for hit in found.hits])
    free = [card for card in cards.values() if card.arxiv_id not in ids]
    return tuple(Offer(card, comparison_address([*ids, card.arxiv_id])) for card in free[:_OFFERED])
