"""Functions that tests run in a child process."""

import ctypes
import os
import subprocess
import sys
import time
from pathlib import Path


def echo(value: object) -> object:
    print("noise on stdout")
    os.write(1, b"more noise")
    return value


def fail(message: str) -> None:
    raise ValueError(message)


def crash() -> None:
    ctypes.string_at(0)


def leave() -> None:
    os._exit(3)


def close_everything() -> None:
    os.closerange(0, 100)
    os._exit(0)


def sleep(pid_file: str) -> None:
    Path(pid_file).write_text(str(os.getpid()))
    time.sleep(60)


def sleep_with_child(pid_file: str) -> None:
    child = subprocess.Popen(["sleep", "60"])
    Path(pid_file).write_text(str(child.pid))
    time.sleep(60)


def spin() -> None:
    while True:
        pass


def grow() -> int:
    return len(bytearray(1024 * 1024 * 1024))


def flood() -> str:
    return "x" * 1_000_000


def fill(path: str) -> None:
    with Path(path).open("wb", buffering=0) as file:
        for _ in range(100):
            file.write(b"x" * 10_000)


def environment() -> list[str]:
    return sorted(os.environ)


def modules() -> list[str]:
    return sorted(name for name in sys.modules if "." not in name)
