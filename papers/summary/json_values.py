"""What a parsed JSON value may hold if it is to be stored and shown."""

import math
from collections.abc import Iterator
from typing import Any

from papers.summary.json_mending import DEPTH_LIMIT
from papers.text import has_controls

# Digits of a whole number at most; SQLite, JavaScript and readers have no use for more.
_INTEGER_LIMIT = 10**300


class Unstorable(ValueError):
    """A value that must not be stored."""


class DamagedText(Unstorable):
    """A text with control characters or lone surrogates: what is left of broken escapes."""


class NotFinite(Unstorable):
    """NaN, Infinity or a number beyond all use."""


def ensure_storable(value: Any) -> None:
    """Do nothing if a parsed value can be stored as it is.

    Raises:
        DamagedText: a text or key holds control characters (line ends and tabs aside) or lone surrogates.
        NotFinite: a number is not finite, or absurdly large.
        Unstorable: nested too deeply, or of a kind JSON does not know.
    """
    for item in _leaves(value):
        if isinstance(item, str):
            if has_controls(item):
                raise DamagedText(f"control characters in {item[:40]!r}")
        elif isinstance(item, float):
            if not math.isfinite(item):
                raise NotFinite(f"{item} is not a number that can be stored")
        elif isinstance(item, int):
            if abs(item) > _INTEGER_LIMIT:
                raise NotFinite("a whole number is too large")
        elif item is not None:
            raise Unstorable(f"{type(item).__name__} is no JSON value")


def _leaves(value: Any) -> Iterator[Any]:
    """Yield every key and every value that is not a container, without recursion."""
    waiting: list[tuple[Any, int]] = [(value, 0)]
    while waiting:
        item, depth = waiting.pop()
        if depth > DEPTH_LIMIT:
            raise Unstorable(f"nested deeper than {DEPTH_LIMIT} levels")
        if isinstance(item, dict):
            yield from (key if isinstance(key, str) else object() for key in item)
            waiting.extend((inner, depth + 1) for inner in item.values())
        elif isinstance(item, list):
            waiting.extend((inner, depth + 1) for inner in item)
        else:
            yield item
