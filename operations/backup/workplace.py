"""A folder beside the backup to be, hidden, for what is being written; gone afterwards, also after a kill."""

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_SUFFIX = ".papersite-backup"
_LOCK = "lock"
_SETTLED = 60.0  # seconds


@contextmanager
def workplace(target: Path) -> Iterator[Path]:
    """Yield a folder on the disk of `target`, for this user alone, and remove it with all that is left in it."""
    folder = target.with_name(f".{target.name}{_SUFFIX}")
    folder.mkdir(mode=0o700)
    try:
        # Held as long as this process lives, so that another installation's backup leaves the folder alone.
        with (folder / _LOCK).open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def remove_abandoned(folder: Path) -> None:
    """Remove workplaces in `folder` whose process was killed."""
    for left in folder.glob(f".*{_SUFFIX}"):
        if left.is_dir() and not left.is_symlink() and _is_abandoned(left):
            shutil.rmtree(left, ignore_errors=True)


def _is_abandoned(left: Path) -> bool:
    try:
        handle = os.open(left / _LOCK, os.O_RDWR | os.O_CLOEXEC)
    except FileNotFoundError:  # just made, or left by a kill between two statements
        return time.time() - left.stat().st_mtime > _SETTLED
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(handle)
    return True
