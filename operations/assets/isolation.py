"""Running a function on hostile input in a process of its own, which may crash, hang or grow without harm.

The process is plain Python (no Django, no environment), leads its own session, is limited by the kernel in processor
time, memory and size of files, dies with its parent, and is killed with all its group when its time is over.
"""

import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any, cast

_CHILD = Path(__file__).with_name("child.py")
_MIB = 1024 * 1024


@dataclass(frozen=True)
class Limits:
    """What one run may use. Seconds are wall clock; memory is address space, not resident memory."""

    seconds: float = 60
    cpu_seconds: int = 60
    memory_bytes: int = 1024 * _MIB
    file_bytes: int = 64 * _MIB
    output_bytes: int = 16 * _MIB


class IsolationError(Exception):
    """The function gave no answer."""


class ChildTimeout(IsolationError):
    """Its wall clock was over."""


class ChildOutputTooLarge(IsolationError):
    """It wrote more than its limit."""


class ChildCrashed(IsolationError):
    """It ended without an answer, by a signal or a broken interpreter."""


class ChildError(IsolationError):
    """The function raised: `kind` is the name of the exception's class, `message` its text."""

    def __init__(self, kind: str, message: str, traceback: str = "") -> None:
        """Keep all three; the traceback is for logs."""
        super().__init__(f"{kind}: {message}" if message else kind)
        self.kind = kind
        self.message = message
        self.traceback = traceback


def run_isolated(function: str, arguments: dict[str, Any], limits: Limits | None = None) -> Any:
    """Call `function` (written `package.module:name`) with keyword `arguments` in a child, and return what it returns.

    Arguments and result are what JSON can carry. `function` is named by our own code, never by data.

    Raises:
        ChildTimeout, ChildOutputTooLarge, ChildCrashed, ChildError: see their classes.
    """
    limits = limits or Limits()
    request = {"function": function, "arguments": arguments, "limits": asdict(limits), "parent": os.getpid()}
    process = _start()
    try:
        _send(process, json.dumps(request).encode())
        output = _read_all(process, limits)
    finally:
        code = _end(process)
    return _value(output, code)


def _start() -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-I", str(_CHILD)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        cwd="/",
        env={"LC_ALL": "C.UTF-8"},
        start_new_session=True,
    )


def _send(process: subprocess.Popen[bytes], request: bytes) -> None:
    try:
        with cast("IO[bytes]", process.stdin) as stdin:
            stdin.write(request)
    except BrokenPipeError:
        pass  # it died at once; reading finds nothing and says so


def _read_all(process: subprocess.Popen[bytes], limits: Limits) -> bytes:
    deadline = time.monotonic() + limits.seconds
    output = bytearray()
    pipe = cast("IO[bytes]", process.stdout).fileno()
    with selectors.DefaultSelector() as selector:
        selector.register(pipe, selectors.EVENT_READ)
        while True:
            left = deadline - time.monotonic()
            if left <= 0 or not selector.select(left):
                raise ChildTimeout(f"took longer than {limits.seconds:g} s")
            data = os.read(pipe, 64 * 1024)
            if not data:
                return bytes(output)
            output += data
            if len(output) > limits.output_bytes:
                raise ChildOutputTooLarge(f"gave more than {limits.output_bytes:,} bytes")


def _end(process: subprocess.Popen[bytes]) -> int:
    """Kill the whole group and reap its leader; return the leader's exit code.

    The leader is not reaped before, so that its number cannot belong to somebody else yet. One that is ending by
    itself (its answer is read by then) keeps the code it chose.
    """
    with contextlib.suppress(ProcessLookupError, PermissionError):  # the latter: macOS, of a group that has ended
        os.killpg(process.pid, signal.SIGKILL)
    cast("IO[bytes]", process.stdout).close()
    return process.wait()


def _value(output: bytes, code: int) -> Any:
    try:
        answer = json.loads(output)
    except ValueError:
        raise ChildCrashed(_how_it_ended(code)) from None
    if "error" in answer:
        raise ChildError(answer["error"], answer["message"], answer["traceback"])
    return answer["value"]


def _how_it_ended(code: int) -> str:
    if code == -signal.SIGXCPU:
        return "used more processor time than allowed"
    if code < 0:
        return f"was ended by {signal.Signals(-code).name}"
    return f"ended with exit code {code} and no answer"
