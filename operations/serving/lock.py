"""One `serve` for one DATA_DIR."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class AlreadyServing(Exception):
    """Another `serve` runs on the same DATA_DIR."""

    def __init__(self, pid: str) -> None:
        """Name the process that serves."""
        super().__init__(f"this DATA_DIR is being served already, by process {pid or 'unknown'}")


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
