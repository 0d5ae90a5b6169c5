"""One pace for a source over all processes of this installation, kept in a locked file.

The lock is the kernel's (flock): it is held while a request is in flight and falls with the process that holds it,
however that ends. The file holds two moments of the monotonic clock, which all processes of a machine share and which
nobody can set: when the last request started, and until when the source asked to be left alone.
"""

import fcntl
import json
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from operations.http.errors import TurnTooLate
from operations.http.patience import LONGEST_RETRY_AFTER

# Seconds between two looks at a lock that is not waited for without end.
_LOOK = 0.1


@dataclass(frozen=True)
class _Moments:
    """When the last request started, and until when all are held back, by the monotonic clock; None: never."""

    started: float | None = None
    held_until: float | None = None

    @classmethod
    def read(cls, handle: int) -> "_Moments":
        """Read the file; what cannot be understood counts as never."""
        try:
            started, held_until = json.loads(os.pread(handle, 200, 0))
        except (ValueError, TypeError, RecursionError):
            return cls()
        return cls(_moment(started), _moment(held_until))

    def write(self, handle: int) -> None:
        """Write the file in place, since a new file would carry no lock."""
        os.ftruncate(handle, 0)
        os.pwrite(handle, json.dumps([self.started, self.held_until]).encode(), 0)


def _moment(value: object) -> float | None:
    return float(value) if isinstance(value, float) and isfinite(value) else None


class Turn:
    """The right to make one request now."""

    def hold_back(self, seconds: float) -> None:
        """Let no process start a request for so many seconds from now."""

    def answered(self) -> None:
        """Count the interval from now on.

        The source answers no sooner than the request has reached it, so that it sees the whole interval between two
        requests, though the way to it took long for the first and no time for the second.
        """


class _PacedTurn(Turn):
    def __init__(self, handle: int, clock: Callable[[], float], longest_hold: float) -> None:
        self._handle = handle
        self._clock = clock
        self._longest_hold = longest_hold

    def hold_back(self, seconds: float) -> None:
        if seconds <= 0:
            return
        now = self._clock()
        _Moments(now, now + min(seconds, self._longest_hold)).write(self._handle)

    def answered(self) -> None:
        _Moments(self._clock()).write(self._handle)


class RequestPace:
    """Lets one request at a time through, and starts them at least `interval` seconds apart.

    Whatever the file holds, a turn waits no longer than the greater of `interval` and `longest_hold` once the request
    before it has ended. With an interval of 0 there is no pace and no file.
    """

    def __init__(
        self,
        path: Path,
        interval: float,
        *,
        longest_hold: float = LONGEST_RETRY_AFTER,
        give_up_after: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        """Keep the file's path, and the interval and the longest hold in seconds; nothing is opened yet.

        With `give_up_after` no turn begins later than so many seconds from now.
        """
        self.path = path
        self.interval = interval
        self.longest_hold = longest_hold
        self._clock = clock
        self._sleep = sleep
        self._end = None if give_up_after is None else clock() + give_up_after

    @contextmanager
    def turn(self) -> Iterator[Turn]:
        """Wait for the turn, and keep others waiting until the block ends.

        Raises:
            TurnTooLate: it would begin after `give_up_after`.
        """
        self._refuse_after(0)
        if self.interval <= 0:
            yield Turn()
            return
        handle = self._locked()
        try:
            self._wait(_Moments.read(handle))
            turn = _PacedTurn(handle, self._clock, self.longest_hold)
            turn.answered()
            yield turn
        finally:
            fcntl.flock(handle, fcntl.LOCK_UN)  # by name: a forked child may still have the file open
            os.close(handle)

    def _locked(self) -> int:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        while True:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o644)
            try:
                self._lock(handle)
                if self._is_still_the_file(handle):
                    return handle
            except BaseException:
                os.close(handle)
                raise
            os.close(handle)

    def _lock(self, handle: int) -> None:
        if self._end is None:
            fcntl.flock(handle, fcntl.LOCK_EX)
            return
        while not _locked_at_once(handle):
            self._refuse_after(_LOOK)
            self._sleep(_LOOK)

    def _refuse_after(self, seconds: float) -> None:
        if self._end is not None and self._clock() + seconds > self._end:
            raise TurnTooLate("others ask the source, or it wants to be left alone; no turn came in time")

    def _is_still_the_file(self, handle: int) -> bool:
        """Tell whether others would lock the same file; it may have been moved away while this process waited."""
        try:
            return os.path.samestat(os.fstat(handle), self.path.stat())
        except FileNotFoundError:
            return False

    def _wait(self, moments: _Moments) -> None:
        now, waits = self._clock(), [0.0]
        if moments.started is not None:
            waits.append(min(moments.started + self.interval - now, self.interval))
        if moments.held_until is not None:
            waits.append(min(moments.held_until - now, self.longest_hold))
        self._refuse_after(max(waits))
        if max(waits) > 0:
            self._sleep(max(waits))


def _locked_at_once(handle: int) -> bool:
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
