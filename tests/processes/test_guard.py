"""No process outlives the guard, whoever is killed first."""

import os
import signal
import subprocess
import sys
import textwrap
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from operations.processes.command import GUARD, guarded
from operations.processes.leftovers import MARKER

from .conftest import wait_until

# Leaves a grandchild in a session of its own that ignores every polite signal, then goes on as told.
DAEMON = """
import os, signal, time
ready, done = os.pipe()
if os.fork() == 0:
    os.setsid()
    if os.fork():
        os._exit(0)
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    os.write(done, b"x")
    time.sleep(600)
os.read(ready, 1)
"""
STUBBORN = (
    "import signal, time; signal.signal(signal.SIGTERM, signal.SIG_IGN); print('up', flush=True); time.sleep(600)"
)


def script(*parts: str) -> list[str]:
    return [sys.executable, "-I", "-S", "-c", "\n".join(textwrap.dedent(part) for part in parts)]


def start(command: list[str], mark: str, *, grace: float = 0.3) -> subprocess.Popen[str]:
    return subprocess.Popen(
        guarded(command, grace=grace), env={**os.environ, MARKER: mark}, stdout=subprocess.PIPE, text=True
    )


def first_line(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


@pytest.mark.parametrize(
    ("command", "code"),
    [
        (["true"], 0),
        (["sh", "-c", "exit 3"], 3),
        (["sh", "-c", "kill -9 $$"], 128 + 9),
        (["sh", "-c", "kill -TERM $$"], 128 + 15),
        (["/nowhere/at/all"], 127),
        (["/etc/passwd"], 126),
        (["printf", "--", "--"], 0),
    ],
)
def test_it_ends_with_the_commands_code(command: list[str], code: int, mark: str):
    with start(command, mark) as process:
        assert process.wait(10) == code


@pytest.mark.parametrize("arguments", [[], ["true"], ["--"], ["--odd=1", "--", "true"], ["--grace", "--", "true"]])
def test_wrong_use_is_said(arguments: list[str]):
    ran = subprocess.run([sys.executable, "-I", "-S", str(GUARD), *arguments], capture_output=True, check=False)
    assert ran.returncode == 2
    assert b"usage" in ran.stderr


def test_daemons_left_by_the_command_are_killed(mark: str, survivors: Callable[[], list[int]]):
    with start(script(DAEMON, "print('left', flush=True); os._exit(7)"), mark) as process:
        assert first_line(process) == "left"
        assert process.wait(10) == 7
    assert survivors() == []


def test_a_bush_of_processes_is_killed(mark: str, survivors: Callable[[], list[int]]):
    bush = """
    import os, time
    for _ in range(5):
        if os.fork() == 0:
            os.setsid()
    time.sleep(600)
    """
    with start(script(bush), mark) as process:
        assert wait_until(lambda: len(survivors()) == 33)  # the guard, and 2 to the power of 5
        process.terminate()
        assert process.wait(10) == 128 + 15
    assert survivors() == []


def test_a_term_reaches_the_command_alone(mark: str):
    parent = """
    import os, signal, sys, time
    def note(*_):
        os.write(1, b"parent got it\\n")
        time.sleep(0.2)
        sys.exit(5)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGTERM, lambda *_: os.write(1, b"child got it\\n"))
        time.sleep(600)
    signal.signal(signal.SIGTERM, note)
    print("up", flush=True)
    time.sleep(600)
    """
    with start(script(parent), mark, grace=30) as process:
        assert first_line(process) == "up"
        process.terminate()
        assert process.wait(10) == 5
        assert process.stdout.read() == "parent got it\n"


def test_what_ignores_term_is_killed_after_the_grace(mark: str, survivors: Callable[[], list[int]]):
    with start(script(STUBBORN), mark, grace=0.3) as process:
        assert first_line(process) == "up"
        began = time.monotonic()
        process.terminate()
        assert process.wait(10) == 128 + 9
        assert 0.25 < time.monotonic() - began < 20
    assert survivors() == []


def test_a_stopped_command_is_killed_too(mark: str, survivors: Callable[[], list[int]]):
    with start(["sh", "-c", "kill -STOP $$"], mark) as process:
        time.sleep(0.2)
        process.terminate()
        assert process.wait(10) == 128 + 9
    assert survivors() == []


def test_a_command_that_kills_its_own_group_does_not_hit_the_guard(mark: str, survivors: Callable[[], list[int]]):
    with start(script(DAEMON, "os.killpg(os.getpgrp(), 9)"), mark) as process:
        assert process.wait(10) == 128 + 9
    assert survivors() == []


def test_everything_ends_when_the_starter_is_killed(mark: str, survivors: Callable[[], list[int]], tmp_path: Path):
    starter = f"""
    import subprocess, time
    from operations.processes.command import guarded
    subprocess.Popen(guarded({script(DAEMON, STUBBORN)!r}, grace=0.2))
    time.sleep(600)
    """
    command = [sys.executable, "-c", textwrap.dedent(starter)]
    with subprocess.Popen(command, env={**os.environ, MARKER: mark}, stdout=subprocess.PIPE, text=True) as process:
        assert first_line(process) == "up"
        assert len(survivors()) == 4  # starter, guard, command, daemon
        process.kill()
    assert wait_until(lambda: not survivors(), 5)


def test_nothing_starts_when_the_starter_is_gone_already(mark: str, tmp_path: Path):
    trace = tmp_path / "ran"
    command = guarded(["touch", str(trace)])
    other_parent = subprocess.run(["sh", "-c", '"$@"; exit $?', "sh", *command], check=False)
    assert other_parent.returncode == 128 + 15
    assert not trace.exists()


def test_the_command_dies_with_a_killed_guard(mark: str, survivors: Callable[[], list[int]]):
    with start(script(STUBBORN), mark) as process:
        assert first_line(process) == "up"
        process.kill()
    assert wait_until(lambda: not survivors(), 5)


def test_the_writer_sees_a_closed_input(mark: str):
    command = guarded(script("import os, time; os.close(0); print('closed', flush=True); time.sleep(600)"), grace=0)
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env={**os.environ, MARKER: mark}
    ) as ran:
        assert ran.stdout.readline() == b"closed\n"
        with pytest.raises(BrokenPipeError):
            os.write(ran.stdin.fileno(), b"x")
        ran.terminate()


def test_the_command_gets_plain_signals(mark: str):
    show = "import signal; print(signal.getsignal(signal.SIGTERM) == 0, signal.pthread_sigmask(signal.SIG_BLOCK, ()))"
    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
    try:
        with start(script(show), mark) as process:
            assert first_line(process) == "True set()"
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGUSR1])


@pytest.mark.parametrize("missing", ["def _prctl(*_): return False", "def _children(): return _children_by_parent()"])
def test_it_works_where_the_kernel_offers_less(missing: str, mark: str, survivors: Callable[[], list[int]]):
    program = GUARD.read_text("utf-8").replace("if __name__ ==", f"{missing}\nif __name__ ==")
    command = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        program,
        "--grace=0.2",
        f"--parent={os.getpid()}",
        "--",
        *script(STUBBORN),
    ]
    with subprocess.Popen(command, env={**os.environ, MARKER: mark}, stdout=subprocess.PIPE, text=True) as process:
        assert first_line(process) == "up"
        process.terminate()
        assert process.wait(10) == 128 + 9
    assert survivors() == []


def test_it_starts_quickly():
    def seconds(command: list[str]) -> float:
        began = time.monotonic()
        subprocess.run(command, check=True)
        return time.monotonic() - began

    # About 20 ms on an idle machine; ten times that still tells a plain start from one that loads Django.
    assert min(seconds(guarded(["true"])) for _ in range(5)) < 0.2
