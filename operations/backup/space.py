"""Room on the disk, asked for before work that would fill it."""

import errno
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from operations.backup.errors import BackupFailed, NotEnoughSpace

# Beside what is written: the write-ahead logs, and what the site itself needs meanwhile.
SPARE = 64 * 1024 * 1024
# Of what an archive holds, at most: a library's text packs to a third (see archive.LEVEL).
PACKED = 0.6


def for_backup(database: int, files: int) -> int:
    """Return the bytes that making a backup takes: a copy of the database beside the archive."""
    return int(database + PACKED * (database + files)) + SPARE


def for_restore(database: int, files: int, count: int) -> int:
    """Return the bytes that bringing a backup back takes: each file fills whole blocks, and the index may be remade."""
    return int(database * 1.5) + files + count * 4096 + SPARE


def require_space(folder: Path, needed: int) -> None:
    """Refuse work for which the disk has no room.

    Raises:
        NotEnoughSpace: so it is.
    """
    free = shutil.disk_usage(folder).free
    if free < needed:
        raise NotEnoughSpace(str(folder), needed, free)


@contextmanager
def explaining_disk(folder: Path) -> Iterator[None]:
    """Turn an error of the file system into a sentence, with the room that is left where that is the trouble.

    Raises:
        BackupFailed: there was one.
    """
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            reason += f" ({shutil.disk_usage(folder).free // 1_000_000:,} MB are free in {folder})"
        where = f": {error.filename}" if isinstance(error.filename, str) else ""
        raise BackupFailed(f"{reason}{where}") from error
