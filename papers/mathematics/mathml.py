r"""A formula of TeX as MathML, made safe.

The converter passes what it does not know through, markup in `\text{}` too: its output is cleaned by an allow-list,
and a formula that it did not understand whole is not shown as one.
"""

import re
import unicodedata
from functools import lru_cache
from html import escape, unescape

import nh3
from django.utils.safestring import SafeString
from latex2mathml.converter import convert

# The converter calls itself for each brace; papers nest a handful.
MAX_DEPTH = 24
# Formulas kept, each some hundred bytes; a day's page has a few dozen.
KEPT = 4096
# Characters of a formula that fit a line of a phone.
_LONG = 32

ALLOWED_TAGS = {
    *("math", "mrow", "mi", "mn", "mo", "mtext", "mspace", "ms", "mstyle", "mpadded", "mphantom", "menclose"),
    *("mfrac", "msqrt", "mroot", "msub", "msup", "msubsup", "munder", "mover", "munderover", "mmultiscripts"),
    *("mprescripts", "none", "mtable", "mtr", "mtd"),
}
ALLOWED_ATTRIBUTES = {
    "math": {"display", "alttext"},
    "mi": {"mathvariant"},
    "mo": {"stretchy", "fence", "form", "minsize", "maxsize", "movablelimits", "lspace", "rspace", "accent"},
    "mspace": {"width"},
    "mstyle": {"displaystyle", "scriptlevel"},
    "mfrac": {"linethickness"},
    "mover": {"accent"},
    "munder": {"accentunder"},
}
# These define, hide, comment out or point elsewhere: the converter swallows them, or the reader would not see them.
_REFUSED = re.compile(
    r"(?<!\\)(?:\\\\)*(?:%|\\(?:(?:re|provide)?new(?:command|environment)|def|let|href|class|style|tag|DeclareMathOperator"
    r"|(?:v|h)?phantom|verb|(?:h|m|k)?skip|kern|raise|lower|rule)(?![A-Za-z])"
    r"|\\begin\s*\{(?!(?:[pbvBV]?matrix|smallmatrix|cases|array|aligned|split|align\*?)\}))"
)
# Between tags a backslash is a command that was not understood; \backslash comes as the entity.
_LEFT_OVER = re.compile(r"\\")
_NAMESPACE = ' xmlns="http://www.w3.org/1998/Math/MathML"'
_SINGLE_ROW = re.compile(r"(<math[^>]*>)<mrow>(<m[ion](?: [^>]*)?>[^<]*</m[ion]>)</mrow></math>")
_STYLED = re.compile(r'<(m[in]|mtext) mathvariant="([a-z-]+)">([^<]*)</\1>')
# Symbols the converter gives in a form that browsers draw too low, small or wide.
_SHAPES = {"&#x0007E;</mi>": "∼</mi>", "&#x029F5;": "∖", "<mo>&#x0005E;</mo>": "<mo>ˆ</mo>"}
_VARIANTS = {
    "bold": "BOLD",
    "bold-italic": "BOLD ITALIC",
    "script": "SCRIPT",
    "fraktur": "FRAKTUR",
    "double-struck": "DOUBLE-STRUCK",
    "sans-serif": "SANS-SERIF",
    "monospace": "MONOSPACE",
}
_NUMERALS = ("ZERO", "ONE", "TWO", "THREE", "FOUR", "FIVE", "SIX", "SEVEN", "EIGHT", "NINE")


@lru_cache(maxsize=KEPT)
def mathml(tex: str, *, is_display: bool = False) -> SafeString | None:
    """Return the formula `tex` as a `math` element with the TeX beside it, or None where it is not understood."""
    if _depth(tex) > MAX_DEPTH or _REFUSED.search(tex):
        return None
    try:
        raw = convert(tex, display="block" if is_display else "inline")
    except Exception:  # it raises what its lists and dictionaries raise, besides errors of its own
        return None
    if _LEFT_OVER.search(raw):
        return None
    return _with_tex(_cleaned(raw), tex, is_display=is_display)


def _depth(tex: str) -> int:
    depth = deepest = 0
    for mark in re.findall(r"[{}]|\\left(?![a-z])|\\right(?![a-z])|\\begin|\\end", tex):
        depth += 1 if mark in ("{", "\\left", "\\begin") else -1
        deepest = max(deepest, depth)
    return deepest


def _cleaned(raw: str) -> str:
    shaped = raw.replace(_NAMESPACE, "").replace(' display="inline"', "")
    for found, wanted in _SHAPES.items():
        shaped = shaped.replace(found, wanted)
    clean = nh3.clean(
        _STYLED.sub(_styled, shaped),
        tags=ALLOWED_TAGS,
        attributes=ALLOWED_ATTRIBUTES,
        clean_content_tags={"script", "style"},
        link_rel=None,
    )
    return _SINGLE_ROW.sub(r"\1\2</math>", clean)


def _styled(match: re.Match[str]) -> str:
    """Put the letters of a style in place of the attribute: browsers know `normal` alone."""
    name, variant, text = match.groups()
    if variant == "normal" or variant not in _VARIANTS:
        return match[0]
    letters = "".join(_letter(character, _VARIANTS[variant]) for character in unescape(text))
    return f"<{name}>{escape(letters)}</{name}>"


@lru_cache(maxsize=512)
def _letter(character: str, style: str) -> str:
    name = unicodedata.name(character, "")
    if character.isdigit() and character.isascii():
        wanted = [f"MATHEMATICAL {style.replace(' ITALIC', '')} DIGIT {_NUMERALS[int(character)]}"]
    else:
        case, _letter_word, letter = name.partition(" LETTER ")
        kind = case.removeprefix("LATIN ").removeprefix("GREEK ")
        wanted = [f"MATHEMATICAL {style} {kind} {letter}", f"{style} {kind} {letter}"]
    for each in wanted:
        try:
            return unicodedata.lookup(each)
        except KeyError:
            continue
    return character


def _with_tex(element: str, tex: str, *, is_display: bool) -> SafeString | None:
    """Add the TeX for copying, unless it is what is seen anyway."""
    if not element.startswith("<math") or not re.search(r">[^<\s]", element):
        return None  # nothing would be seen
    seen = unescape(re.sub(r"<[^>]*>", "", element))
    if seen != tex:
        element = element.replace("<math", f'<math alttext="{escape(tex)}"', 1)
    if is_display:
        return SafeString(f'<span class="formula formula--display" tabindex="0">{element}</span>')
    # A long one scrolls by itself on a phone; a short one needs nothing round it.
    is_long = len(seen) > _LONG
    return SafeString(f'<span class="formula" tabindex="0">{element}</span>' if is_long else element)
