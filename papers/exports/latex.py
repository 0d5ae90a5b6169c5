"""Text as LaTeX that BibTeX can hold: accents as commands, nothing special left, mathematics kept as it is.

Letters that LaTeX has no command for, Chinese among them, stay as they are: the file is UTF-8.
"""

import re
import unicodedata
from functools import lru_cache

from pylatexenc.latexencode import RULE_CALLABLE, RULE_DICT, UnicodeToLatexConversionRule, UnicodeToLatexEncoder

# A dollar opens mathematics where no blank follows it, and closes it where none precedes and no digit follows: prices
# ($5 to $10) do neither.
_MATHEMATICS = re.compile(r"(?<![\\$])\$(?![\s$])([^$\n]{1,500}?)(?<![\s\\])\$(?![\d$])|\\\(([^\n]{1,500}?)\\\)")
# What is plainly mathematics between two dollars: a command, an index, a relation, or a name without blanks.
_SIGNS = re.compile(r"[\\^_=<>{}|+*/]")

# BibTeX counts braces whether or not they are escaped, so that one alone must go by its name.
_OWN = {
    ord("{"): r"{\textbraceleft}",
    ord("}"): r"{\textbraceright}",
    ord('"'): '"',
    ord("‘"): "`",
    ord("’"): "'",
    ord("“"): "``",
    ord("”"): "''",
    ord("–"): "--",
    ord("—"): "---",
    ord("…"): r"{\ldots}",
    ord("\u00a0"): "~",
    ord("\u200b"): "",
}
_ACCENTS = {
    "\u0300": "`",
    "\u0301": "'",
    "\u0302": "^",
    "\u0303": "~",
    "\u0304": "=",
    "\u0306": "u",
    "\u0307": ".",
    "\u0308": '"',
    "\u030a": "r",
    "\u030b": "H",
    "\u030c": "v",
    "\u0323": "d",
    "\u0327": "c",
    "\u0328": "k",
    "\u0331": "b",
}
_BRACE = re.compile(r"[{}]")
_SPECIAL = re.compile(r"[^A-Za-z0-9 .,:;()?!'/+*=@`|\[\]-]")
# Some sources hold titles as authors typed them: \& for an ampersand, \'e for an accent.
_TEX_SIGN = re.compile(r"\\([&%$#_])")
_TEX_ACCENT = re.compile(r"""\{?\\(?:(["'`^~=.])\s*|([uvHcdbkr])(?:\s+|(?=\{)))(?:\{([A-Za-z])\}|([A-Za-z]))\}?""")
_BY_COMMAND = {command: accent for accent, command in _ACCENTS.items()}


def _accented(text: str, position: int) -> tuple[int, str] | None:
    """Return the commands for a letter with accents that the tables do not know, as Vietnamese has."""
    base, *accents = list(unicodedata.normalize("NFD", text[position]))
    if not accents or not (base.isascii() and base.isalpha()) or not all(accent in _ACCENTS for accent in accents):
        return None
    commands = base
    for accent in accents:
        commands = f"{{\\{_ACCENTS[accent]}{{{commands}}}}}"
    return 1, commands


_ENCODER = UnicodeToLatexEncoder(
    conversion_rules=[
        UnicodeToLatexConversionRule(RULE_DICT, _OWN, replacement_latex_protection="none"),
        "defaults",
        UnicodeToLatexConversionRule(RULE_CALLABLE, _accented, replacement_latex_protection="none"),
    ],
    replacement_latex_protection="braces-all",
    unknown_char_policy="keep",
    unknown_char_warning=False,
)


def latex(text: str) -> str:
    """Return `text` with mathematics kept and all else escaped; its braces are balanced."""
    return "".join(piece if is_math else escaped(piece) for piece, is_math in pieces(text))


def latex_title(text: str) -> str:
    """Return a title as LaTeX in which no style may change a capital letter or anything in mathematics."""
    return "".join(f"{{{piece}}}" if is_math else re.sub(r"\S+", _protected, piece) for piece, is_math in pieces(text))


def escaped(text: str) -> str:
    """Return `text` with everything special to LaTeX escaped."""
    return _SPECIAL.sub(lambda match: _letter(match[0]), unicodedata.normalize("NFC", _without_tex(text)))


@lru_cache(maxsize=10_000)
def _letter(letter: str) -> str:
    # The encoder takes a tenth of a millisecond for each; a text has few different ones.
    return _ENCODER.unicode_to_latex(letter)


def pieces(text: str) -> list[tuple[str, bool]]:
    """Return the text in pieces, each with whether it is mathematics, which comes with its delimiters."""
    found: list[tuple[str, bool]] = []
    end = 0
    for match in _MATHEMATICS.finditer(text):
        if not _is_mathematics(match[1] or match[2]):
            continue
        found += [(text[end : match.start()], False), (_without_comments(match[0]), True)]
        end = match.end()
    return [(piece, is_math) for piece, is_math in [*found, (text[end:], False)] if piece]


def is_balanced(text: str) -> bool:
    """Tell whether braces close what they open, as BibTeX counts them: escaped ones too."""
    depth = 0
    for brace in _BRACE.findall(text):
        depth += 1 if brace == "{" else -1
        if depth < 0:
            return False
    return depth == 0


def _without_tex(text: str) -> str:
    """Return `text` with TeX's own spellings of signs and accented letters read."""
    if "\\" not in text:
        return text
    return _TEX_SIGN.sub(r"\1", _TEX_ACCENT.sub(_composed, text))


def _composed(match: re.Match[str]) -> str:
    letter, accent = match[3] or match[4], _BY_COMMAND[match[1] or match[2]]
    composed = unicodedata.normalize("NFC", letter + accent)
    return composed if len(composed) == 1 else match[0]


def _is_mathematics(inside: str) -> bool:
    if not is_balanced(inside):
        return False
    return bool(_SIGNS.search(inside)) or not re.search(r"\s", inside)


def _without_comments(text: str) -> str:
    # A percent sign would make a comment of the rest of the line.
    return re.sub(r"(?<!\\)%", r"\\%", text)


def _protected(word: re.Match[str]) -> str:
    match = re.fullmatch(r"(\W*)(.*?)(\W*)", word[0], re.DOTALL)
    if match is None or not any(letter.isupper() for letter in match[2]):
        return escaped(word[0])
    return f"{escaped(match[1])}{{{escaped(match[2])}}}{escaped(match[3])}"
