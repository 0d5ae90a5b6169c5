"""Counts of a minute that all processes and threads of an installation share, in a small file of fixed size.

Neither a table nor a cache of Django's serves: a row would be a write of the database for each call, which holds up
whoever writes papers, and a cache in memory counts for one process alone. Here a call costs a few microseconds, and
whoever comes from a million addresses takes no more room than one.

Two neighbouring minutes are counted, and of the one before so much weighs as still lies within the last 60 seconds: no
burst at the turn of a minute gets double.
"""

import fcntl
import hashlib
import os
import struct
import threading
import time
from dataclasses import dataclass
from math import ceil
from pathlib import Path

MINUTE = 60
# A name has its place in one of so many sets, beside others; of a full set the one that was least here makes room.
_SETS = 4096
_PLACES = 8
# A name's mark, the minute, the calls in it, and those in the minute before.
_ENTRY = struct.Struct("<QIII4x")
_SET_BYTES = _ENTRY.size * _PLACES


@dataclass(slots=True)
class _Entry:
    mark: int
    minute: int
    now: int
    before: int


class SharedCounts:
    """The counts in the file `path`. Open it once a process: a second opening would lose the first one's locks."""

    def __init__(self, path: Path, secret: str) -> None:
        """Open the file; `secret` makes that nobody can choose names that share a place.

        Raises:
            OSError: it cannot be opened.
        """
        path.parent.mkdir(parents=True, exist_ok=True)
        self._file = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        self._key = hashlib.sha256(secret.encode()).digest()
        self._threads = threading.Lock()

    def seconds_to_wait(self, name: str, limit: int) -> int:
        """Count a call of `name`, and return 0; with `limit` calls in the last minute count none, return the seconds.

        Raises:
            OSError: the file cannot be read or written.
        """
        digest = hashlib.blake2b(name.encode(errors="replace"), key=self._key, digest_size=12).digest()
        mark = int.from_bytes(digest[:8], "little") or 1
        place = int.from_bytes(digest[8:], "little") % _SETS * _SET_BYTES
        with self._threads:
            fcntl.lockf(self._file, fcntl.LOCK_EX, _SET_BYTES, place)
            try:
                return self._counted(mark, place, limit)
            finally:
                fcntl.lockf(self._file, fcntl.LOCK_UN, _SET_BYTES, place)

    def _counted(self, mark: int, place: int, limit: int) -> int:
        stored = os.pread(self._file, _SET_BYTES, place).ljust(_SET_BYTES, b"\0")
        entries = [_Entry(*fields) for fields in _ENTRY.iter_unpack(stored)]
        number = _place_of(mark, entries)
        entry = entries[number]
        moment = time.time()
        _turn_to(entry, mark, int(moment // MINUTE))
        wait = _wait(entry, moment % MINUTE, limit)
        if wait == 0:
            entry.now += 1
            fields = _ENTRY.pack(entry.mark, entry.minute, entry.now, entry.before)
            os.pwrite(self._file, fields, place + number * _ENTRY.size)
        return wait


def _place_of(mark: int, entries: list[_Entry]) -> int:
    """Return where a name stands in its set, or may stand: where the one stands that called least, longest ago."""
    for number, entry in enumerate(entries):
        if entry.mark == mark:
            return number
    return min(range(_PLACES), key=lambda number: (entries[number].minute, entries[number].now))


def _turn_to(entry: _Entry, mark: int, minute: int) -> None:
    """Make an entry one of this name and this minute."""
    if entry.mark != mark or entry.minute > minute:  # another's, or of a clock that was put back since
        entry.mark, entry.minute, entry.now, entry.before = mark, minute, 0, 0
    elif entry.minute != minute:
        entry.before = entry.now if entry.minute == minute - 1 else 0
        entry.minute, entry.now = minute, 0


def _wait(entry: _Entry, second: float, limit: int) -> int:
    """Return after how many seconds a call is within the limit; 0: now."""
    if entry.before * (MINUTE - second) / MINUTE + entry.now < limit:
        return 0
    if entry.now >= limit:  # in the next minute, as soon as a little of these has passed
        return ceil(MINUTE - second + _until(entry.now, limit))
    return max(1, ceil(_until(entry.before, limit - entry.now) - second))


def _until(calls: int, limit: int) -> float:
    """Return the second of a minute from which on `calls` of the one before weigh less than `limit`."""
    return MINUTE * max(0.0, 1 - limit / calls) + 0.001
