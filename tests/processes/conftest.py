"""Scripts to guard, and a way to see whether anything of them is left."""

import time
import uuid
from collections.abc import Callable, Iterator

import pytest

from operations.processes.leftovers import kill_marked, marked_processes


@pytest.fixture
def mark() -> Iterator[str]:
    """A mark for the processes of one test, which ends what is left of them."""
    token = f"test:{uuid.uuid4()}"
    yield token
    kill_marked(token.__eq__)


@pytest.fixture
def survivors(mark: str) -> Callable[[], list[int]]:
    return lambda: [process.pid for process in marked_processes() if process.mark == mark]


def wait_until(condition: Callable[[], object], seconds: float = 10) -> bool:
    """Return whether `condition` came true in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True
