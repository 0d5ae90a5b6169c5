"""Who may use the data folder: working commands side by side, a restore alone, and one backup at a time.

The locks are files; the kernel gives them back however a process ends.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from operations.backup.errors import DataInUse


@contextmanager
def using_data(data_dir: Path) -> Iterator[None]:
    """Keep a restore away for the length of the block.

    Raises:
        DataInUse: one is running.
    """
    with _held(data_dir / "locks" / "data.lock", fcntl.LOCK_SH, "a backup is being restored into this DATA_DIR"):
        yield


@contextmanager
def alone_with_data(data_dir: Path) -> Iterator[None]:
    """Keep all working commands away for the length of the block.

    Raises:
        DataInUse: one is running.
    """
    with _held(data_dir / "locks" / "data.lock", fcntl.LOCK_EX, "another command is working on this DATA_DIR"):
        yield


@contextmanager
def backing_up(data_dir: Path) -> Iterator[None]:
    """Be the only backup of this installation for the length of the block.

    Raises:
        DataInUse: another is being made.
    """
    with _held(data_dir / "locks" / "backup.lock", fcntl.LOCK_EX, "a backup of this DATA_DIR is being made already"):
        yield


@contextmanager
def _held(path: Path, kind: int, otherwise: str) -> Iterator[None]:
    path.parent.mkdir(parents=True, exist_ok=True)
    handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(handle, kind | fcntl.LOCK_NB)
        except BlockingIOError:
            raise DataInUse(otherwise) from None
        yield
    finally:
        os.close(handle)
