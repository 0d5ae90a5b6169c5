"""Text of papers and models as safe HTML, with its formulas as MathML."""

import re
from collections.abc import Callable
from html import escape

from django.utils.safestring import SafeString

from papers.mathematics.formulas import Formula, find_formulas
from papers.mathematics.mathml import mathml
from papers.mathematics.prose import HAS_TEX, Piece, Prose

# Beyond this a text is shown as it is: no abstract or summary is a tenth as long.
MAX_LENGTH = 50_000
# Formulas made into MathML in one text.
MAX_FORMULAS = 300
# Words that were set in mathematics for their font alone.
_WORDS = re.compile(r"\\(?:text[a-z]+|emph|underline)\s*\{[^{}$\\]*\}")
_PARAGRAPH = re.compile(r"\n\s*\n")


def math_html(text: str) -> SafeString:
    """Return `text` escaped, in one line, its formulas as MathML and its other TeX as it is meant."""
    return SafeString(_rendered(text, escape, has_display=False))


def math_paragraphs_html(text: str) -> SafeString:
    """Return `text` as paragraphs, with `<br>` for single line ends; formulas of their own lines have these."""
    parts = (part.strip() for part in _PARAGRAPH.split(text.replace("\r\n", "\n")))
    shown = (_rendered(part, _with_breaks, has_display=True) for part in parts if part)
    return SafeString("\n\n".join(f"<p>{part}</p>" for part in shown))


def pieces(text: str, *, has_display: bool = False) -> list[Piece]:
    """Return what is not shown as it is written: formulas and other TeX, in order, never overlapping."""
    if len(text) > MAX_LENGTH or not HAS_TEX.search(text):
        return []
    prose, place = Prose(text), 0
    for number, formula in enumerate(find_formulas(text) if "$" in text or "\\" in text else ()):
        if number == MAX_FORMULAS:
            break
        prose.read(place, formula.start)
        place = _add_formula(prose, formula, has_display=has_display)
    prose.read(place, len(text))
    return prose.pieces()


def formula_spans(text: str) -> list[tuple[int, int]]:
    """Return where formulas stand in `text`, so that a cut may spare them."""
    return (
        [(formula.start, formula.end) for formula in find_formulas(text[:MAX_LENGTH])] if HAS_TEX.search(text) else []
    )


def _rendered(text: str, plain: Callable[[str], str], *, has_display: bool) -> str:
    shown, done = [], 0
    for piece in pieces(text, has_display=has_display):
        shown += [plain(text[done : piece.start]), piece.html]
        done = piece.end
    return "".join([*shown, plain(text[done:])])


def _with_breaks(text: str) -> str:
    return escape(text).replace("\n", "<br>")


def _add_formula(prose: Prose, formula: Formula, *, has_display: bool) -> int:
    """Add `formula`; return from where to read on."""
    if _WORDS.fullmatch(formula.tex):
        length = 2 if formula.is_display else 1
        prose.add(Piece(formula.start, formula.start + length, ""))
        prose.read(formula.start + length, formula.end - length)
        prose.add(Piece(formula.end - length, formula.end, ""))
        return formula.end
    element = mathml(formula.tex, is_display=formula.is_display and has_display)
    if element is not None:
        prose.add(Piece(formula.start, formula.end, element, is_formula=True))
    return formula.end
