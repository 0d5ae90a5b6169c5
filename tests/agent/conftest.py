"""Agents that behave as told, and a look at what they leave."""

import sys
import textwrap
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from operations.agent.command import AgentCommand
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
