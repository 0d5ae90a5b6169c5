"""Whatever an agent does, no process of it and no file is left, and the caller is not held up."""

import multiprocessing
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from operations.agent.command import AgentCommand
from operations.agent.errors import AgentError, AgentFailed, AgentOutputTooLarge, AgentTimeout
from operations.agent.runner import run_agent

from .conftest import agent, wait_until

DEAF = "import signal; [signal.signal(n, signal.SIG_IGN) for n in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)]"
SLEEP = "import time; time.sleep(600)"
DAEMON = """
import os, time
ready, done = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    os.write(done, b"x")
    time.sleep(600)
os.read(ready, 1)
"""
HOSTILE = {
    "hangs": (agent(SLEEP), AgentTimeout),
    "hangs and is deaf": (agent(DEAF, SLEEP), AgentTimeout),
    "floods stdout": (agent("import os\nwhile True: os.write(1, b'x' * 65536)"), AgentOutputTooLarge),
    "floods stderr": (agent("import os\nwhile True: os.write(2, b'x' * 65536)"), AgentOutputTooLarge),
    "floods and is deaf": (agent(DEAF, "import os\nwhile True: os.write(1, b'x' * 65536)"), AgentOutputTooLarge),
    "leaves a deaf daemon": (agent(DEAF, DAEMON), None),
    "leaves a deaf daemon and fails": (agent(DEAF, DAEMON, "os._exit(3)"), AgentFailed),
    "leaves a deaf daemon and hangs": (agent(DEAF, DAEMON, SLEEP), AgentTimeout),
    "closes its streams and stays": (agent("import os; [os.close(n) for n in range(3)]", SLEEP), AgentTimeout),
    "says nothing": (agent("pass"), None),
    "fails": (agent("import sys; sys.exit(3)"), AgentFailed),
    "writes, then hangs": (agent("print('{', flush=True)", SLEEP), AgentTimeout),
    "stops itself": (agent("import os, signal; os.kill(os.getpid(), signal.SIGSTOP)"), AgentTimeout),
    "kills its guard": (agent(DEAF, DAEMON, "os.kill(os.getppid(), 9)", SLEEP), AgentFailed),
    "ends its group": (agent(DAEMON, "os.killpg(0, 9)"), AgentFailed),
}


@pytest.mark.parametrize("behaviour", HOSTILE)
def test_nothing_is_left(behaviour: str, owner: str, folder: Path, survivors: Callable[[], list[int]]):
    command, expected = HOSTILE[behaviour]
    timeout = 1 if expected is AgentTimeout else 60
    began = time.monotonic()
    try:
        run_agent(command, "x" * 300_000, timeout=timeout, folder=folder, owner=owner)
        outcome = None
    except AgentError as error:
        outcome = type(error)
    assert outcome is expected
    assert time.monotonic() - began < 20
    assert survivors() == []
    assert list(folder.iterdir()) == []


@pytest.mark.parametrize("exception", [SystemExit, KeyboardInterrupt, ValueError])
def test_nothing_is_left_when_a_tick_raises(
    exception: type[BaseException], owner: str, folder: Path, survivors: Callable[[], list[int]]
):
    def tick() -> None:
        raise exception

    with pytest.raises(exception):
        run_agent(agent(DAEMON, SLEEP), "", timeout=30, on_tick=tick, tick_seconds=0.3, folder=folder, owner=owner)
    assert survivors() == []
    assert list(folder.iterdir()) == []


def test_nothing_is_left_when_a_signal_raises(owner: str, folder: Path, survivors: Callable[[], list[int]]):
    """As django-q2 does when a task has taken too long."""

    def raise_exit(*_: object) -> None:
        raise SystemExit(1)

    before = signal.signal(signal.SIGALRM, raise_exit)
    signal.setitimer(signal.ITIMER_REAL, 0.5)
    try:
        with pytest.raises(SystemExit):
            run_agent(agent(DEAF, DAEMON, SLEEP), "", timeout=30, folder=folder, owner=owner)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert survivors() == []
    assert list(folder.iterdir()) == []


def test_nothing_is_left_when_the_starter_is_killed(owner: str, tmp_path: Path, survivors: Callable[[], list[int]]):
    program = f"""
    from operations.agent.command import AgentCommand
    from operations.agent.runner import run_agent
    run_agent(AgentCommand({agent(DEAF, DAEMON, SLEEP).arguments!r}), "", timeout=60, owner={owner!r})
    """
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)], env={**os.environ, "TMPDIR": str(tmp_path)}
    ) as starter:
        assert wait_until(lambda: len(survivors()) == 3)  # guard, agent, daemon
        starter.kill()
    assert wait_until(lambda: not survivors(), 8)


def run_in_worker(arguments: tuple[str, ...], owner: str, answers: "multiprocessing.Queue[str]") -> None:
    answers.put(run_agent(AgentCommand(arguments), "", timeout=30, owner=owner).stdout)


def test_it_runs_in_a_daemonic_worker(owner: str, survivors: Callable[[], list[int]]):
    context = multiprocessing.get_context("spawn")
    answers = context.Queue()
    arguments = agent(DAEMON, "print('hello', flush=True)").arguments
    worker = context.Process(target=run_in_worker, args=(arguments, owner, answers), daemon=True)
    worker.start()
    assert answers.get(timeout=30) == "hello\n"
    worker.join(10)
    assert survivors() == []


def test_it_runs_in_threads(owner: str, survivors: Callable[[], list[int]]):
    answers: list[str] = []

    def run(number: int) -> None:
        answers.append(run_agent(agent(DAEMON, f"print({number}, flush=True)"), "", timeout=30, owner=owner).stdout)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert sorted(answers) == [f"{number}\n" for number in range(6)]
    assert survivors() == []
