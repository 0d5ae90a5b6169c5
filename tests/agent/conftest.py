"""Agents that behave as told, and a look at what they leave."""

import sys
import textwrap
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from operations.agent.command import AgentCommand
from operations.agent.tools import NODE_PROGRAM, PI_SCRIPT, Places
from operations.processes.leftovers import kill_marked, marked_processes, owner_of


def agent(*lines: str) -> AgentCommand:
    """An agent that runs these lines of Python."""
    return AgentCommand((sys.executable, "-I", "-S", "-c", "\n".join(textwrap.dedent(line) for line in lines)))


def wait_until(condition: Callable[[], object], seconds: float = 10) -> bool:
    """Return whether `condition` came true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


@pytest.fixture
def owner() -> Iterator[str]:
    """Whose agents those of one test are."""
    name = f"test:{uuid.uuid4()}"
    yield name
    kill_marked(name.__eq__)


@pytest.fixture
def survivors(owner: str) -> Callable[[], list[int]]:
    return lambda: [process.pid for process in marked_processes() if owner_of(process.mark) == owner]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Where working folders are made."""
    return tmp_path / "tmp"


def program(path: Path, *lines: str) -> Path:
    """A shell script at `path`."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(["#!/bin/sh", *lines, ""]))
    path.chmod(0o755)
    return path


@pytest.fixture
def places(tmp_path: Path) -> Places:
    """Nothing installed, and a PATH of one empty folder beside the shell's tools."""
    (tmp_path / "bin").mkdir()
    return Places(tools=tmp_path / "tools", path=f"{tmp_path / 'bin'}:{shell_only(tmp_path)}")


def shell_only(tmp_path: Path) -> Path:
    folder = tmp_path / "shell"
    folder.mkdir()
    for name in ("sh", "sleep", "cat"):
        (folder / name).symlink_to(f"/bin/{name}")
    return folder


def install_own(places: Places, *, node: str = "v24.19.0", pi: str = "1.6.0") -> None:
    """A node that says its version, and for any script that of pi."""
    answer = f'if [ "$1" = --version ]; then echo {node}; else echo {pi}; fi'
    program(places.own_node / NODE_PROGRAM, answer)
    (places.own_pi / PI_SCRIPT).parent.mkdir(parents=True)
    (places.own_pi / PI_SCRIPT).touch()
