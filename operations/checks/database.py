"""The database file itself: SQLite's own checks, and rows whose paper is gone."""

import json
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from operations.checks.problem import Problem

# SQLite names at most so many faults of a damaged file.
_FAULTS_NAMED = 10
_CHUNK = 500
# Rows taken out are kept here, one JSON object a line: an orphaned note is still somebody's text.
KEPT_ROWS = "orphan_rows.jsonl"


def problems() -> Iterator[Problem]:
    """Yield damage of the file, and the tables that hold orphans."""
    for fault in _damage():
        yield Problem("database", f"{fault}; restore a backup", repairable=False)
    for table, rowids in _orphans().items():
        yield Problem("orphan rows", f"{len(rowids)} rows of {table} point to a row that is gone")


def repair() -> Iterator[str]:
    """Take orphans out of their tables, keeping a copy of each in a file."""
    for table, rowids in _orphans().items():
        for start in range(0, len(rowids), _CHUNK):
            _take_out(table, rowids[start : start + _CHUNK])
        yield f"took {len(rowids)} orphan rows out of {table}; copies are in {KEPT_ROWS}"


def _damage() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA integrity_check({_FAULTS_NAMED})")
        return [row[0] for row in cursor.fetchall() if row[0] != "ok"]


def _orphans() -> dict[str, list[int]]:
    found: dict[str, list[int]] = defaultdict(list)
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_key_check")
        for table, rowid, _parent, _key in cursor.fetchall():
            if rowid is not None and rowid not in found[table]:
                found[table].append(rowid)
    return dict(found)


def _take_out(table: str, rowids: list[int]) -> None:
    name = connection.ops.quote_name(table)
    places = ", ".join(["%s"] * len(rowids))
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(f"SELECT * FROM {name} WHERE rowid IN ({places})", rowids)  # noqa: S608
        columns = [column[0] for column in cursor.description]
        _keep(table, [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()])
        cursor.execute(f"DELETE FROM {name} WHERE rowid IN ({places})", rowids)  # noqa: S608


def _keep(table: str, rows: list[dict[str, Any]]) -> None:
    path = settings.PAPERSITE.data_dir / KEPT_ROWS
    path.touch(mode=0o600)
    with path.open("a", encoding="utf-8", errors="replace") as file:
        for row in rows:
            file.write(json.dumps({"table": table, "row": row}, ensure_ascii=False, default=str) + "\n")
