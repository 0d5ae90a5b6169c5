"""How much room the installation takes: the disk and the database looked at now, large folders measured by night."""

import datetime as dt
import os
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operations.models import Measurement

# Below this the next day's downloads, or SQLite's own write-ahead log, may not fit.
LEAST_FREE_BYTES = 512 * 1024 * 1024
# A warning comes while there is still time to act: some weeks of papers, or a backup.
LOW_FREE_BYTES = 4 * LEAST_FREE_BYTES
# Folders of DATA_DIR that grow; too many files to be looked at for each page.
MEASURED = ("papers", "backups")


@dataclass(frozen=True)
class FolderSize:
    """The bytes of a folder's files when they were last added up; None where that was never done."""

    name: str
    bytes: int | None
    measured_at: dt.datetime | None


@dataclass(frozen=True)
class DiskUse:
    """Bytes of the disk that holds DATA_DIR (None where it cannot be read), of the database, and of large folders."""

    total: int | None
    free: int | None
    database: int
    folders: tuple[FolderSize, ...]

    @property
    def used(self) -> int:
        """Bytes of the disk that are taken, by whomever."""
        return (self.total or 0) - (self.free or 0)

    @property
    def is_low(self) -> bool:
        """Whether somebody should make room soon."""
        return self.free is None or self.free < LOW_FREE_BYTES


def disk_use(known: Mapping[str, Measurement] | None = None) -> DiskUse:
    """Return the room taken and left without a walk through folders; asks for measurements unless they are known."""
    measured = Measurement.objects.in_bulk([_name(folder) for folder in MEASURED]) if known is None else known
    folders = tuple(_folder_size(folder, measured.get(_name(folder))) for folder in MEASURED)
    database = database_bytes()
    try:
        disk = shutil.disk_usage(settings.PAPERSITE.data_dir)
    except OSError:
        return DiskUse(None, None, database, folders)
    return DiskUse(disk.total, disk.free, database, folders)


def database_bytes() -> int:
    """Return the bytes of the database with its write-ahead log; 0 where there is none."""
    path = settings.PAPERSITE.database_path
    return sum(_size(path.with_name(path.name + ending)) for ending in ("", "-wal"))


def _folder_size(folder: str, row: Measurement | None) -> FolderSize:
    return FolderSize(folder, row.value, row.measured_at) if row else FolderSize(folder, None, None)


def measure_folders() -> str:
    """Add up the large folders, keep the figures, and say what they are; once a day."""
    sizes = {folder: folder_bytes(settings.PAPERSITE.data_dir / folder) for folder in MEASURED}
    for folder, size in sizes.items():
        values = {"value": size, "measured_at": timezone.now()}
        Measurement.objects.update_or_create(name=_name(folder), defaults=values)
    return ", ".join(f"{folder}/ {size:,} bytes" for folder, size in sizes.items())


def folder_bytes(folder: Path) -> int:
    """Return the bytes of all files under a folder, 0 where there is none."""
    return sum(file_sizes(folder))


def file_sizes(folder: Path | str) -> Iterator[int]:
    """Yield the size of each file under a folder; links are not followed, and what goes meanwhile is left out.

    One folder is open at a time for each level, so that memory does not grow with files.
    """
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.is_dir(follow_symlinks=False):
                    yield from file_sizes(entry.path)
                elif (size := _entry_size(entry)) is not None:
                    yield size
    except OSError:
        return


def _entry_size(entry: os.DirEntry) -> int | None:
    try:
        return entry.stat(follow_symlinks=False).st_size
    except OSError:
        return None


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _name(folder: str) -> str:
    return f"bytes of {folder}/"
