"""Runs a command of Papersite and kills it at a chosen step, as the kernel would. Run by the tests as a program:

python -m tests.backup.killing STEP NUMBER COMMAND…   (the NUMBERth call of STEP is the last thing that happens)
"""

import importlib
import os
import signal
import sys
from pathlib import Path
from typing import Any

# Each is called at least once by the command; the kill comes just before.
STEPS = {
    "rename": ("pathlib.Path", "rename"),
    "replace": ("pathlib.Path", "replace"),
    "snapshot": ("operations.backup.making", "take_snapshot"),
    "contents": ("operations.backup.making", "read_contents"),
    "file": ("operations.backup.archive.ArchiveWriter", "add_file"),
    "database": ("operations.backup.archive.ArchiveWriter", "add_database"),
    "finish": ("operations.backup.archive.ArchiveWriter", "finish"),
    "read back": ("operations.backup.making", "read_archive"),
    "unpack": ("operations.backup.restoring", "unpack"),
    "check": ("operations.backup.unpacking", "check_database"),
    "tables": ("operations.backup.restoring", "ensure_tables"),
    "settle": ("operations.backup.restoring", "settle"),
    "log": ("operations.backup.restoring", "write_log"),
    "ready": ("operations.backup.staging", "write_atomically"),
    "unlink": ("pathlib.Path", "unlink"),
    "change": ("operations.backup.staging", "change"),
}


def _owner_of(path: str) -> Any:
    """Return a module, or a class of one."""
    try:
        return importlib.import_module(path)
    except ModuleNotFoundError:
        module, _, name = path.rpartition(".")
        return getattr(importlib.import_module(module), name)


def kill_at(step: str, number: int) -> None:
    """Let the NUMBERth call of a step be a kill."""
    where, name = STEPS[step]
    owner = _owner_of(where)
    whole, calls = getattr(owner, name), 0

    def counted(*args: Any, **kwargs: Any) -> Any:
        nonlocal calls
        if _matters(args):
            calls += 1
            if calls == number:
                os.kill(os.getpid(), signal.SIGKILL)
        return whole(*args, **kwargs)

    setattr(owner, name, counted)


def _matters(args: tuple[Any, ...]) -> bool:
    """Leave out the moves of files by others, such as those of Python's own caches."""
    paths = [arg for arg in args if isinstance(arg, Path)]
    return all(
        str(path).startswith(os.environ["PAPERSITE_DATA_DIR"])
        or path.suffix == ".gz"
        or "papersite-backup" in str(path)
        for path in paths
    )


if __name__ == "__main__":
    os.environ["DJANGO_SETTINGS_MODULE"] = "papersite.settings"
    import django

    django.setup()
    from django.core.management import execute_from_command_line

    for module in ("operations.backup.making", "operations.backup.restoring"):
        importlib.import_module(module)
    kill_at(sys.argv[1], int(sys.argv[2]))
    execute_from_command_line(["manage.py", *sys.argv[3:]])
