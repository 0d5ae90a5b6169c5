"""Tags and authors by a part of their name, by way of the search index of papers."""

import re
import unicodedata
from collections.abc import Callable

from papers.models import PaperAuthor, PaperTag
from papers.queries.counted import AUTHORS, TAGS, CountPage, by_keys
from papers.queries.sql import rows
from papers.search.query import MIN_PREFIX, parse_query
from papers.search.results import FIELDS
from papers.search.text import CJK_CLASS
from papers.text import fold

# Papers looked at for names: the newest that have the words in their tags or authors.
_PAPERS = 1000
# Fewer letters than a search of papers asks for, since RL, 3D and Li are whole names. Two take 12 ms at most over
# 63,000 papers, one would take 48 ms.
_SHORTEST_PREFIX = 2
_MATCH = "SELECT rowid FROM papers_fts WHERE papers_fts MATCH %s ORDER BY rowid DESC LIMIT %s"
_LATIN = rf"[^\W_{CJK_CLASS}]"


def tags_like(text: str, *, limit: int) -> CountPage:
    """Return tags that hold `text`, those with most papers first."""
    found = PaperTag.objects.filter(paper__in=_papers("tag", text))
    holds = _holding(text)
    keys = {folded for folded, tag in found.values_list("folded", "tag").distinct() if holds(tag)}
    return by_keys(TAGS, keys, limit=limit)


def authors_like(text: str, *, limit: int) -> CountPage:
    """Return authors whose names hold each word of `text`, those with most papers first."""
    found = PaperAuthor.objects.filter(paper__in=_papers("author", text))
    all_hold = [_holding(word) for word in text.split()]
    names = found.values_list("name", flat=True).distinct()
    return by_keys(AUTHORS, {name for name in names if all(holds(name) for holds in all_hold)}, limit=limit)


def _holding(text: str) -> Callable[[str], bool]:
    """Return what tells whether a name holds `text`; one or two Latin letters must begin a word: "world" is no RL."""
    wanted = fold(_without_accents(text))
    if len(wanted) >= MIN_PREFIX or not re.match(_LATIN, wanted):
        return lambda name: wanted in fold(_without_accents(name))
    pattern = re.compile(rf"(?<!{_LATIN}){re.escape(wanted)}")
    return lambda name: pattern.search(_without_accents(name).casefold()) is not None


def _without_accents(text: str) -> str:
    """Return `text` as the index compares it: nobody types the accents of a name."""
    if text.isascii():
        return text
    return "".join(letter for letter in unicodedata.normalize("NFKD", text) if not unicodedata.combining(letter))


def _papers(field: str, text: str) -> list[int]:
    """Return ids of the newest papers that have each word of `text`, which may be unfinished, in the field."""
    words = (word.strip(":*-") for word in text.replace('"', " ").split())
    match = parse_query(" ".join(f"{field}:{word}*" for word in words), FIELDS, shortest_prefix=_SHORTEST_PREFIX).match
    return [row[0] for row in rows(_MATCH, match, _PAPERS)] if match else []
