"""JSON columns of a summary as texts.

They may hold anything, since a model wrote them and people can edit them: what cannot be read is left out, never an
error.
"""

import json

# What is nested deeper is not read by anybody.
MAX_DEPTH = 6
LONGEST_FLOAT = 10


def parsed(column: str | None) -> object:
    """Return the value that a column holds; None where there is none."""
    if not column or not column.strip():
        return None
    try:
        return json.loads(column)
    except (ValueError, RecursionError):
        return None


def texts(column: str | None) -> tuple[str, ...]:
    """Return the texts of a column that should hold a JSON list of texts."""
    return texts_of(parsed(column))


def texts_of(value: object) -> tuple[str, ...]:
    """Return the texts of a value that should be a list of texts; any other value counts as a list of itself."""
    items = value if isinstance(value, list) else [value]
    return tuple(text for item in items if (text := as_text(item)))


def as_text(value: object, depth: int = 0) -> str:
    """Return any JSON value as a reader would write it down; what is nested too deep to be read is cut."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "✓" if value else "✗"
    if depth > MAX_DEPTH:
        return "…"
    if isinstance(value, dict):
        pairs = ((str(key), as_text(part, depth + 1)) for key, part in value.items())
        return "；".join(f"{key}：{part}" for key, part in pairs if part)
    if isinstance(value, list):
        return "、".join(text for part in value if (text := as_text(part, depth + 1)))
    return _number(value) if isinstance(value, float) else str(value).strip()


def _number(value: float) -> str:
    # 6.85 times 1 is 6.8500000000000005 to a computer, and to nobody else.
    written = repr(value)
    return written if len(written) <= LONGEST_FLOAT else format(value, ".6g")
