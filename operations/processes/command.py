"""How a guarded command is started."""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from operations.processes.guard import DEFAULT_GRACE

GUARD = Path(__file__).with_name("guard.py")


def guarded(command: Sequence[str], *, grace: float = DEFAULT_GRACE, status_descriptor: int | None = None) -> list[str]:
    """Return the argument list that runs `command` under guard.

    Start it from the process that calls this, and from a thread that lives as long as the command may: the guard ends
    the command when that thread is gone. Signal the guard with TERM to stop; it kills what is left after `grace`
    seconds. Give the command a mark (`leftovers.MARKER`) in its environment, for the case that the guard itself is
    killed.

    Args:
        command: program and arguments; the program is looked up on PATH.
        grace: seconds from TERM to KILL.
        status_descriptor: an inherited pipe on which the guard writes the error number if the command cannot be
            started.
    """
    options = [f"--grace={grace}", f"--parent={os.getpid()}"]
    if status_descriptor is not None:
        options.append(f"--status-fd={status_descriptor}")
    return [sys.executable, "-I", "-S", str(GUARD), *options, "--", *command]
