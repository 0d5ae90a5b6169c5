"""Results as a table, out of whatever objects the model made of them.

The keys become columns; those of an object within an object become columns of their own, named after both. Rows that
have other keys leave cells blank. One long row is turned upright, since nobody reads a line of thirty columns.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from papers.stored_json import as_text, parsed

# Beyond these a table is no longer read; the API has the whole.
TABLE_COLUMNS = 24
TABLE_ROWS = 200
# More cells than this in the only row, and it stands upright.
_WIDEST_SINGLE_ROW = 5
# Columns that are made of objects within objects at most; beyond, such an object is written into one cell.
_UNFOLDED_COLUMNS = 12
_UNFOLDED_DEPTH = 3
# A table that a phone shows without pushing, and one that a screen shows without scrolling.
_NARROW = 3
_SHORT = 15
SEPARATOR = " · "
# 47.2, 1,024, -3.1 %, 71.3 ± 0.2, ~2.5x, 12 ms, 1.5B, 3e-4
_NUMBER = re.compile(
    r"[≈~<>≤≥]?\s*[+\-−±]?\s*[$¥€£]?\d[\d,]*(?:\.\d+)?(?:[eE][+\-−]?\d+)?\s*"
    r"(?:±\s*\d+(?:\.\d+)?\s*)?(?:%|‰|pp|pt|[x×倍]|[kKMBTG]|[a-zA-Zµ]{1,2}|°C?)?",
    re.ASCII,
)

Cells = dict[str, str]


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts; a blank cell is an empty text. `more_rows` and `more_columns` are not shown."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    more_rows: int = 0
    more_columns: int = 0

    @property
    def is_upright(self) -> bool:
        """Whether its only row is to be shown as a list of headings and values."""
        return len(self.rows) == 1 and len(self.headings) > _WIDEST_SINGLE_ROW

    @property
    def is_wide(self) -> bool:
        """Whether a phone has to be pushed sideways for it."""
        return len(self.headings) > _NARROW and not self.is_upright

    @property
    def is_long(self) -> bool:
        """Whether it scrolls within itself, its headings in view."""
        return len(self.rows) > _SHORT

    @property
    def is_named(self) -> bool:
        """Whether the first column names its rows."""
        return len(self.headings) > 1 and not self._are_numbers(0)

    @property
    def numeric(self) -> tuple[bool, ...]:
        """Which columns hold numbers."""
        return tuple(map(self._are_numbers, range(len(self.headings))))

    @property
    def columns(self) -> tuple[tuple[str, bool], ...]:
        """Each heading, and whether its column holds numbers."""
        return tuple(zip(self.headings, self.numeric, strict=True))

    @property
    def body(self) -> tuple[tuple[tuple[str, bool], ...], ...]:
        """Each row's cells, and whether each stands in a column of numbers."""
        numeric = self.numeric
        return tuple(tuple(zip(row, numeric, strict=True)) for row in self.rows)

    @property
    def upright(self) -> tuple[tuple[str, str, bool], ...]:
        """The only row's cells: heading, value, and whether it is a number."""
        return tuple(zip(self.headings, self.rows[0], self.numeric, strict=True))

    @property
    def filled(self) -> tuple[tuple[tuple[str, str], ...], ...]:
        """Each row's cells that are not blank, with their headings."""
        rows = (zip(self.headings, row, strict=True) for row in self.rows)
        return tuple(tuple((key, cell) for key, cell in row if cell) for row in rows)

    def _are_numbers(self, column: int) -> bool:
        cells = [row[column] for row in self.rows if row[column]]
        return bool(cells) and all(map(_NUMBER.fullmatch, cells))


def table(column: str | None) -> Table | None:
    """Return the table of a column that should hold a JSON list of objects; None where nothing is in it."""
    value = parsed(column)
    items = value if isinstance(value, list) else [value]
    rows = _rows([item for item in items if isinstance(item, dict)])
    headings = _headings(rows)
    if not headings:
        return None
    shown, keys = rows[:TABLE_ROWS], headings[:TABLE_COLUMNS]
    return Table(
        headings=tuple(keys),
        rows=tuple(tuple(row.get(key, "") for key in keys) for row in shown),
        more_rows=len(rows) - len(shown),
        more_columns=len(headings) - len(keys),
    )


def _rows(objects: list[dict]) -> list[Cells]:
    unfolded = _with_something([dict(_unfolded(item)) for item in objects])
    if len(unfolded) == 1 or len(_headings(unfolded)) <= _UNFOLDED_COLUMNS:
        return unfolded
    return _with_something([{str(key): as_text(value) for key, value in item.items()} for item in objects])


def _unfolded(item: dict, path: tuple[str, ...] = ()) -> Iterator[tuple[str, str]]:
    for key, value in item.items():
        names = (*path, str(key).strip())
        if isinstance(value, dict) and len(names) < _UNFOLDED_DEPTH:
            yield from _unfolded(value, names)
        else:
            yield SEPARATOR.join(filter(None, names)), as_text(value)


def _with_something(rows: list[Cells]) -> list[Cells]:
    return [row for row in rows if any(row.values())]


def _headings(rows: list[Cells]) -> list[str]:
    return list(dict.fromkeys(key for row in rows for key, cell in row.items() if cell))
