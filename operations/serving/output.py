"""What the parts of the site print, kept in rotated files."""

import logging
import threading
from collections import deque
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import IO

MAX_BYTES = 10_000_000  # of one file, before it is put aside
KEPT_FILES = 5
LAST_LINES = 15  # shown when a part dies
_MAX_LINE = 64_000


class Output:
    """Reads one part's output in a thread and writes it to `path`.

    One reader writes each file, so that rotation needs no agreement between processes.
    """

    def __init__(self, path: Path) -> None:
        """Open the file for appending, and its folder if need be."""
        path.parent.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.last: deque[str] = deque(maxlen=LAST_LINES)
        self._thread: threading.Thread | None = None
        self._handler = RotatingFileHandler(path, maxBytes=MAX_BYTES, backupCount=KEPT_FILES, encoding="utf-8")

    def follow(self, stream: IO[bytes]) -> None:
        """Begin to read `stream`, until its end."""
        name = f"output {self.path.name}"
        self._thread = threading.Thread(target=self._read, args=(stream,), name=name, daemon=True)
        self._thread.start()

    def last_lines(self) -> list[str]:
        """Return the last lines of a part that has ended."""
        if self._thread:
            self._thread.join(1.0)
        return list(self.last)

    def _read(self, stream: IO[bytes]) -> None:
        with stream:
            while line := stream.readline(_MAX_LINE):
                self.write(line.decode("utf-8", "replace").rstrip("\r\n"))

    def write(self, line: str) -> None:
        """Add a line."""
        self.last.append(line)
        self._handler.emit(logging.makeLogRecord({"msg": line}))
