r"""Finds formulas in running text: between dollar signs, or `\(…\)` and `\[…\]`.

A dollar sign is a price more often than mathematics. Pandoc's rule comes first: no blank after the opening sign or
before the closing one, and no digit after the closing one, but for signs such as
`$\sim$5`. Then what lies between has to look like a formula.
Finding takes time in proportion to the text: the inside of a formula never holds its own opening mark.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from papers.search.text import CJK_CLASS

# Characters of the longest formula; what is longer in an abstract is no formula.
MAX_LENGTH = 1000

_FORMULA = re.compile(
    rf"""
      \$\$ (?P<block>(?:[^$\\]|\\.){{1,{MAX_LENGTH}}}+) \$\$
    | \$ (?P<dollars>(?![\s$])(?:[^$\\]|\\.){{1,{MAX_LENGTH}}}+) \$
    | \\\( (?P<inline>(?:[^\\]|\\[^()]){{1,{MAX_LENGTH}}}+) \\\)
    | \\\[ (?P<display>(?:[^\\]|\\[^\[\]]){{1,{MAX_LENGTH}}}+) \\\]
    | (?:\\\\ | \\\$)                       # neither opens anything
    """,
    re.VERBOSE | re.DOTALL,
)
# Inside of a formula: text in braces, and whole commands, are no words.
_TEXT_COMMAND = re.compile(r"\\(?:text[a-z]*|mbox|hbox|mathrm|mathit|mathbf|operatorname\*?|unicode)\s*\{[^{}]*\}")
_COMMAND = re.compile(r"\\(?:[A-Za-z]+|.)", re.DOTALL)
# What prices and prose do not have.
_MATHEMATICAL = re.compile(r"[\\^_={}<>|+*]")
_WORD = re.compile(r"[A-Za-z]{2,}")
_LONG_WORD = re.compile(r"[A-Za-z]{4,}")
_CJK = re.compile(f"[{CJK_CLASS}\u3000-\u303f\uff00-\uff60]")
# A whole formula that is an amount: "5M–10M/", "1,000 and up".
_AMOUNT = re.compile(r"\d[\d,.]*\s*(?:[kKMBT]|bn|mn|million|billion|USD)?\b", re.ASCII)
# Words of a sentence that a formula rarely has, but two prices and what lies between them do.
_MOST_WORDS = 3


@dataclass(frozen=True, slots=True)
class Formula:
    """Where a formula stands in a text, its marks included, the TeX in it, and whether it has lines of its own."""

    start: int
    end: int
    tex: str
    is_display: bool


def find_formulas(text: str) -> Iterator[Formula]:
    """Yield the formulas of `text` in order; they never overlap."""
    place = 0
    while match := _FORMULA.search(text, place):
        formula = _formula(match)
        if formula:
            yield formula
        # After a price the next sign may still open a formula.
        place = match.end() if formula or not match.lastgroup else match.start() + _mark_length(match)


def formula_at(text: str, place: int) -> Formula | None:
    """Return the formula that begins at `place`."""
    match = _FORMULA.match(text, place)
    return _formula(match) if match else None


def _mark_length(match: re.Match[str]) -> int:
    return 1 if match.lastgroup == "dollars" else 2


def _formula(match: re.Match[str]) -> Formula | None:
    kind = match.lastgroup
    if kind is None:
        return None
    inside = match[kind]
    tex = inside.strip()
    if not tex or not _has_balanced_braces(tex):
        return None
    if kind in ("dollars", "block") and not _is_meant(match, inside, is_block=kind == "block"):
        return None
    return Formula(match.start(), match.end(), tex, kind in ("block", "display"))


def _is_meant(match: re.Match[str], inside: str, *, is_block: bool) -> bool:
    """Tell whether dollar signs hold a formula rather than prose between two prices."""
    if not is_block and (inside[-1].isspace() or _is_price_after(match, inside)):
        return False
    bare = _COMMAND.sub(" ", _TEXT_COMMAND.sub(" ", inside))
    if _CJK.search(bare):
        return False
    if not _MATHEMATICAL.search(inside):
        return _is_plain_formula(inside.strip(), match.string[match.start() - 1 : match.start()], 0 if is_block else 1)
    words = _LONG_WORD.findall(bare)
    starts_as_price = bool(_AMOUNT.match(inside)) and bool(re.match(r"[\d,.]+\S*\s+[a-z]{2,}\s", inside))
    return len(words) <= _MOST_WORDS and not starts_as_price


def _is_price_after(match: re.Match[str], inside: str) -> bool:
    r"""Tell whether the closing sign opens a price: in `$5-$20`, but not in `$\sim$20`, as many authors write."""
    is_before_digit = match.string[match.end() : match.end() + 1].isdigit()
    return is_before_digit and not re.match(r"\{?\\[A-Za-z]|[<>+-]\Z", inside)


def _is_plain_formula(inside: str, before: str, most_words: int) -> bool:
    """Judge one without any sign of mathematics: `n`, `O(n)`, `x, y`, `10`, but not `5 to 10` or `/2`."""
    if inside.count("(") != inside.count(")"):
        return False
    if before.isdigit() or inside[0] in ",.;:/)]":
        return False
    words = _WORD.findall(inside)
    return len(words) <= (0 if inside[0].isdigit() and " " in inside else most_words)


def _has_balanced_braces(tex: str) -> bool:
    depth = 0
    for brace in re.findall(r"\\.|[{}]", tex, re.DOTALL):
        depth += (brace == "{") - (brace == "}")
        if depth < 0:
            return False
    return depth == 0
