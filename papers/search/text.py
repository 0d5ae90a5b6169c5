"""The form in which text goes into a full-text index, and the way back.

SQLite's `unicode61` takes a whole run of Chinese as one word. Here every CJK character (Han, kana, bopomofo and
hangul) becomes a token of its own: a zero-width space, which is no token character, stands at both sides of it. A run
of them is then searched as a phrase, which finds every substring without a dictionary.

Width is folded too, at both sides: `ＧＰＴ` is indexed as, and found by, `GPT`. Punctuation keeps its width, so that
excerpts of Chinese text look as they were written.
"""

import re
import unicodedata

from papers.text import without_controls

SEPARATOR = "\u200b"

# Characters that unicode61 takes as letters but that are written without blanks between words.
CJK_CLASS = (
    "\u1100-\u11ff\u3005-\u3007\u3021-\u3029\u3031-\u3035\u3038-\u303c\u3041-\u3096\u309d-\u309f\u30a1-\u30fa"
    "\u30fc-\u312f\u3131-\u318e\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\ua960-\ua97c\uac00-\ud7fb"
    "\uf900-\ufaff\U0001aff0-\U0001b16f\U00020000-\U0003fffd"
)
_CJK = re.compile(f"[{CJK_CLASS}]")
# Half-width kana and hangul: a letter and its voice mark are two characters and have to be folded together.
_HALF_WIDTH = re.compile("[\uff61-\uffdc]+")
# unicode61 knows the characters of 2012 and takes later ones, such as most emoji, as letters of the word beside them.
_SYMBOLS = {"So", "Sc", "Sk", "Cf", "Cn"}
# Folding these would change what a reader sees: 10² is not 102, and ① is not 1.
_KEPT_FORMS = ("<super>", "<sub>", "<fraction>", "<circle>")


def is_cjk(character: str) -> bool:
    """Tell whether `character` is a token of its own."""
    return bool(_CJK.match(character))


def has_token(text: str) -> bool:
    """Tell whether `text` holds anything that unicode61 takes as part of a word: letters, digits, private use."""
    return any(character.isalnum() or unicodedata.category(character) == "Co" for character in text)


def indexed(text: str) -> str:
    """Return `text` in the form that goes into the index, and into a quoted string of a query.

    Control characters and lone surrogates, which SQLite cannot carry, are left out.
    """
    cleaned = without_controls(text)
    if cleaned.isascii():
        return cleaned
    composed = _HALF_WIDTH.sub(_compatible, unicodedata.normalize("NFC", cleaned))
    return composed.translate(_FORMS).replace(SEPARATOR * 2, SEPARATOR)


def restore(text: str) -> str:
    """Return a piece of indexed text as readers should see it."""
    return text.replace(SEPARATOR, "")


def _compatible(match: re.Match[str]) -> str:
    return unicodedata.normalize("NFKC", match[0])


def _folded(character: str) -> str:
    if unicodedata.decomposition(character).startswith(_KEPT_FORMS):
        return character
    folded = unicodedata.normalize("NFKC", character)
    return folded if has_token(folded) else character


class _Forms(dict[int, str]):
    """The indexed form of each character, found when it is first met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        form = _folded(character)
        # One that folds to letters, as ㋿ does to 令和, is indexed as these.
        if form == character and unicodedata.category(character) in _SYMBOLS:
            form = f"{SEPARATOR}{form}{SEPARATOR}"
        self[code] = form = _CJK.sub(rf"{SEPARATOR}\g<0>{SEPARATOR}", form).replace(SEPARATOR * 2, SEPARATOR)
        return form


# A separator in the text itself would be taken for ours.
_FORMS = _Forms({ord(SEPARATOR): ""})
