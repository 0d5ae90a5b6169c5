"""Waiting without being deaf: a long pause before a source is asked again, that can be given up."""

import time
from collections.abc import Callable

# Seconds between two looks at whether the wait should be given up.
LISTEN_EVERY = 1.0


def listening_sleep(listen: Callable[[], None]) -> Callable[[float], None]:
    """Return a way to wait for so many seconds that calls `listen` every second; what it raises ends the wait."""

    def sleep(seconds: float) -> None:
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            listen()
            time.sleep(min(left, LISTEN_EVERY))

    return sleep
