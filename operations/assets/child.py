"""The child's side of `isolation`: takes limits, runs one function, answers with one JSON object.

Run as `python -I child.py`, without Django and with nothing of the parent's environment.
"""

import contextlib
import ctypes
import importlib
import json
import os
import resource
import signal
import sys
import traceback
from pathlib import Path
from typing import Any

_PR_SET_PDEATHSIG = 1  # linux/prctl.h
_TRACEBACK_CHARACTERS = 2000


def main() -> None:
    """Read the request from stdin and write the answer to what was stdout."""
    answer_file = _private_stdout()
    request = json.loads(sys.stdin.buffer.read())
    _die_with(request["parent"])
    _limit_resources(request["limits"])
    sys.path.insert(0, str(Path(__file__).resolve().parents[2]))
    answer = _answer(request["function"], request["arguments"])
    with os.fdopen(answer_file, "w", encoding="ascii") as file:
        json.dump(answer, file)


def _private_stdout() -> int:
    """Keep the pipe for the answer alone; what libraries print goes nowhere."""
    answer_file = os.dup(1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    return answer_file


def _die_with(parent: int) -> None:
    """Have the kernel kill this process when its parent is gone, which may be so already."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _limit_resources(limits: dict[str, int]) -> None:
    """Set what the kernel enforces; a system that lacks a limit goes without it."""
    wanted = {
        resource.RLIMIT_CPU: limits["cpu_seconds"],
        resource.RLIMIT_AS: limits["memory_bytes"],
        resource.RLIMIT_FSIZE: limits["file_bytes"],
        resource.RLIMIT_CORE: 0,
    }
    for name, value in wanted.items():
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(name, (value, value))


def _answer(function: str, arguments: dict[str, Any]) -> dict[str, Any]:
    try:
        module, _, name = function.partition(":")
        return {"value": getattr(importlib.import_module(module), name)(**arguments)}
    except Exception as error:
        # The last lines say where: for the log of the parent, which cannot see them otherwise.
        where = "".join(traceback.format_exception(error))[-_TRACEBACK_CHARACTERS:]
        return {"error": type(error).__name__, "message": str(error), "traceback": where}


if __name__ == "__main__":
    main()
