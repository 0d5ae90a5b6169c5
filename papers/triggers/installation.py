"""Puts the triggers into the database after migrations, and takes them out before.

The database is the site's own: a trigger in it is one of these, or one that an earlier version of the site had.
"""

from typing import Any

from django.db import connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

from papers.triggers import content_version, counts, paper_changes, text_changes

_TRIGGERS: dict[str, str] = {
    **content_version.TRIGGERS,
    **text_changes.TRIGGERS,
    **counts.TRIGGERS,
    **paper_changes.TRIGGERS,
}
# Run after the triggers were made: what was written while they were missing is counted anew.
_FILL: tuple[str, ...] = (content_version.RENEW, *counts.FILL, *paper_changes.FILL)
_RECOUNTS = {**counts.RECOUNTS, **paper_changes.RECOUNTS}


def uninstall(*, using: str, plan: list[Any] | None = None, **_signal: Any) -> None:
    """Drop the triggers where migrations are about to be run; until they are there again no page is kept."""
    connection = connections[using]
    if not plan or not _tables_are_there(connection):
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        cursor.execute(content_version.FORGET)
        _drop(connection, _installed(connection))


def install(*, using: str, plan: list[Any] | None = None, **_signal: Any) -> None:
    """Make the triggers that are missing or differ; where that was so, fill the tables that they keep."""
    connection = connections[using]
    if not _tables_are_there(connection):  # migrated back to before them
        return
    if not differing(using=using):
        return
    with transaction.atomic(using=using), connection.cursor() as cursor:
        _drop(connection, _installed(connection))
        for statement in (*_TRIGGERS.values(), *_FILL):
            cursor.execute(statement)


def differing(*, using: str = "default") -> list[str]:
    """Return the names of triggers that are missing, changed, or none of ours."""
    found = _installed(connections[using])
    return sorted(name for name in found.keys() | _TRIGGERS.keys() if found.get(name) != _TRIGGERS.get(name))


def miscounted() -> list[str]:
    """Return the names of tables of counts that are not what a count of every row gives.

    The count is SQLite's own, in its temporary files where it is large; each table is compared in one read, so that
    no writer can come between.
    """
    return [table for table, (wanted, kept) in _RECOUNTS.items() if _differ(wanted, kept)]


def refill() -> None:
    """Fill the tables that the triggers keep anew, in one transaction."""
    with transaction.atomic(), connections["default"].cursor() as cursor:
        for statement in _FILL:
            cursor.execute(statement)


def _differ(wanted: str, kept: str) -> bool:
    statement = f"SELECT EXISTS ({wanted} EXCEPT {kept}) OR EXISTS ({kept} EXCEPT {wanted})"
    with connections["default"].cursor() as cursor:
        cursor.execute(statement)
        return bool(cursor.fetchone()[0])


def _installed(connection: BaseDatabaseWrapper) -> dict[str, str]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
        return dict(cursor.fetchall())


def _drop(connection: BaseDatabaseWrapper, names: dict[str, str]) -> None:
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f"DROP TRIGGER IF EXISTS {connection.ops.quote_name(name)}")


def _tables_are_there(connection: BaseDatabaseWrapper) -> bool:
    return {"content_version", "author_months", "installation", "paper_changes"} <= set(
        connection.introspection.table_names()
    )
