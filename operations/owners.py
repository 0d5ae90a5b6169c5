"""Who holds a lock or a paper, and whether that process is provably dead.

An owner is written `host:pid:start@boot:namespace`: the start time tells a process from a later one with the same
number, the boot id tells a restart of the machine, the namespace a container.
"""

import datetime as dt
import os
import re
import socket
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from pathlib import Path

import psutil
from django.conf import settings
from django.utils import timezone

_FORM = re.compile(r"(?P<host>.*):(?P<pid>\d+):(?P<start>\d+)@(?P<boot>[^:]*):(?P<namespace>[^:]*)")


@dataclass(frozen=True)
class Owner:
    """A process, told from any other that ever ran."""

    host: str
    pid: int
    start: int
    boot: str
    namespace: str

    def __str__(self) -> str:
        """Return the form kept in the database."""
        return f"{self.host}:{self.pid}:{self.start}@{self.boot}:{self.namespace}"


@cache
def _boot_id() -> str:
    try:
        return Path("/proc/sys/kernel/random/boot_id").read_text("ascii").strip()
    except OSError:
        return str(int(psutil.boot_time()))


def _namespace() -> str:
    try:
        return re.sub(r"\D", "", str(Path("/proc/self/ns/pid").readlink()))
    except OSError:
        return ""


def _start_of(pid: int) -> int | None:
    """Return when process `pid` started, in clock ticks since boot where known, or None where it is gone."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace").rpartition(")")[2].split()
    except (FileNotFoundError, ProcessLookupError):
        if Path("/proc/self/stat").exists():
            return None
        return _start_without_proc(pid)
    return None if fields[0] in "ZX" else int(fields[19])


def _start_without_proc(pid: int) -> int | None:
    try:
        process = psutil.Process(pid)
        return None if process.status() == psutil.STATUS_ZOMBIE else int(process.create_time())
    except psutil.NoSuchProcess:
        return None


def current_owner() -> str:
    """Return this process, as kept in `owner` columns."""
    pid = os.getpid()
    return str(Owner(socket.gethostname(), pid, _start_of(pid) or 0, _boot_id(), _namespace()))


def parse(owner: str | None) -> Owner | None:
    """Return the parts of an owner, or None where the text is of no known form."""
    match = _FORM.fullmatch(owner or "")
    if not match:
        return None
    return Owner(match["host"], int(match["pid"]), int(match["start"]), match["boot"], match["namespace"])


def is_dead(owner: str | None) -> bool:
    """Tell whether the process is provably gone; one that cannot be looked at counts as alive."""
    parts = parse(owner)
    if parts is None:
        return False
    if parts.boot != _boot_id():
        # SQLite's WAL is never shared between machines, so this is ours before its restart.
        return True
    if parts.namespace != _namespace():
        return False
    return _start_of(parts.pid) != parts.start


class Life(StrEnum):
    """Whether a process that holds something is still there."""

    ALIVE = "alive"
    DEAD = "dead"
    UNKNOWN = "unknown"


def life_of(owner: str | None, since: dt.datetime) -> Life:
    """Tell whether a process that has held something `since` then is there, gone, or cannot be looked at.

    It cannot be looked at where it runs in another container, or was never written down in a form that is known.
    """
    if is_abandoned(owner, since):
        return Life.DEAD
    parts = parse(owner)
    return Life.ALIVE if parts is not None and parts.namespace == _namespace() else Life.UNKNOWN


def is_abandoned(owner: str | None, since: dt.datetime) -> bool:
    """Tell whether what a process has held `since` then is free: it is dead, or must be by now.

    A process in another container cannot be looked at. No task may last longer than TASK_SECONDS, so that one which
    has held something for twice as long is one that was lost with its container.
    """
    if is_dead(owner):
        return True
    parts = parse(owner)
    elsewhere = parts is not None and parts.namespace != _namespace()
    return elsewhere and timezone.now() - since > 2 * dt.timedelta(seconds=settings.TASK_SECONDS)


def describe(owner: str | None) -> str:
    """Return an owner in words: `process 12 on host`."""
    parts = parse(owner)
    return f"process {parts.pid} on {parts.host}" if parts else (owner or "nobody")


def run_mark() -> str:
    """Return the mark of processes that this one starts: who started them, for which installation."""
    return f"{current_owner()}|{settings.PAPERSITE.data_dir}"


def is_leftover(mark: str) -> bool:
    """Tell whether a marked process of this installation was started by a process that is dead."""
    owner, _, data_dir = mark.partition("|")
    return data_dir == str(settings.PAPERSITE.data_dir) and is_dead(owner)
