"""Cleaning and comparing text from outside."""

import re
import unicodedata

# C0 and C1 controls but for tab and line feed, and lone surrogates, which SQLite and JSON cannot carry.
_CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
_SPACE = re.compile(r"\s+")


def without_controls(text: str) -> str:
    """Return `text` with line ends made LF and control characters and lone surrogates removed."""
    return _CONTROL.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))


def has_controls(text: str) -> bool:
    """Tell whether `text` holds control characters other than tab and line ends, or lone surrogates."""
    return bool(_CONTROL.search(text.replace("\r", "\n")))


def one_line(text: str) -> str:
    """Return `text` cleaned, with every run of white space folded into one blank."""
    return _SPACE.sub(" ", without_controls(text)).strip()


def paragraphs(text: str) -> str:
    """Return `text` cleaned: lines of a paragraph joined, paragraphs kept apart by one blank line."""
    parts = re.split(r"\n\s*\n", without_controls(text))
    return "\n\n".join(folded for part in parts if (folded := _SPACE.sub(" ", part).strip()))


def fold(text: str) -> str:
    """Return the form in which tags and titles are compared: width, case and white space ignored."""
    return _SPACE.sub("", unicodedata.normalize("NFKC", without_controls(text)).casefold())
