"""The tables, brought up to date before work begins: of a new DATA_DIR, of an older version's, of a lost database."""

import fcntl

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.executor import MigrationExecutor


def ensure_tables() -> None:
    """Apply migrations where any is missing."""
    executor = MigrationExecutor(connection)
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        migrate()


def migrate() -> None:
    """Apply what is missing, permissions too; one process after the other, since two at once fail each other."""
    path = settings.PAPERSITE.data_dir / "locks" / "migrate.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        call_command("migrate", interactive=False, verbosity=0)
