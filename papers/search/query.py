"""What a person types into a search box, read and turned into an FTS5 MATCH expression.

Words are ANDed; `"…"` is a phrase; `-word` excludes; `title:word` looks in some columns only; the last Latin word is
a prefix. Every input is valid: whatever has no meaning here is left out or taken as words.

Words written without a blank between them (`low-rank`, `扩散模型`, `GPT模型`) are a phrase. Adding "or all of its
two-character pieces" was tried with 56 queries on 63,000 real papers, judged by their English abstracts: overlapping
pieces raise recall from .61 to .62 and lower precision from .86 to .83 at three times the cost; separate ones raise
recall to .69 and lower precision to .57. The first 25 hits are no better. So a phrase stays a phrase; a reader who
wants more puts a blank.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache

from papers.search.text import has_token, indexed, is_cjk
from papers.text import without_controls

# Bounds on the work one search can ask for.
MAX_LENGTH = 300
MAX_TERMS = 12
# A shorter prefix would stand for thousands of words.
MIN_PREFIX = 3

# Chinese keyboards give these where the syntax has ASCII; the zero-width space is the index's own.
_KEYS = str.maketrans({"“": '"', "”": '"', "„": '"', "＂": '"', "：": ":", "－": "-", "＊": "*", "\u200b": None})

Fields = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True)
class Term:
    """One thing to look for: a word or a phrase, in all columns or in some."""

    text: str
    columns: tuple[str, ...] = ()
    excluded: bool = False
    quoted: bool = False
    prefix: bool = False


@dataclass(frozen=True)
class Query:
    """What was understood of an input, in the order typed."""

    terms: tuple[Term, ...] = ()

    @property
    def included(self) -> tuple[Term, ...]:
        """The terms a hit must have."""
        return tuple(term for term in self.terms if not term.excluded)

    @property
    def excluded(self) -> tuple[Term, ...]:
        """The terms a hit must not have."""
        return tuple(term for term in self.terms if term.excluded)

    @cached_property
    def match(self) -> str:
        """The MATCH expression; empty where there is nothing to look for, so that nothing is found.

        An input that only excludes has nothing to look for.
        """
        if not self.included:
            return ""
        wanted = " AND ".join(_expression(term) for term in self.included)
        if not self.excluded:
            return wanted
        return f"({wanted}) NOT ({' OR '.join(_expression(term) for term in self.excluded)})"


def parse_query(text: str, fields: Fields, *, shortest_prefix: int = MIN_PREFIX) -> Query:
    """Read an input of any kind and length.

    `fields` gives the columns behind each field name, in lower case. Only the first `MAX_LENGTH` characters and
    `MAX_TERMS` terms count. Words with fewer than `shortest_prefix` letters are never taken as unfinished.
    """
    typed = without_controls(text.strip()[:MAX_LENGTH]).translate(_KEYS)
    found = (_term(match, fields, shortest_prefix) for match in _grammar(tuple(fields)).finditer(typed))
    terms = [term for term in found if term is not None][:MAX_TERMS]
    return Query(tuple(_with_last_prefix(terms, shortest_prefix)))


@lru_cache(maxsize=8)
def _grammar(names: tuple[str, ...]) -> re.Pattern[str]:
    field = f"(?:{'|'.join(map(re.escape, names))})" if names else "(?!)"
    return re.compile(
        rf"""
        (?P<minus>-(?=\S))?
        (?:(?P<field>{field})\s*:\s*(?!{field}\s*:)(?=\S))?     # "title: x" is "title:x"
        (?:"(?P<phrase>[^"]*)"? | (?P<word>[^\s"]+))            # a quote left open ends with the input
        """,
        re.VERBOSE | re.IGNORECASE,
    )


def _term(match: re.Match[str], fields: Fields, shortest_prefix: int) -> Term | None:
    quoted = match["phrase"] is not None
    text = match["phrase"] if quoted else match["word"]
    unfinished = not quoted and text.endswith(":") and text[:-1].lower() in fields
    if unfinished or not has_token(text):
        return None
    name = (match["field"] or "").lower()
    term = Term(text, fields[name] if name else (), excluded=bool(match["minus"]), quoted=quoted)
    if not _is_starred(term):
        return term
    return replace(term, text=text.rstrip("*"), prefix=_can_be_prefix(text.rstrip("*"), shortest_prefix))


def _is_starred(term: Term) -> bool:
    return not term.quoted and term.text.endswith("*")


def _with_last_prefix(terms: list[Term], shortest: int) -> list[Term]:
    """Make the last Latin word a prefix: it may be unfinished."""
    latin = [position for position, term in enumerate(terms) if not term.excluded and _has_latin(term.text)]
    if latin and not terms[latin[-1]].quoted:
        last = terms[latin[-1]]
        terms[latin[-1]] = replace(last, prefix=last.prefix or _can_be_prefix(last.text, shortest))
    return terms


def _has_latin(text: str) -> bool:
    return any(has_token(character) and not is_cjk(character) for character in text)


def _can_be_prefix(text: str, shortest: int) -> bool:
    last = text[-1]
    return len(text) >= shortest and has_token(last) and not is_cjk(last)


def _expression(term: Term) -> str:
    expression = _quoted(term.text) + ("*" if term.prefix else "")
    if not term.columns:
        return expression
    return f"{{{' '.join(term.columns)}}} : {expression}"


def _quoted(text: str) -> str:
    return '"' + indexed(text).replace('"', '""') + '"'
