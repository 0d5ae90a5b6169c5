"""Brings a backup back: unpacked and put right beside the old data, and then changed for it."""

import os
import shutil
import signal
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import DatabaseError, connection

from operations.backup import space, staging
from operations.backup.archive import DATABASE_NAME, read_head
from operations.backup.data_lock import alone_with_data
from operations.backup.errors import ArchiveRefused, DataInUse
from operations.backup.kept import note_as_made
from operations.backup.making import Progress, Steps, no_progress
from operations.backup.manifest import Manifest
from operations.backup.settling import Settled, settle
from operations.backup.unpacking import refuse_newer, unpack
from operations.logs import write_log
from operations.models import RunState, Task
from operations.owners import is_leftover
from operations.processes.leftovers import kill_marked
from operations.serving.lock import serving_alone
from operations.tables import DatabaseUnusable, ensure_tables

# A name for each second; two restores take longer than that.
_ASIDE = "before-restore-%Y%m%d-%H%M%S"


@dataclass(frozen=True)
class Restored:
    """What was brought back, what was put right in it, and where the old data is (None: there was none)."""

    manifest: Manifest
    settled: Settled
    aside: Path | None


def restore_backup(archive: Path, *, progress: Progress = no_progress) -> Restored:
    """Put a backup in the place of this installation's database and files, which are kept in a folder beside them.

    Killed at any point, it leaves the old data in its place, or the new complete one for the next command to put there.

    Raises:
        operations.serving.lock.AlreadyServing: the site is running.
        DataInUse: another command works on the data, or has the database open.
        ArchiveRefused: the file is no backup, is damaged, of a newer version, or cannot be brought to today's tables.
        NotEnoughSpace: said before anything is written.
        BackupFailed: a fault of the disk.
    """
    data_dir = settings.PAPERSITE.data_dir
    with serving_alone(data_dir), space.explaining_disk(data_dir):
        staging.recover(data_dir)
        with alone_with_data(data_dir):
            kill_marked(is_leftover)
            refuse_newer(manifest := read_head(archive))
            with _prepared(data_dir) as folder:
                settled = _prepare(archive, folder, _steps(manifest, data_dir, progress))
                _release_old(data_dir)
                aside = data_dir / datetime.now(UTC).strftime(_ASIDE)
                staging.mark_ready(data_dir, aside.name)
            with _undisturbed():
                staging.change(data_dir)
    return Restored(manifest, settled, aside if aside.exists() else None)


def _steps(manifest: Manifest, data_dir: Path, progress: Progress) -> Steps:
    database, files = manifest.database.size, manifest.files
    space.require_space(data_dir, space.for_restore(database, files.size, files.count))
    return Steps(database + files.size, progress)


@contextmanager
def _prepared(data_dir: Path) -> Iterator[Path]:
    """Yield the folder to prepare in; where that fails, nothing is left of it."""
    folder = staging.begin(data_dir)
    try:
        yield folder
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise


def _prepare(archive: Path, folder: Path, steps: Steps) -> Settled:
    """Make a complete installation of the archive, on the disk."""
    manifest = unpack(archive, folder, steps)
    with staging.working_in(folder), _explained():
        ensure_tables()
        note_as_made(manifest)
        settled = settle()
        write_log(
            Task.SCHEDULER, RunState.SUCCESS, detail=f"restore: the backup of {manifest.made_on} was brought back"
        )
    _close(folder / DATABASE_NAME)
    os.sync()  # thousands of files, each of which must be there before the old ones go
    return settled


@contextmanager
def _explained() -> Iterator[None]:
    """Blame the archive where its database cannot be worked with."""
    try:
        yield
    except (DatabaseUnusable, DatabaseError) as error:
        raise ArchiveRefused(f"its database cannot be put in order: {error.__cause__ or error}") from error


@contextmanager
def _undisturbed() -> Iterator[None]:
    """Let the signals that mean stop wait: the change takes an instant, and would have to be finished anyway."""
    previous = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM, signal.SIGHUP})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, previous)


def _release_old(data_dir: Path) -> None:
    """Bring the old database into one file, which proves that nobody else has it open.

    One that is damaged is left as it is, with its logs: SQLite would remove those of what it takes for empty.

    Raises:
        DataInUse: someone has.
    """
    connection.close()
    path = data_dir / DATABASE_NAME
    if _is_database(path):
        try:
            _close(path)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorname.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
                raise DataInUse(f"another process has {path} open; end it first") from error
        except sqlite3.DatabaseError:
            return


def _is_database(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(16) == b"SQLite format 3\0"
    except FileNotFoundError:
        return False


def _close(path: Path) -> None:
    """Write the write-ahead log into the database and remove it: SQLite does so for its only user."""
    with closing(sqlite3.connect(path, timeout=2)) as database:
        database.execute("PRAGMA journal_mode = DELETE")
