"""What must be true before the site starts: tables, static files, schedules, and nothing left of a dead run."""

from django.conf import settings
from django.db import connection

from operations.backup.staging import recover
from operations.owners import is_leftover
from operations.processes.leftovers import kill_marked
from operations.schedules import ensure_schedules
from operations.serving.static_files import collect_static
from operations.stopping import let_workers_work
from operations.sweep import sweep
from operations.tables import migrate


def prepare() -> None:
    """Bring an installation into order; quick where it is in order already."""
    kill_marked(is_leftover)  # before the tables change under what a killed `serve` left alive
    recover(settings.PAPERSITE.data_dir)  # a restore that was killed on its way
    migrate()
    collect_static()
    ensure_schedules()
    let_workers_work()
    sweep()
    connection.close()  # the parts have their own
