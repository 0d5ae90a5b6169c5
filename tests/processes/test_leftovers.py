"""Marked processes are found and killed, wherever they went."""

import os
import subprocess
import sys
from collections.abc import Callable

from operations.processes.leftovers import MARKER, kill_marked, kill_run, mark_of, marked_processes, new_mark, owner_of

from .conftest import wait_until
from .test_guard import DAEMON, script


def marked(command: list[str], mark: str) -> subprocess.Popen[bytes]:
    return subprocess.Popen(command, env={**os.environ, MARKER: mark}, stdout=subprocess.DEVNULL)


def test_a_daemon_is_found_by_its_mark_and_killed(mark: str, survivors: Callable[[], list[int]]):
    marked(script(DAEMON), mark).wait(10)
    [left] = survivors()
    assert mark_of(left) == mark
    assert kill_marked(mark.__eq__) == [left]
    assert survivors() == []


def test_other_marks_and_unmarked_processes_are_let_live(mark: str):
    with marked(["sleep", "600"], mark) as other, subprocess.Popen(["sleep", "600"]) as unmarked:
        assert wait_until(lambda: mark_of(other.pid) == mark)
        assert kill_marked(lambda found: found == f"{mark} of another") == []
        assert other.poll() is None
        assert unmarked.poll() is None
        other.kill()
        unmarked.kill()


def test_a_process_that_forks_all_the_time_is_killed(mark: str, survivors: Callable[[], list[int]]):
    chain = "import os, time\nwhile os.fork() == 0: time.sleep(0.05)\n"
    marked(script(chain), mark).wait(10)
    assert wait_until(survivors)
    assert kill_marked(mark.__eq__)
    assert survivors() == []


def test_the_one_that_looks_is_spared_and_so_are_those_above_it(mark: str):
    look = (
        "from operations.processes.leftovers import *; import os; "
        "print(len(list(marked_processes())), kill_marked(lambda mark: True)[:0])"
    )
    command = [
        "sh",
        "-c",
        '"$@"; echo alive',
        "sh",
        sys.executable,
        "-c",
        look.replace("lambda mark: True", f"'{mark}'.__eq__"),
    ]
    ran = subprocess.run(command, env={**os.environ, MARKER: mark}, capture_output=True, text=True, check=True)
    assert ran.stdout.endswith("[]\nalive\n")


def test_processes_without_a_readable_environment_are_passed_over():
    assert mark_of(2**22 + 1) is None
    assert all(process.mark is not None for process in marked_processes())


def test_one_run_of_an_owner_can_be_ended_alone(mark: str):
    first, second = new_mark(mark), new_mark(mark)
    with marked(["sleep", "600"], first) as one, marked(["sleep", "600"], second) as two:
        assert wait_until(lambda: mark_of(one.pid) == first and mark_of(two.pid) == second)
        assert kill_run(first) == [one.pid]
        assert two.poll() is None
        assert kill_marked(mark.__eq__) == [two.pid]


def test_a_mark_names_its_owner():
    assert owner_of(new_mark("host:1|/a path/with blanks")) == "host:1|/a path/with blanks"
    assert owner_of("host:1|/data") == "host:1|/data"
