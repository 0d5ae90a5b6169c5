"""The tables, brought up to date before work begins: of a new DATA_DIR, of an older version's, of a lost database."""

import fcntl

from django.conf import settings
from django.core.management import call_command
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor


class DatabaseUnusable(Exception):
    """The database is there, but cannot be worked with."""

    def __init__(self, reason: DatabaseError) -> None:
        """Say what can be done."""
        path = settings.PAPERSITE.database_path
        super().__init__(
            f"{path} cannot be used: {reason}. If the disk is full, make room; if the database is damaged, move it "
            "aside, with its -wal and -shm files; then bring a backup back, or let `check_data --repair` read papers "
            "and summaries back from their files"
        )


def ensure_tables() -> None:
    """Apply migrations where any is missing.

    Raises:
        DatabaseUnusable: it is damaged, or locked for long.
    """
    try:
        executor = MigrationExecutor(connection)
        missing = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        raise DatabaseUnusable(error) from error
    if missing:
        migrate()


def migrate() -> None:
    """Apply what is missing, permissions too; one process after the other, since two at once fail each other.

    Raises:
        DatabaseUnusable: it is damaged, or locked for long.
    """
    path = settings.PAPERSITE.data_dir / "locks" / "migrate.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            call_command("migrate", interactive=False, verbosity=0)
        except DatabaseError as error:
            raise DatabaseUnusable(error) from error
