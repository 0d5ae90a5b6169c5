"""A limit on the whole of a request, headers and body, that a slow drip of bytes cannot escape."""

import socket
import threading
from types import TracebackType
from typing import Any


class Deadline:
    """Shuts the sockets of one request when its time is over, so that whatever waits for them ends at once.

    The sockets are learnt from httpcore's trace events, so each request needs a connection of its own.
    """

    def __init__(self, seconds: float) -> None:
        """Prepare; the time runs from the beginning of the `with` block."""
        self.seconds = seconds
        self.is_over = False
        self._sockets: list[socket.socket] = []
        self._lock = threading.Lock()
        self._timer = threading.Timer(seconds, self._end)
        self._timer.daemon = True

    def __enter__(self) -> "Deadline":
        """Start the clock."""
        self._timer.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Stop the clock, and forget the sockets before their numbers are used again."""
        self._timer.cancel()
        with self._lock:
            self._sockets.clear()

    def trace(self, event: str, details: dict[str, Any]) -> None:
        """Note each new connection; httpcore calls this as its `trace` extension."""
        extra_info = getattr(details.get("return_value"), "get_extra_info", None)
        if extra_info and (found := extra_info("socket")):
            with self._lock:
                self._sockets.append(found)
                if self.is_over:
                    self._shut(found)

    def _end(self) -> None:
        with self._lock:
            self.is_over = True
            for found in self._sockets:
                self._shut(found)

    @staticmethod
    def _shut(found: socket.socket) -> None:
        try:
            # The plain socket's own method: that of a TLS socket changes it under the thread that reads.
            socket.socket.shutdown(found, socket.SHUT_RDWR)
        except OSError:
            return  # closed already, which is all that is wanted
