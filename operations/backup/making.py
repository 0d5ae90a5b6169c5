"""Makes a backup: snapshot, archive, a look at the archive, and only then its name."""

import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from django.conf import settings
from django.db import connection

from operations.backup import space
from operations.backup.archive import DATABASE_NAME, ArchiveWriter, papers_file, read_archive
from operations.backup.data_lock import backing_up
from operations.backup.errors import ArchiveRefused, BackupFailed, TargetRefused
from operations.backup.manifest import FORMAT, Manifest, Origin
from operations.backup.paper_files import LeftOut, read_files
from operations.backup.snapshot import Snapshot, check_database, paper_ids, read_contents, take_snapshot
from operations.backup.workplace import remove_abandoned, workplace
from operations.disk_use import folder_bytes
from papers.arxiv_ids import is_arxiv_id
from papersite import __version__

# The folder of DATA_DIR for backups that the site makes by itself.
KEPT_IN = "backups"
# Told of work done and of all there is, in bytes; may raise to stop.
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class BackupMade:
    """A backup that is there, whole and checked."""

    path: Path
    size: int
    manifest: Manifest
    seconds: float


def no_progress(_done: int, _total: int) -> None:
    """Tell nobody."""


class Steps:
    """Adds up the pieces of work of several stages."""

    def __init__(self, total: int, progress: Progress) -> None:
        """Begin at nothing of `total` bytes."""
        self.done, self.total, self._progress = 0, total, progress

    def __call__(self, count: int) -> None:
        """Count a piece."""
        self.done += count
        self._progress(min(self.done, self.total), self.total)


def make_backup(target: Path, *, origin: Origin, force: bool = False, progress: Progress = no_progress) -> BackupMade:
    """Write database and files of this installation, as they are now, to the file `target`; the site may run.

    Args:
        target: the new file, in a folder that exists.
        origin: who asked for it.
        force: write over a file that is there.
        progress: told of bytes done and bytes in all; what it raises ends the backup.

    Raises:
        TargetRefused: the file is there already, or cannot be made.
        NotEnoughSpace: said before anything is written.
        DataInUse: another backup is being made.
        BackupFailed: any other fault; no file was made, one that was there is as it was.
    """
    began = time.monotonic()
    _refuse(target, force)
    with backing_up(settings.PAPERSITE.data_dir), space.explaining_disk(target.parent):
        remove_abandoned(target.parent)
        database = Path(connection.settings_dict["NAME"])
        steps = _measured(database, target.parent, progress)
        with workplace(target) as folder:
            manifest = _write(database, folder, origin, steps)
            made = folder / "archive"
            _check(made, manifest, steps)
            _refuse(target, force)  # someone may have made it meanwhile
            made.replace(target)
            _sync_folder(target.parent)
    return BackupMade(target, target.stat().st_size, manifest, time.monotonic() - began)


def _refuse(target: Path, force: bool) -> None:
    if target.is_dir():
        raise TargetRefused(f"{target} is a folder; name a file in it")
    if not target.parent.is_dir():
        raise TargetRefused(f"there is no folder {target.parent}")
    if target.exists() and not target.is_file():
        # A rename would take the place of /dev/null itself.
        raise TargetRefused(f"{target} is a device or the like; name a file")
    _refuse_data(target)
    if (target.exists() or target.is_symlink()) and not force:
        raise TargetRefused(f"{target} is there already; --force writes over it")


def _refuse_data(target: Path) -> None:
    """Keep a backup from taking the place of the database, its logs or a paper's file: with --force it would."""
    data_dir = settings.PAPERSITE.data_dir.resolve()
    folder = target.parent.resolve()
    if folder.is_relative_to(data_dir) and not folder.is_relative_to(data_dir / KEPT_IN):
        raise TargetRefused(f"{target} is among the site's own data; name a file elsewhere, or in {data_dir / KEPT_IN}")


def _measured(database: Path, folder: Path, progress: Progress) -> Steps:
    """Look at how much there is to do, and refuse it where it cannot fit."""
    if not database.exists():
        raise BackupFailed(f"there is no database {database}")
    log = database.with_name(f"{database.name}-wal")
    size = database.stat().st_size + (log.stat().st_size if log.exists() else 0)
    files = folder_bytes(settings.PAPERSITE.data_dir / "papers")
    space.require_space(folder, space.for_backup(size, files))
    return Steps(3 * size + 2 * files, progress)


def _write(database: Path, folder: Path, origin: Origin, steps: Steps) -> Manifest:
    """Write the archive into `folder` and return its manifest."""
    snapshot = take_snapshot(database, folder / DATABASE_NAME, steps)
    contents = read_contents(snapshot.path)
    made = folder / "archive"
    made.touch(mode=0o600)
    with made.open("r+b") as file:
        archive, left_out = ArchiveWriter(file), LeftOut()
        # Files first: the sooner they are read, the fewer have changed since.
        for name, found in _files(snapshot, left_out):
            archive.add_file(name, found.content, found.modified)
            steps(len(found.content))
        manifest = Manifest(
            format=FORMAT,
            version=__version__,
            origin=origin,
            made_at=datetime.fromtimestamp(snapshot.moment / 10**9, UTC),
            migrations=contents.migrations,
            rows=contents.rows,
            files=archive.files(left_out=left_out.count),
            database=archive.add_database(snapshot.path, steps),
        )
        archive.finish(manifest)
        file.flush()
        os.fsync(file.fileno())
    check_database(snapshot.path)
    return manifest


def _files(snapshot: Snapshot, left_out: LeftOut):
    for arxiv_id in filter(is_arxiv_id, paper_ids(snapshot.path)):  # no other id has a folder
        folder = settings.PAPERSITE.data_dir / "papers" / arxiv_id
        for found in read_files(folder, snapshot.moment, left_out):
            yield papers_file(arxiv_id, found.name), found


def _check(archive: Path, manifest: Manifest, steps: Steps) -> None:
    """Read the archive back from the disk, whole."""
    try:
        is_right = read_archive(archive, step=steps) == manifest
    except ArchiveRefused as error:
        raise BackupFailed(
            f"the archive does not read back as it was written: {error}; is the disk in order?"
        ) from error
    if not is_right:
        raise BackupFailed("the archive does not read back as it was written; is the disk in order?")


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
