r"""TeX outside of mathematics as authors leave it in abstracts: `\emph{x}`, `5\%`, `Schr\"odinger`, quotes, ties.

Each thing that means something becomes a piece: a stretch of the text and what is shown in its place. A command that
is not known, a brace that is not closed, a path or a regular expression stay as they are.
"""

import re
import unicodedata
from dataclasses import dataclass
from html import escape

# Groups open at once; the rest of a deeper text stays as it is.
MAX_DEPTH = 16


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of a text and the safe HTML shown in its place; one inside a formula is never taken apart."""

    start: int
    end: int
    html: str
    is_formula: bool = False


# Groups by command: what is put before and after their content.
_MARKUP: dict[str, tuple[str, str]] = {
    **dict.fromkeys(("emph", "textit", "textsl", "em", "it", "sl"), ("<em>", "</em>")),
    **dict.fromkeys(("textbf", "bf"), ("<strong>", "</strong>")),
    **dict.fromkeys(("texttt", "tt"), ("<code>", "</code>")),
    "textsuperscript": ("<sup>", "</sup>"),
    "textsubscript": ("<sub>", "</sub>"),
    "footnote": (" (", ")"),
}
_PLAIN_GROUPS = "textsc|textsf|textrm|textnormal|textup|text|mbox|underline|uline|url|textcolor|sc|rm|sf"
_GROUPS = "|".join(sorted([*_MARKUP, *_PLAIN_GROUPS.split("|")], key=len, reverse=True))
_SWITCHES = "em|it|sl|bf|tt|sc|rm|sf"

# The only letters these commands stand for; TeX swallows the blank behind them.
_LETTERS = {
    **{"ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å", "AA": "Å", "o": "ø", "O": "Ø", "l": "ł"},
    **{"L": "Ł", "i": "ı", "j": "ȷ", "dh": "ð", "th": "þ"},
}
_SYMBOLS = {
    **{"LaTeX": "LaTeX", "TeX": "TeX", "eg": "e.g.", "ie": "i.e.", "etal": "et al.", "deg": "°", "degree": "°"},
    **{"times": "×", "pm": "±", "sim": "∼", "approx": "≈", "leq": "≤", "le": "≤", "geq": "≥", "ge": "≥", "neq": "≠"},
    **{"rightarrow": "→", "to": "→", "leftarrow": "←", "cdot": "·", "ell": "ℓ", "ldots": "…", "dots": "…"},
    **{"infty": "∞", "alpha": "α", "beta": "β", "gamma": "γ", "delta": "δ", "epsilon": "ε", "lambda": "λ", "mu": "μ"},
    **{"pi": "π", "sigma": "σ", "tau": "τ", "theta": "θ", "omega": "ω", "textgreater": ">", "textless": "<"},
    **{"textregistered": "®", "texttrademark": "™", "copyright": "©", "dag": "†", "dagger": "†", "S": "§"},
    **{"textendash": "–", "textemdash": "—", "textasciitilde": "~", "textpertenthousand": "‱", "textdegree": "°"},
}
_ACCENTS = {
    **{"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "=": "\u0304", ".": "\u0307"},
    **{"u": "\u0306", "v": "\u030c", "H": "\u030b", "c": "\u0327", "k": "\u0328", "r": "\u030a", "d": "\u0323"},
}
_SPACES = {",": "\u2009", ";": " ", " ": " ", "!": "", "-": "", "/": ""}
_TYPOGRAPHY = {"``": "“", "''": "”", "---": "—", "--": "–", "~": "\u00a0"}

_BASE = r"(?:\s?\{\s*(?P<%s>\\?[A-Za-z])\s*\}|(?P<%s>\\[ij](?![A-Za-z])|[A-Za-z]))"
_TOKEN = re.compile(
    rf"""
      \\(?P<accent>['`^"~=.]){_BASE % ("braced", "bare")}
    | \\(?P<named>[uvHckrd])(?:\{{(?P<of>\\?[A-Za-z])\}}|(?<=[cvH])[ ](?P<next>[A-Za-z])(?=[a-z]))
    | \\href\s*\{{(?P<address>[^{{}}\s]{{1,500}}+)\}}\s*\{{
    | \\cite[a-z]*\*?(?:\[[^\]]{{0,80}}\]){{0,2}}\{{(?P<cited>[^{{}}\\]{{1,300}}+)\}}
    | \\textcolor\s*\{{[^{{}}]{{1,40}}\}}\s*\{{
    | \\(?P<group>{_GROUPS})\s*\{{
    | \{{\\(?P<switch>{_SWITCHES})(?![A-Za-z])\s*
    | \\(?P<letter>{"|".join(sorted(_LETTERS, key=len, reverse=True))})(?:\{{\}}|[ ]|(?![A-Za-z]))
    | \\(?P<symbol>{"|".join(sorted(_SYMBOLS, key=len, reverse=True))})(?![A-Za-z])(?:\{{\}})?
    | \\(?P<escaped>[%&$\#_{{}}"'])
    | \\(?P<space>[,; !/]|-(?=[A-Za-z]))
    | (?P<newline>\\\\)(?=\s|$)
    | (?P<wrapped>\{{)(?=\\(?:["'`^~=.]\\?|[uvHckrd][ ]?)(?:\{{\\?[A-Za-z]\}}|[A-Za-z])\}})
    | (?P<opening>\{{)
    | (?P<closing>\}})
    | (?<!`)(?P<quoted>``)(?!`)
    | (?P<unquoted>'')
    | (?<=[A-Za-z0-9\s])(?P<dash>---)(?=[A-Za-z0-9\s])
    | (?<=[A-Za-z0-9])(?P<range>--)(?=[A-Za-z0-9])
    | (?<=[a-z.)])(?P<tie>~)(?=[A-Za-z0-9\\$(\[])
    """,
    re.VERBOSE,
)
# Nothing of all this begins otherwise.
HAS_TEX = re.compile(r"[\\$~`]|--")


class Prose:
    """Reads a text from left to right, and gathers pieces; groups that are never closed leave none."""

    def __init__(self, text: str) -> None:
        """Begin at the start of `text`."""
        self._text = text
        self._pieces: list[Piece | None] = []
        # For each open group: the place of its opening piece, and what closes it (None: braces of the text itself).
        self._open: list[tuple[int, str | None]] = []
        self._quotes = 0

    def read(self, start: int, end: int) -> None:
        """Read a stretch in which no formula stands."""
        place = start
        while place < end and (match := _TOKEN.search(self._text, place, end)):
            place = match.end()
            if match["opening"]:
                self._push(None)
            elif match["closing"]:
                self._close(match)
            elif opening := _opening(match):
                self._push_piece(match, *opening)
            else:
                self._replace(match)

    def add(self, piece: Piece) -> None:
        """Add a formula."""
        self._pieces.append(piece)

    def pieces(self) -> list[Piece]:
        """Return all pieces, in order."""
        for index, closing in self._open:
            if closing is not None:
                self._pieces[index] = None
        return [piece for piece in self._pieces if piece is not None]

    def _push(self, closing: str | None) -> None:
        self._open.append((len(self._pieces) - 1, closing))

    def _push_piece(self, match: re.Match[str], before: str, after: str) -> None:
        if len(self._open) >= MAX_DEPTH:
            self._push(None)
            return
        self._pieces.append(Piece(match.start(), match.end(), before))
        self._push(after)

    def _close(self, match: re.Match[str]) -> None:
        if not self._open:
            return
        _index, closing = self._open.pop()
        if closing is not None:
            self._pieces.append(Piece(match.start(), match.end(), closing))

    def _replace(self, match: re.Match[str]) -> None:
        shown = self._typography(match) if match["quoted"] or match["unquoted"] else _shown(match)
        if shown is not None:
            self._pieces.append(Piece(match.start(), match.end(), escape(shown)))

    def _typography(self, match: re.Match[str]) -> str | None:
        """Return a quotation mark; a closing one only after an opening one, since '' may also be inches."""
        if match["quoted"]:
            self._quotes += 1
        elif not self._quotes:
            return None
        else:
            self._quotes -= 1
        return _TYPOGRAPHY[match[0]]


def _opening(match: re.Match[str]) -> tuple[str, str] | None:
    """Return what stands round the group that `match` opens, or None where it opens none."""
    if match["address"]:
        address = match["address"]
        # No link: a title is inside of one already. The address is said, unless it is the text.
        is_said = match.string.startswith(address, match.end())
        return "", "" if is_said else f" ({escape(address)})"
    command = match["group"] or match["switch"]
    if command:
        return _MARKUP.get(command, ("", ""))
    return ("", "") if match["wrapped"] or match[0].startswith("\\textcolor") else None


def _shown(match: re.Match[str]) -> str | None:
    """Return what is shown in place of `match`, or None where it stays."""
    kind = match.lastgroup
    if match["accent"] or match["named"]:
        return _accented(match)
    if match["cited"]:
        return f"[{match['cited']}]"
    if match["letter"]:
        return _LETTERS[match["letter"]]
    if match["symbol"]:
        return _SYMBOLS[match["symbol"]]
    if match["space"]:
        return _SPACES[match["space"]]
    if kind == "newline":
        return " "
    return match["escaped"] or _TYPOGRAPHY.get(match[0])


def _accented(match: re.Match[str]) -> str | None:
    mark = match["accent"] or match["named"]
    base = (match["braced"] or match["bare"] or match["of"] or match["next"]).removeprefix("\\")
    if match["bare"] and not _is_accent(match, mark, base):
        return mark + base if mark in "\"'" else None
    composed = unicodedata.normalize("NFC", base + _ACCENTS[mark])
    return composed if len(composed) == 1 else None


def _is_accent(match: re.Match[str], mark: str, base: str) -> bool:
    r"""Tell an accent from what JSON and other languages escape: `\"word\"`, `it\'s`, `/\~user`, `\.com`."""
    text, start, end = match.string, match.start(), match.end()
    after_letter = start > 0 and (text[start - 1].isalpha() or text[start - 1] == "{")
    in_word = end < len(text) and text[end].isalpha()
    if mark == '"':
        return base in "aeiouyAEIOUY" and (after_letter or (base.isupper() and in_word))
    if mark == "'":
        return in_word or not after_letter or base in "aeiouyAEIOUY"
    if mark in "~.=":
        return base in {"~": "anoANO", ".": "zZ", "=": "aeiouAEIOU"}[mark] and text[start - 1 : start] != "/"
    return True
