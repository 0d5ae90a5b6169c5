"""The address of a comparison: which papers are asked for, and in what order.

Ids are written as people have them (with a version, as an address), once or several times, or wrongly. What can be
used is kept in its order, and the rest is named.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from django.urls import reverse

from papers.arxiv_ids import InvalidArxivId, split_arxiv_id

FEWEST = 2
MOST = 4
# Characters read of an address, and ids named of it: more was not made by a reader.
_LONGEST = 4000
_NAMED = 20
_LONGEST_NAME = 80


@dataclass(frozen=True, slots=True)
class AskedPapers:
    """What an address asks for: ids in order and once each, and what is no id."""

    ids: tuple[str, ...]
    unreadable: tuple[str, ...]

    @property
    def compared(self) -> tuple[str, ...]:
        """The ids that fit beside each other."""
        return self.ids[:MOST]

    @property
    def left_over(self) -> tuple[str, ...]:
        """The ids beyond those."""
        return self.ids[MOST:]


def read_ids(values: Iterable[str]) -> AskedPapers:
    """Return what the values of the parameter `ids` ask for, each of them one id or several with commas between."""
    written = ",".join(values)[:_LONGEST].split(",")
    ids: dict[str, None] = {}
    unreadable: dict[str, None] = {}
    for text in filter(None, map(str.strip, written)):
        try:
            ids[split_arxiv_id(text)[0]] = None
        except InvalidArxivId:
            unreadable[text[:_LONGEST_NAME]] = None
    return AskedPapers(tuple(ids)[:_NAMED], tuple(unreadable)[:_NAMED])


def comparison_address(ids: Sequence[str]) -> str:
    """Return the address of the comparison of these papers, in this order."""
    address = reverse("papers:compare")
    return f"{address}?ids={quote(','.join(ids), safe=',/')}" if ids else address
