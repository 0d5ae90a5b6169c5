"""Reads a JSON object that is nearly JSON, without guessing and without completing it.

Mended are trailing and missing commas, line ends and quotes inside strings, quotes of another kind, full-width
punctuation between values, Python's literals, comments, and blanks that JSON does not know. Where a quote inside a
string might be its end, what follows decides: an end is followed by a bracket, or by a comma and another member.
Backslashes of TeX are mended before, by `tex_escapes`.
"""

import json
import re
from typing import Any

import json_repair

# Deeper nesting than any summary needs, far below where Python's own stack ends.
DEPTH_LIMIT = 64
# Characters given to the repair library at most; it is slow on long texts.
REPAIR_LIMIT = 65_536
_NUMBER_DIGITS = 300

_TRIVIA = re.compile(
    r"(?:[\s\ufeff\u200b]++|//[^\n]{0,300}+(?:\n|\Z)|\#[^\n]{0,300}+(?:\n|\Z)|/\*.{0,300}?\*/)*+", re.S
)
_STRAIGHT, _CURLY, _SINGLE, _SINGLE_CURLY, _WIDE = '"', "“”", "'", "‘’", "＂"
_FAMILY = {mark: family for family in (_STRAIGHT, _CURLY, _SINGLE, _SINGLE_CURLY, _WIDE) for mark in family}
_INSIDE = {
    family: re.compile(rf"\\.|[{family}]", re.S) for family in (_STRAIGHT, _CURLY, _SINGLE, _SINGLE_CURLY, _WIDE)
}
_QUOTE = "[\"“”'‘’＂]"
_BARE_KEY = re.compile(r"[A-Za-z_]\w{0,60}(?=\s{0,20}[:：])", re.ASCII)
_MEMBER = re.compile(rf"{_QUOTE}[^\"\n“”＂]{{1,100}}{_QUOTE}\s{{0,20}}:|[A-Za-z_]\w{{0,60}}\s{{0,20}}:")
_WIDE_MEMBER = re.compile(rf"{_QUOTE}[A-Za-z_][\w -]{{0,60}}{_QUOTE}\s{{0,20}}：", re.ASCII)
_NEW_OBJECT = re.compile(rf"\n\s{{0,200}}+\{{\s{{0,200}}+{_QUOTE}[^\"\n]{{1,100}}{_QUOTE}\s{{0,20}}[:：]")
_ELEMENT = re.compile(rf"{_QUOTE}|[{{\[\]0-9-]|(?:true|false|null|True|False|None)\b")
_NUMBER = re.compile(r"-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?(?![\w.])", re.ASCII)
_WORD = re.compile(r"-?[A-Za-z]+")
_LITERALS = {
    "true": True, "false": False, "null": None, "True": True, "False": False, "None": None,
    "NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf"),
}  # fmt: skip
_COMMAS, _COLONS = ",，", ":："


class NotMended(ValueError):
    """Text that could not be read as JSON; `position` is where reading stopped."""

    def __init__(self, message: str, position: int) -> None:
        """Keep the position beside the message."""
        super().__init__(message)
        self.position = position


class CutOff(NotMended):
    """Text that ends before its object does."""


class NearJson:
    """A reader of one text; `members` counts the keys read so far, `quotes` those that were looked behind."""

    def __init__(self, text: str) -> None:
        """Read from `text`."""
        self._text = text
        self.members = 0
        self.quotes = 0

    def read(self, start: int) -> tuple[Any, int]:
        """Return the object or array that begins at `start`, and where it ends.

        Raises:
            CutOff: the text ends before it.
            NotMended: it cannot be read without guessing.
        """
        return self._value(start, 0)

    def _skip(self, position: int) -> int:
        """Return where the blanks and comments at `position` end."""
        return _TRIVIA.match(self._text, position).end()  # type: ignore[union-attr]

    def _peek(self, position: int) -> str:
        """Return the character at `position`, which must exist."""
        if position >= len(self._text):
            raise CutOff("the text ends inside an object", position)
        return self._text[position]

    def _value(self, position: int, depth: int) -> tuple[Any, int]:
        """Read any value."""
        mark = self._peek(position)
        if mark in "{[" and depth >= DEPTH_LIMIT:
            raise NotMended(f"nested deeper than {DEPTH_LIMIT} levels", position)
        if mark == "{":
            return self._object(position, depth)
        if mark == "[":
            return self._array(position, depth)
        if mark in _FAMILY:
            return self._string(position, depth, in_array=False)
        return self._scalar(position)

    def _scalar(self, position: int) -> tuple[Any, int]:
        """Read a number or a literal."""
        if number := _NUMBER.match(self._text, position):
            if len(number[0]) > _NUMBER_DIGITS:
                raise NotMended("a number is too long", position)
            return json.loads(_without_leading_zeros(number[0])), number.end()
        word = _WORD.match(self._text, position)
        if word and word[0] in _LITERALS:
            return _LITERALS[word[0]], word.end()
        raise NotMended(f"expected a value, found {self._text[position : position + 20]!r}", position)

    def _object(self, position: int, depth: int) -> tuple[dict[str, Any], int]:
        """Read an object; of a key that comes twice the last value counts, as in `json`."""
        result: dict[str, Any] = {}
        position = self._skip(position + 1)
        while self._peek(position) != "}":
            key, position = self._key(position)
            value, position = self._value(position, depth + 1)
            result[key] = value
            position = self._separator(position, "}")
        return result, position + 1

    def _key(self, position: int) -> tuple[str, int]:
        """Read a key and its colon."""
        if bare := _BARE_KEY.match(self._text, position):
            key, end = bare[0], bare.end()
        elif (mark := self._peek(position)) in _FAMILY:
            closing = self._closing_mark(_INSIDE[_FAMILY[mark]], position + 1)
            key, end = _decoded(self._text[position + 1 : closing], position), closing + 1
        else:
            raise NotMended(f"expected a key, found {self._text[position : position + 20]!r}", position)
        end = self._skip(end)
        if self._peek(end) not in _COLONS:
            raise NotMended(f"expected a colon, found {self._text[end : end + 20]!r}", end)
        self.members += 1
        return key, self._skip(end + 1)

    def _closing_mark(self, inside: re.Pattern[str], position: int) -> int:
        """Return where the next quote stands that is not escaped."""
        for match in inside.finditer(self._text, position):
            if match[0][0] != "\\":
                return match.start()
        raise CutOff("the text ends inside a key", len(self._text))

    def _array(self, position: int, depth: int) -> tuple[list[Any], int]:
        """Read an array."""
        result: list[Any] = []
        position = self._skip(position + 1)
        while (mark := self._peek(position)) != "]":
            if mark in _FAMILY:
                value, position = self._string(position, depth + 1, in_array=True)
            else:
                value, position = self._value(position, depth + 1)
            result.append(value)
            position = self._separator(position, "]")
        return result, position + 1

    def _separator(self, position: int, closing: str) -> int:
        """Return where the next member begins; its comma may be missing before a quote or a bracket."""
        position = self._skip(position)
        mark = self._peek(position)
        if mark in _COMMAS:
            return self._skip(position + 1)
        if mark == closing or mark in _FAMILY or (closing == "]" and mark in "{["):
            return position
        raise NotMended(f"expected a comma or {closing}, found {self._text[position : position + 20]!r}", position)

    def _string(self, position: int, depth: int, *, in_array: bool) -> tuple[str, int]:
        """Read a string, telling the quote that ends it from those inside it by what follows."""
        begin, inner = position + 1, 0
        for match in _INSIDE[_FAMILY[self._text[position]]].finditer(self._text, begin):
            if match[0][0] == "\\":
                continue
            if self._ends_string(match.end(), depth, in_array=in_array, inside_pair=inner % 2 == 1):
                return self._content(begin, match.start(), inner), match.end()
            inner += 1
        raise CutOff("the text ends inside a string", len(self._text))

    def _content(self, begin: int, end: int, inner: int) -> str:
        """Return the text of a string, unless its quotes are those of another object that begins within it."""
        if inner and _NEW_OBJECT.search(self._text, begin, end):
            raise NotMended("another object begins inside a string", begin)
        return _decoded(self._text[begin:end], begin)

    def _ends_string(self, position: int, depth: int, *, in_array: bool, inside_pair: bool) -> bool:
        """Tell whether a quote just before `position` ends its string.

        `inside_pair` says that the quote would close a pair opened inside the string.
        """
        self.quotes += 1
        following = self._skip(position)
        mark = self._text[following : following + 1]
        if mark in ("}", "]"):
            return mark == ("]" if in_array else "}") and self._closes_container(following + 1, depth)
        if in_array:
            return not inside_pair and self._element_follows(position, following, mark)
        if mark and mark in _COMMAS:
            following = self._skip(following + 1)
            return self._text[following : following + 1] == "}" or self._member_follows(following)
        return self._member_follows(following)

    def _closes_container(self, position: int, depth: int) -> bool:
        """Tell whether a bracket just before `position` fits what comes after it."""
        mark = self._text[(following := self._skip(position)) : following + 1]
        return depth <= 1 or not mark or mark in _COMMAS or mark in "}]" or mark in _FAMILY

    def _member_follows(self, position: int) -> bool:
        """Tell whether a key and a colon stand at `position`."""
        return bool(_MEMBER.match(self._text, position) or _WIDE_MEMBER.match(self._text, position))

    def _element_follows(self, position: int, following: int, mark: str) -> bool:
        """Tell whether another element of an array follows, behind a comma or, for strings, behind blanks."""
        if mark and mark in _COMMAS:
            return _ELEMENT.match(self._text, self._skip(following + 1)) is not None
        return bool(mark) and mark in _FAMILY and following > position


def _without_leading_zeros(number: str) -> str:
    """Return a number as JSON writes it."""
    return re.sub(r"^(-?)0+(?=\d)", r"\1", number)


def _decoded(content: str, position: int) -> str:
    """Return the text of a string's content, its escapes resolved and its bare quotes kept."""
    content = re.sub(r'(\\.)|"', lambda match: match[1] or '\\"', content, flags=re.S)
    try:
        return json.loads(f'"{content}"', strict=False)
    except ValueError as problem:
        raise NotMended(f"a string cannot be read: {problem}", position) from problem


def repaired(text: str, start: int) -> tuple[Any, int] | None:
    """Return what the repair library makes of the balanced object at `start`, or None.

    The last resort, taken only where brackets and quotes balance, and believed only where it kept every letter and
    digit; text in pointed brackets or dots outside strings is a template, which nobody has filled in.
    """
    end = balanced_end(text, start)
    if end is None:
        return None
    source = text[start:end]
    if re.search(r"[<>…]|\.\.\.|\d{300}", re.sub(r'"(?:\\.|[^"\\])*+"', "", source)):
        return None
    try:
        value = json_repair.loads(source, skip_json_loads=True)
    except Exception:  # the library promises nothing on hostile text
        return None
    return (value, end) if isinstance(value, dict) and _same_letters(source, value) else None


def _same_letters(source: str, value: Any) -> bool:
    """Tell whether a repaired object holds every letter and digit of its source, and no others."""
    try:
        made = json.dumps(value, ensure_ascii=False)
    except (ValueError, RecursionError):
        return False
    return sorted(filter(str.isalnum, source)) == sorted(filter(str.isalnum, made))


def balanced_end(text: str, start: int) -> int | None:
    """Return where the bracket at `start` is closed, strings minded, or None where it is not within reach."""
    open_brackets: list[str] = []
    for match in re.compile(r'"(?:\\.|[^"\\])*+"|["{}\[\]]', re.S).finditer(text, start, start + REPAIR_LIMIT):
        mark = match[0]
        if mark == '"':
            return None
        if mark in "{[":
            open_brackets.append("}" if mark == "{" else "]")
        elif mark in "}]" and open_brackets.pop() != mark:
            return None
        if not open_brackets:
            return match.end()
    return None
