"""Unpacks an archive into a folder and proves that what came out is what went in."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from django.db.migrations.loader import MigrationLoader

from operations.backup.archive import DATABASE_NAME, Entry, Step, read_archive
from operations.backup.errors import ArchiveRefused, BackupFailed
from operations.backup.manifest import Manifest
from operations.backup.snapshot import check_database, read_contents


def unpack(archive: Path, folder: Path, step: Step) -> Manifest:
    """Unpack `archive` into the empty `folder`, which holds `papers/`, and check all of it.

    Raises:
        ArchiveRefused: anything in it is not as its manifest says, or its database is damaged.
        OSError: the archive cannot be read, or the folder not be written.
    """
    manifest = read_archive(archive, lambda entry: _file(folder, entry), step)
    try:
        check_database(folder / DATABASE_NAME)
        contents = read_contents(folder / DATABASE_NAME)
    except BackupFailed as error:
        raise ArchiveRefused(str(error)) from error
    if (contents.migrations, contents.rows) != (manifest.migrations, manifest.rows):
        raise ArchiveRefused("its database is not the one that its manifest tells of")
    return manifest


@contextmanager
def _file(folder: Path, entry: Entry) -> Iterator[BinaryIO]:
    """Make the file of an entry, whose name was checked; it must not be there yet."""
    path = folder / entry.name
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as file:
        yield file
    os.utime(path, (entry.modified, entry.modified))


def refuse_newer(manifest: Manifest) -> None:
    """Refuse the backup of a version that has changed the tables in ways this one does not know.

    Raises:
        ArchiveRefused: so it is.
    """
    known = {f"{app}.{name}" for app, name in MigrationLoader(None).disk_migrations}
    unknown = sorted(set(manifest.migrations) - known)
    if unknown:
        raise ArchiveRefused(
            f"it was made by a newer Papersite, {manifest.version}, whose tables this one does not know "
            f"({', '.join(unknown[:3])}); update Papersite first"
        )
