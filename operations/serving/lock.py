"""One `serve` for one DATA_DIR."""

import datetime as dt
import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil


class AlreadyServing(Exception):
    """Another `serve`, or a `restore`, runs on the same DATA_DIR."""

    def __init__(self, pid: str) -> None:
        """Name the process that serves."""
        super().__init__(f"this DATA_DIR is being served, or restored, by process {pid or 'unknown'}")


@contextmanager
def serving_alone(data_dir: Path) -> Iterator[None]:
    """Hold the lock of the data folder; the kernel gives it back however this process ends.

    Raises:
        AlreadyServing: someone else holds it.
    """
    path = data_dir / "locks" / "serve.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            lock.seek(0)
            raise AlreadyServing(lock.read(20).strip()) from None
        lock.truncate(0)
        lock.write(str(os.getpid()))
        lock.flush()
        yield


def serving_since(data_dir: Path) -> dt.datetime | None:
    """Return when the `serve` that serves the data folder began; None where none does, or it cannot be seen.

    The lock itself is left alone: trying it would turn a `serve` away that starts at this moment. A process that is
    older than the file is the one that wrote its number there.
    """
    path = data_dir / "locks" / "serve.lock"
    try:
        began = psutil.Process(int(path.read_text("ascii")[:20])).create_time()
        written = path.stat().st_mtime
    except (OSError, ValueError, psutil.Error):
        return None
    return dt.datetime.fromtimestamp(began, dt.UTC) if began <= written else None
