"""Marks the words of a query in a text, and cuts excerpts round them, as safe HTML.

SQLite's own `highlight()` and `snippet()` run the MATCH again for every row they are asked for; with a prefix that
joins the lists of thousands of words each time (the 25 rows of a page took 280 to 1,300 ms on 63,000 papers, and
3 ms here). What is marked follows `unicode61`: whole words, case and accents ignored, any punctuation between the
words of a phrase.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise

from django.utils.safestring import SafeString

from papers.mathematics.rendering import formula_spans, pieces
from papers.search.query import Query, Term
from papers.search.text import CJK_CLASS, indexed, is_cjk, restore

_LATIN = rf"(?:(?![{CJK_CLASS}])[^\W_])"
_TOKEN = re.compile(rf"[{CJK_CLASS}]|{_LATIN}+")
# Between the words of a phrase may stand anything that is no word; bounded, as nobody reads on over more.
_GAP = r"[\W_]{0,30}"
# Characters of an excerpt: about two lines. Chinese ones are twice as wide.
_LENGTH_LATIN, _LENGTH_CJK = 240, 130
# A first hit is shown with what stands before it, at best from the beginning of its clause.
_LEAD = 40
_CLAUSE = re.compile(r"[。！？；，：]|[.!?;,:](?=\s)")
_HITS_WEIGHED = 30


@dataclass(frozen=True)
class Excerpt:
    """A piece of a text as safe HTML, and whether anything in the text was looked for."""

    html: SafeString
    has_hits: bool


def marks(query: Query, column: str) -> re.Pattern[str]:
    """Return a pattern of what to mark in texts of `column`; it never matches where there is nothing."""
    terms = [term for term in query.included if not term.columns or column in term.columns]
    # Longest first: at one place the longest term is the one to mark.
    patterns = [_term_pattern(term) for term in sorted(terms, key=lambda term: -len(term.text))]
    return re.compile("|".join(filter(None, patterns)) or "(?!)")


def marked(text: str, pattern: re.Pattern[str]) -> SafeString:
    """Return the whole of `text`, escaped, with `<mark>` round the hits."""
    return _html(text, _spans(text, pattern))


def excerpt(text: str, pattern: re.Pattern[str]) -> Excerpt:
    """Return the piece of `text` with the most different hits, escaped and marked; without a hit, its beginning."""
    flowing = _flowing(text)
    length = _LENGTH_LATIN if flowing.isascii() else _LENGTH_CJK
    spans = _spans(flowing, pattern)
    start = _excerpt_start(flowing, _best_hit(flowing, spans, length), length)
    end = _excerpt_end(flowing, start + length)
    start, end = _sparing_formulas(flowing, start, end)
    inside = [(first - start, last - start) for first, last in spans if first >= start and last <= end]
    before, after = "…" if start else "", "…" if end < len(flowing) else ""
    return Excerpt(SafeString(f"{before}{_html(flowing[start:end].rstrip(), inside)}{after}"), bool(spans))


def _term_pattern(term: Term) -> str:
    tokens = _TOKEN.findall(_comparable(restore(indexed(term.text))))
    if not tokens:
        return ""
    last = tokens[-1]
    body = re.escape(tokens[0])
    for before, token in pairwise(tokens):
        touching = is_cjk(before) or is_cjk(token)
        body += (_GAP if touching else _GAP.replace("{0,", "{1,")) + re.escape(token)
    if term.prefix:
        body += f"{_LATIN}*"
    return body if is_cjk(last) else f"{body}(?!{_LATIN})"


def _spans(text: str, pattern: re.Pattern[str]) -> list[tuple[int, int]]:
    """Return where the hits are; hits that touch are one.

    That a hit begins with a word is asked here: a pattern that begins with letters alone is found ten times as fast.
    """
    spans: list[tuple[int, int]] = []
    for match in pattern.finditer(_comparable(text)):
        if _inside_word(text, match.start()):
            continue
        if spans and spans[-1][1] == match.start():
            spans[-1] = (spans[-1][0], match.end())
        else:
            spans.append(match.span())
    return spans


def _html(text: str, spans: Sequence[tuple[int, int]]) -> SafeString:
    """Return `text` escaped and marked, with its formulas; one with a hit inside stays as it was written."""
    shown, done = [], 0
    for piece in pieces(text):
        if piece.is_formula and any(start < piece.end and piece.start < end for start, end in spans):
            continue
        shown += [_marked(text, done, piece.start, spans), piece.html]
        done = piece.end
    return SafeString("".join([*shown, _marked(text, done, len(text), spans)]))


def _marked(text: str, first: int, last: int, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text from `first` to `last`; a hit that goes beyond is marked up to there."""
    shown, done = [], first
    for start, end in spans:
        begin, finish = max(start, first), min(end, last)
        if begin < finish:
            shown += [escape(text[done:begin]), "<mark>", escape(text[begin:finish]), "</mark>"]
            done = finish
    return "".join([*shown, escape(text[done:last])])


def _flowing(text: str) -> str:
    """Join the lines of `text`, without a blank between Chinese ones."""
    lines = [line.strip() for line in text.split("\n") if line.strip()]
    joined = ""
    for line in lines:
        joined += _joint(joined, line) + line
    return joined


def _joint(before: str, line: str) -> str:
    if not before or before[-1] in "。！？；，、：":
        return ""
    return "；" if is_cjk(before[-1]) or is_cjk(line[0]) else " "


def _best_hit(text: str, spans: list[tuple[int, int]], length: int) -> int:
    """Return where the hit stands from which the most different hits are within `length` characters."""
    weighed = spans[:_HITS_WEIGHED]
    comparable = _comparable(text)

    def different(start: int) -> int:
        near = [span for span in weighed if start <= span[0] and span[1] <= start + length - _LEAD]
        return len({comparable[first:last] for first, last in near})

    return max((start for start, _end in weighed), key=different, default=0)


def _excerpt_start(text: str, hit: int, length: int) -> int:
    earliest = max(0, min(hit - _LEAD, len(text) - length))
    if earliest == 0:
        return 0
    clauses = [match.end() for match in _CLAUSE.finditer(text, earliest, hit)]
    start = clauses[0] if clauses else _word_start(text, earliest, hit)
    return start + (len(text[start:hit]) - len(text[start:hit].lstrip()))


def _excerpt_end(text: str, end: int) -> int:
    if end >= len(text):
        return len(text)
    cut = end
    while cut > end - _LEAD and _inside_word(text, cut):
        cut -= 1
    return cut if not _inside_word(text, cut) else end


def _sparing_formulas(text: str, start: int, end: int) -> tuple[int, int]:
    """Move a cut that would part a formula outwards."""
    for first, last in formula_spans(text):
        if first < start < last:
            start = first
        if first < end < last:
            end = last
    return start, end


def _word_start(text: str, start: int, limit: int) -> int:
    while start < limit and _inside_word(text, start):
        start += 1
    return start


def _inside_word(text: str, position: int) -> bool:
    """Tell whether a cut before `position` would part a Latin word."""
    return 0 < position < len(text) and _is_latin(text[position - 1]) and _is_latin(text[position])


def _is_latin(character: str) -> bool:
    return character.isalnum() and not is_cjk(character)


class _Comparable(dict[int, str]):
    """One character for each, so that places in the text stay: lower case, without its accent."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        base = character if is_cjk(character) else unicodedata.normalize("NFD", character)[0]
        lower = base.lower()
        self[code] = lower if len(lower) == 1 else base
        return self[code]


_COMPARABLE = _Comparable()


# Letters with an accent, or whose lower case is longer; outside these, lower case is all there is to do. Chinese is
# outside, with its punctuation and the usual Western one, so that most texts are done at once.
_TO_TAKE_APART = re.compile(
    "[\u00c0-\u2001\u205f-\u2fff\ua000-\ua95f\ua980-\uabff\ufb00-\ufeff\U00010000-\U0001afef\U0001b170-\U0001ffff]"
)


def _comparable(text: str) -> str:
    return text.translate(_COMPARABLE) if _TO_TAKE_APART.search(text) else text.lower()
