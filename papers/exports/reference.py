"""A paper as something to cite: cleaned, with names in parts and a key of its own."""

import datetime as dt
import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from papers import arxiv_ids
from papers.exports.names import PersonName, split_name
from papers.models import Paper
from papers.queries.tags import distinct_tags
from papers.text import one_line

_MOST_KEYWORDS = 20
# Letters that Unicode does not take apart into an ASCII letter and an accent.
_ASCII = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ß": "ss", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h", "ŋ": "n"}
)
# Words that say nothing of which paper it is.
_SMALL_WORDS = frozenset(
    (
        *("a", "an", "and", "are", "as", "at", "by", "can", "do", "does", "for", "from", "how", "in", "is", "it", "of"),
        *("on", "or", "the", "to", "what", "when", "why"),
    )
)
_LONGEST_PART = 30


@dataclass(frozen=True, slots=True)
class Reference:
    """What the formats write of a paper; every text is one line without control characters."""

    key: str
    arxiv_id: str
    title: str
    title_zh: str
    authors: tuple[PersonName, ...]
    date: dt.date
    abstract: str
    one_line: str
    keywords: tuple[str, ...]
    categories: tuple[str, ...]
    version: int | None

    @property
    def url(self) -> str:
        """The paper's page at arXiv."""
        return arxiv_ids.abstract_address(self.arxiv_id)

    @property
    def pdf_url(self) -> str:
        """The paper's PDF at arXiv."""
        return arxiv_ids.pdf_address(self.arxiv_id)

    @property
    def doi(self) -> str:
        """The DOI that arXiv registers for every paper; see https://info.arxiv.org/help/doi.html."""
        return f"10.48550/arXiv.{self.arxiv_id}"


def reference(paper: Paper) -> Reference:
    """Return `paper` as a reference; its summary, authors and tags had best be loaded with it."""
    stored = getattr(paper, "summary", None)
    return reference_of(
        paper,
        authors=[author.name for author in paper.authors.all()],
        tags=distinct_tags(paper.tags.all()),
        summary_line=(stored.one_line or "") if stored else "",
    )


def reference_of(paper: Paper, *, authors: Iterable[str], tags: Sequence[str], summary_line: str) -> Reference:
    """Return `paper` as a reference, with its authors in order, its tags and the one line of its summary."""
    names = tuple(name for author in authors if (name := split_name(author)))
    arxiv_id = _plain_id(paper.arxiv_id)
    title = one_line(paper.title_en) or arxiv_id
    date = paper.published_at or paper.paper_date
    return Reference(
        key=_key(names, date.year, title, arxiv_id),
        arxiv_id=arxiv_id,
        title=title,
        title_zh=one_line(paper.title_zh or ""),
        authors=names,
        date=date,
        abstract=one_line(paper.abstract or ""),
        one_line=one_line(summary_line),
        keywords=tuple(map(one_line, tags[:_MOST_KEYWORDS])),
        categories=tuple(re.sub(r"[^\w.-]", "", category, flags=re.ASCII) for category in paper.category_list),
        version=paper.version,
    )


def _plain_id(arxiv_id: str) -> str:
    # Held to what an id is made of, since it goes into keys and addresses.
    return re.sub(r"[^\w./-]", "", arxiv_id, flags=re.ASCII)


def _key(authors: tuple[PersonName, ...], year: int, title: str, arxiv_id: str) -> str:
    """Return a key such as `vaswani2017attention-1706.03762`.

    The id at its end keeps it unique over all exports, and the same whatever else is exported with the paper.
    """
    name = next((part for author in authors if (part := _ascii_word(author.sorted_by))), "anonymous")
    words = (_ascii_word(word) for word in re.split(r"[\s:/–—-]+", title))
    word = next((word for word in words if word and word not in _SMALL_WORDS), "")
    return f"{name}{year}{word}-{arxiv_id.replace('/', '-')}"


def _ascii_word(text: str) -> str:
    decomposed = unicodedata.normalize("NFKD", text.casefold().translate(_ASCII))
    return re.sub(r"[^a-z0-9]", "", decomposed)[:_LONGEST_PART]
