"""The database as it is at one moment, copied while others go on writing.

One connection holds a read transaction, so that the copy is of one state however long it takes, and never begins anew
when someone writes. It is opened while the write lock is held for an instant: files are moved into place inside of
transactions, so that each was moved either before that instant and belongs to the snapshot, or after it.
"""

import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from operations.backup.errors import BackupFailed

PAGES = 4096  # copied at once, 16 MB
# Longest wait for whoever writes; as the site itself waits.
PATIENCE = 20.0
# The kernel stamps files by a clock that moves in ticks of 10 ms or less.
_TICK = 0.02
_FAULTS_NAMED = 3


@dataclass(frozen=True)
class Snapshot:
    """A copy of the database, and the moment it is of: nanoseconds since 1970, as files are stamped."""

    path: Path
    moment: int


def take_snapshot(database: Path, target: Path, step: Callable[[int], None]) -> Snapshot:
    """Copy `database` as it is now to `target`, a single file without a journal; `step` is told the bytes copied.

    Raises:
        BackupFailed: it cannot be read or written, or someone held the write lock for too long.
    """
    with _explained("the database cannot be copied"), closing(_open(database)) as reader:
        moment = _begin(database, reader)
        with closing(sqlite3.connect(target, isolation_level=None)) as copy:
            copy.execute("PRAGMA synchronous = OFF")  # nobody needs half of it after a power cut
            reader.backup(copy, pages=PAGES, progress=_progress(reader, step))
            copy.execute("PRAGMA journal_mode = DELETE")
    return Snapshot(target, moment)


def _open(database: Path) -> sqlite3.Connection:
    """Open what is there already: a plain `connect` would make an empty one."""
    return sqlite3.connect(f"{database.absolute().as_uri()}?mode=rw", uri=True, timeout=PATIENCE, isolation_level=None)


def _begin(database: Path, reader: sqlite3.Connection) -> int:
    with closing(_open(database)) as writer:
        writer.execute("BEGIN IMMEDIATE")
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM sqlite_master").fetchone()
        moment = time.time_ns()
        time.sleep(_TICK)  # what is moved from now on gets a later stamp
        writer.execute("ROLLBACK")
    return moment


def _progress(reader: sqlite3.Connection, step: Callable[[int], None]) -> Callable[[int, int, int], None]:
    page_size = reader.execute("PRAGMA page_size").fetchone()[0]
    left_before: int | None = None

    def told(_status: int, left: int, total: int) -> None:
        nonlocal left_before
        step(((total if left_before is None else left_before) - left) * page_size)
        left_before = left

    return told


def check_database(path: Path) -> None:
    """Look through a copy that nobody else has open.

    Raises:
        BackupFailed: SQLite finds a fault in it.
    """
    with _explained("the database cannot be checked"), closing(sqlite3.connect(path)) as copy:
        faults = [row[0] for row in copy.execute(f"PRAGMA integrity_check({_FAULTS_NAMED})") if row[0] != "ok"]
    if faults:
        raise BackupFailed(f"the database is damaged: {'; '.join(faults)[:500]}")


@dataclass(frozen=True)
class Contents:
    """What a copy holds."""

    migrations: list[str]
    rows: dict[str, int]


def read_contents(path: Path) -> Contents:
    """Return the migrations applied to a copy, and how many rows each of its tables has.

    Raises:
        BackupFailed: it is no database of Papersite.
    """
    with _explained("the database cannot be read"), closing(sqlite3.connect(path)) as copy:
        applied = copy.execute("SELECT app || '.' || name FROM django_migrations ORDER BY 1").fetchall()
        return Contents([row[0] for row in applied], {name: _count(copy, name) for name in _tables(copy)})


def _tables(copy: sqlite3.Connection) -> list[str]:
    """Return the tables, without those of SQLite itself and those that the search index is made of."""
    found = copy.execute("SELECT name FROM sqlite_master WHERE type = 'table' ORDER BY name").fetchall()
    return [name for (name,) in found if not name.startswith(("sqlite_", "papers_fts_"))]


def _count(copy: sqlite3.Connection, table: str) -> int:
    quoted = '"' + table.replace('"', '""') + '"'
    return copy.execute(f"SELECT count(*) FROM {quoted}").fetchone()[0]  # noqa: S608


def paper_ids(path: Path) -> list[str]:
    """Return the arXiv ids of a copy's papers."""
    with _explained("the database cannot be read"), closing(sqlite3.connect(path)) as copy:
        return [row[0] for row in copy.execute("SELECT arxiv_id FROM papers ORDER BY id")]


@contextmanager
def _explained(what: str) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        raise BackupFailed(f"{what}: {error}") from error
