"""Processes whose guard was killed with its starter: found by a mark in their environment.

Every guarded command is started with `MARKER` set to a mark that names its owner, whoever started it. Children inherit
it, whatever sessions and parents they take.
"""

import os
import signal
import time
import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

MARKER = "PAPERSITE_RUN"
_SEPARATOR = "#run="
_PROC = Path("/proc")
# One that forks and ends all the time can slip through a look at the list of processes, hardly through several.
_EMPTY_LOOKS = 4
_PAUSE = 0.005  # seconds between two looks


def new_mark(owner: str) -> str:
    """Return a mark that names `owner` and is like no other."""
    return f"{owner}{_SEPARATOR}{uuid.uuid4().hex}"


def owner_of(mark: str) -> str:
    """Return the owner a mark names: all of it, where it is not of one run alone."""
    return mark.rsplit(_SEPARATOR, 1)[0]


@dataclass(frozen=True)
class MarkedProcess:
    """A living process that carries a mark."""

    pid: int
    mark: str


def mark_of(pid: int) -> str | None:
    """Return the mark a process was started with; None if it has none, has ended, or is another user's."""
    try:
        environment = (_PROC / str(pid) / "environ").read_bytes()
    except OSError:
        return None
    prefix = f"{MARKER}=".encode()
    for entry in environment.split(b"\0"):
        if entry.startswith(prefix):
            return entry.removeprefix(prefix).decode(errors="replace")
    return None


def marked_processes() -> Iterator[MarkedProcess]:
    """Yield every marked process of this machine that we may look at, except this one and those above it.

    The newest come first: one that forks and ends all the time must be dealt with before it is gone again.
    """
    spared = _own_line()
    try:
        pids = [int(entry.name) for entry in _PROC.iterdir() if entry.name.isdigit()]
    except OSError:
        return
    for pid in sorted(pids, reverse=True):
        if pid not in spared and (mark := mark_of(pid)) is not None:
            yield MarkedProcess(pid, mark)


def _own_line() -> set[int]:
    line = {os.getpid()}
    pid = os.getppid()
    while pid > 0 and pid not in line:
        line.add(pid)
        pid = _parent_of(pid)
    return line


def _parent_of(pid: int) -> int:
    try:
        return int((_PROC / str(pid) / "stat").read_bytes().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return 0


def kill_marked(is_leftover: Callable[[str], bool], *, patience: float = 5.0) -> list[int]:
    """Kill the marked processes whose owner `is_leftover` accepts, until none is found any more.

    Looks again, since a process may fork between the look and the kill; for at most `patience` seconds, since one in an
    uninterruptible system call cannot be killed.

    Returns:
        the ids of the processes killed.
    """
    return _kill_all(lambda mark: is_leftover(owner_of(mark)), patience)


def kill_run(mark: str, *, patience: float = 5.0) -> list[int]:
    """Kill the processes that carry just this mark; see `kill_marked`."""
    return _kill_all(mark.__eq__, patience)


def _kill_all(is_meant: Callable[[str], bool], patience: float) -> list[int]:
    killed: set[int] = set()
    deadline = time.monotonic() + patience
    empty_looks = 0
    while empty_looks < _EMPTY_LOOKS and time.monotonic() < deadline:
        empty_looks += 1
        for process in marked_processes():
            if is_meant(process.mark):
                empty_looks = 0
                if _kill_if_still(process):
                    killed.add(process.pid)
        time.sleep(_PAUSE)
    return sorted(killed)


def _kill_if_still(process: MarkedProcess) -> bool:
    """Kill by a handle on the process, so that another one that got its id meanwhile is not hit."""
    try:
        handle = os.pidfd_open(process.pid)
    except OSError:
        return False
    try:
        if mark_of(process.pid) != process.mark:
            return False
        signal.pidfd_send_signal(handle, signal.SIGKILL)
    except OSError:
        return False
    else:
        return True
    finally:
        os.close(handle)
