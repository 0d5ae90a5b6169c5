"""Functions in a child process: what they return, and every way they may fail."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from operations.assets.isolation import (
    ChildCrashed,
    ChildError,
    ChildOutputTooLarge,
    ChildTimeout,
    Limits,
    run_isolated,
)

ROOT = Path(__file__).resolve().parents[2]


def _ends(pid: int, seconds: float) -> bool:
    """Tell whether a killed process is gone soon: the kernel may take a moment to carry the signal out."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if psutil.Process(pid).status() == psutil.STATUS_ZOMBIE:
                return True
        except psutil.NoSuchProcess:
            return True
        time.sleep(0.02)
    return False


def _run(name: str, limits: Limits | None = None, **arguments: object) -> object:
    return run_isolated(f"tests.assets.hostile:{name}", arguments, limits)


def test_a_result_comes_back_whatever_the_function_prints():
    assert _run("echo", value=["é", "\ud800", 1, None]) == ["é", "\ud800", 1, None]


def test_an_exception_comes_back_with_its_name():
    with pytest.raises(ChildError, match="ValueError: no good") as caught:
        _run("fail", message="no good")
    assert (caught.value.kind, caught.value.message) == ("ValueError", "no good")
    assert "hostile.py" in caught.value.traceback


@pytest.mark.parametrize(
    ("name", "message"),
    [("crash", "SIGSEGV"), ("leave", "exit code 3"), ("close_everything", "exit code 0|SIGKILL")],
)
def test_a_child_that_ends_without_an_answer_has_crashed(name: str, message: str):
    with pytest.raises(ChildCrashed, match=message):
        _run(name)


def test_a_child_that_sleeps_or_grandchildren_that_hold_the_pipe_are_killed(tmp_path: Path):
    started = time.monotonic()
    with pytest.raises(ChildTimeout, match="longer than 1 s"):
        _run("sleep_with_child", Limits(seconds=1), pid_file=str(tmp_path / "pid"))
    assert time.monotonic() - started < 8
    pid = int((tmp_path / "pid").read_text())
    assert _ends(pid, seconds=5)


def test_processor_time_is_limited():
    with pytest.raises(ChildCrashed, match=r"processor time|SIGKILL"):
        _run("spin", Limits(seconds=30, cpu_seconds=1))


def test_memory_is_limited():
    with pytest.raises(ChildError) as caught:
        _run("grow", Limits(memory_bytes=300 * 1024 * 1024))
    assert caught.value.kind == "MemoryError"


def test_output_is_limited():
    with pytest.raises(ChildOutputTooLarge):
        _run("flood", Limits(output_bytes=100_000))


def test_files_are_limited(tmp_path: Path):
    with pytest.raises(ChildError, match="OSError"):
        _run("fill", Limits(file_bytes=100_000), path=str(tmp_path / "big"))
    assert (tmp_path / "big").stat().st_size <= 100_000


def test_a_child_sees_nothing_of_the_environment(monkeypatch):
    monkeypatch.setenv("PAPERSITE_LLM_KEY", "secret")
    assert "PAPERSITE_LLM_KEY" not in _run("environment")


def test_a_child_starts_without_django():
    assert "django" not in _run("modules")


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells a child that its parent died")
def test_a_child_dies_with_its_parent(tmp_path: Path):
    pid_file = tmp_path / "pid"
    code = (
        "from operations.assets.isolation import run_isolated;"
        f"run_isolated('tests.assets.hostile:sleep', {{'pid_file': {str(pid_file)!r}}})"
    )
    parent = subprocess.Popen([sys.executable, "-c", code], cwd=ROOT)
    deadline = time.monotonic() + 20
    while not (pid_file.exists() and pid_file.read_text()) and time.monotonic() < deadline:
        time.sleep(0.02)
    child = psutil.Process(int(pid_file.read_text()))
    os.kill(parent.pid, signal.SIGKILL)
    parent.wait()
    child.wait(timeout=10)
