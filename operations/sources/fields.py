"""Reading single fields of what a source sends: any type may come, and none does harm."""

from collections.abc import Iterable
from datetime import UTC, date, datetime
from itertools import islice
from typing import Any

from papers.text import fold, one_line, paragraphs

# The largest number that every column of ours holds.
_MOST = 2**31 - 1
# So many times a text's greatest length is looked at, for what cleaning takes away.
_RAW = 4


def as_dict(value: object) -> dict[str, Any]:
    """Return `value` if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}


def as_list(value: object) -> list[Any]:
    """Return `value` if it is a list, else an empty one."""
    return value if isinstance(value, list) else []


def line(value: object, longest: int) -> str:
    """Return a text as one clean line of at most `longest` characters; anything else as an empty one."""
    return one_line(value[: _RAW * longest])[:longest].rstrip() if isinstance(value, str) else ""


def prose(value: object, longest: int) -> str:
    """Return a text as clean paragraphs of at most `longest` characters; anything else as an empty one."""
    return paragraphs(value[: _RAW * longest])[:longest].rstrip() if isinstance(value, str) else ""


def count(value: object) -> int | None:
    """Return a whole number that is not negative, bounded; None for anything else."""
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        return None
    return min(value, _MOST)


def moment(value: object) -> datetime | None:
    """Return an ISO 8601 moment in UTC (which one without a zone is taken for); None for anything else."""
    if not isinstance(value, str):
        return None
    try:
        read = datetime.fromisoformat(value.strip())
        return (read if read.tzinfo else read.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError):
        return None


def day(value: object) -> date | None:
    """Return the day, by UTC, of an ISO 8601 moment; None for anything else."""
    read = moment(value)
    return read.date() if read else None


def names(values: Iterable[object], longest: int, most: int) -> tuple[str, ...]:
    """Return at most `most` clean texts in order, without empty and repeated ones."""
    cleaned = (line(value, longest) for value in values)
    return tuple(islice(dict.fromkeys(text for text in cleaned if text), most))


def folded_names(values: Iterable[object], longest: int, most: int) -> tuple[str, ...]:
    """Do as `names`, and take texts that differ in case, width and blanks alone for the same; the first one stays."""
    first_spelling: dict[str, str] = {}
    for text in names(values, longest, most):
        first_spelling.setdefault(fold(text), text)
    return tuple(first_spelling.values())
