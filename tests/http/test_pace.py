import multiprocessing
import os
import signal
import subprocess
import sys
import time
from itertools import pairwise

import pytest

from operations.http.client import PoliteClient
from operations.http.errors import SourceUnavailable, TurnTooLate
from operations.http.pace import RequestPace
from operations.http.patience import Patience
from tests.replay import QUICK

FOREVER = 10.0**12


class Clock:
    """A clock that moves only when somebody sleeps, or is set."""

    def __init__(self, now: float = 1000.0) -> None:
        self.now = now
        self.slept: list[float] = []

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.now += seconds

    def pace(self, path, interval=3.0, longest_hold=60.0, give_up_after=None) -> RequestPace:
        limits = {"longest_hold": longest_hold, "give_up_after": give_up_after}
        return RequestPace(path, interval, **limits, clock=lambda: self.now, sleep=self.sleep)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def path(tmp_path):
    return tmp_path / "locks" / "source.pace"


def take(pace: RequestPace, hold: float = 0, seconds: float = 0, clock: Clock | None = None) -> None:
    with pace.turn() as turn:
        turn.hold_back(hold)
        if clock:
            clock.now += seconds


def test_the_first_turn_comes_at_once(clock, path):
    take(clock.pace(path))
    assert clock.slept == []


def test_requests_start_an_interval_apart_however_long_they_take(clock, path):
    take(clock.pace(path), seconds=1, clock=clock)
    take(clock.pace(path), seconds=5, clock=clock)
    take(clock.pace(path))
    assert clock.slept == [2]


def test_the_interval_counts_from_the_beginning_of_the_answer(clock, path):
    with clock.pace(path).turn() as turn:
        clock.now += 2
        turn.answered()
        clock.now += 1
    take(clock.pace(path))
    assert clock.slept == [2]


def test_all_wait_when_the_source_asks_for_it(clock, path):
    take(clock.pace(path), hold=20)
    take(clock.pace(path))
    take(clock.pace(path))
    assert clock.slept == [20, 3]


def test_a_hold_is_bounded(clock, path):
    take(clock.pace(path), hold=100_000)
    take(clock.pace(path))
    assert clock.slept == [60]


@pytest.mark.parametrize("jump", [-FOREVER, -100, -1, 100, FOREVER])
def test_a_jumping_clock_blocks_nobody_for_longer_than_the_bounds(clock, path, jump):
    take(clock.pace(path))
    clock.now += jump
    take(clock.pace(path))
    take(clock.pace(path))
    assert max(clock.slept) <= 3

    take(clock.pace(path), hold=50)
    clock.now += jump
    take(clock.pace(path))
    take(clock.pace(path))
    assert max(clock.slept) <= 60
    assert clock.slept[-1] <= 3


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\x00" * 50,
        b"nonsense",
        b"[]",
        b"[1]",
        b"[1e999, 0]",
        b"[NaN, NaN]",
        b'["a", {}]',
        b"{}",
        b"[" * 5000,
        b"[1000000000000.0, 1000000000000.0]",
        b"null",
        b"\xff\xfe",
        b"1" * 10_000,
    ],
)
def test_whatever_the_file_holds_blocks_nobody(clock, path, content):
    path.parent.mkdir()
    path.write_bytes(content)
    take(clock.pace(path))
    assert sum(clock.slept) <= 60
    clock.slept.clear()
    take(clock.pace(path))
    assert clock.slept == [3]


def test_without_an_interval_there_is_no_file(clock, path):
    take(clock.pace(path, interval=0), hold=5)
    assert not path.exists()
    assert clock.slept == []


def test_an_error_in_a_turn_gives_it_back(clock, path):
    with pytest.raises(ZeroDivisionError), clock.pace(path).turn():
        raise ZeroDivisionError
    take(clock.pace(path))
    assert clock.slept == [3]


# Real processes


def ask(url: str, path, interval: float, count: int) -> None:
    pace = RequestPace(path, interval)
    with PoliteClient([url], user_agent="x", patience=QUICK, pace=pace) as client:
        for _ in range(count):
            client.get(url, limit_bytes=1000)


def ask_with_processes(url: str, path, interval: float, processes: int, count: int) -> None:
    context = multiprocessing.get_context("spawn")
    asking = [context.Process(target=ask, args=(url, path, interval, count)) for _ in range(processes)]
    for process in asking:
        process.start()
    for process in asking:
        process.join(60)
    assert [process.exitcode for process in asking] == [0] * processes


def test_four_processes_keep_one_pace_and_one_connection(server, path):
    spans = []

    def answer(request):
        began = time.monotonic()
        time.sleep(0.01 if len(spans) % 2 else 0.15)
        spans.append((began, time.monotonic()))
        request.reply(b"yes")

    server.answers(answer)
    ask_with_processes(server.url, path, interval=0.1, processes=4, count=3)
    assert len(spans) == 12
    spans.sort()
    for (began, ended), (next_began, _) in pairwise(spans):
        assert next_began - began >= 0.1
        assert next_began >= ended


def test_all_processes_are_held_back_when_one_is_told_to_wait(server, path):
    times = []

    def answer(request):
        times.append(time.monotonic())
        if len(times) == 2:
            request.reply(b"slow down", 429, Retry_After="0.3")
        else:
            request.reply(b"yes")

    server.answers(answer)
    ask_with_processes(server.url, path, interval=0.05, processes=3, count=2)
    assert len(times) == 7
    assert times[2] - times[1] >= 0.3


def test_a_killed_process_gives_its_turn_back(path):
    program = (
        "import sys, time; from pathlib import Path; from operations.http.pace import RequestPace\n"
        "with RequestPace(Path(sys.argv[1]), 0.05).turn(): print('mine', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
    try:
        assert holder.stdout.readline() == "mine\n"
        os.kill(holder.pid, signal.SIGKILL)
        began = time.monotonic()
        take(RequestPace(path, 0.05))
        assert time.monotonic() - began < 30
    finally:
        holder.kill()
        holder.communicate()


def test_a_file_that_is_moved_away_does_not_split_the_pace(path):
    """Restoring a backup moves the data folder's content aside while others wait for the lock."""
    pace = RequestPace(path, 0.01)
    with pace.turn():
        program = (
            "import sys; from pathlib import Path; from operations.http.pace import RequestPace\n"
            "print('ready', flush=True)\n"
            "with RequestPace(Path(sys.argv[1]), 0.01).turn(): print(Path(sys.argv[1]).exists(), flush=True)"
        )
        waiting = subprocess.Popen([sys.executable, "-c", program, str(path)], stdout=subprocess.PIPE, text=True)
        assert waiting.stdout.readline() == "ready\n"
        time.sleep(0.1)
        path.rename(path.with_suffix(".old"))
    assert waiting.communicate(timeout=10)[0] == "True\n"


def test_each_redirect_takes_a_turn_of_its_own(server, path):
    times = []

    def answer(request):
        times.append(time.monotonic())
        if request.path == "/":
            request.reply(b"", 302, Location="/there")
        else:
            request.reply(b"here")

    server.answers(answer)
    ask(server.url, path, 0.1, 1)
    assert times[1] - times[0] >= 0.1


def test_the_hold_is_kept_when_patience_ends(server, path, clock):
    server.answers(lambda request: request.reply(b"", 429, Retry_After="40"))
    patience = Patience(attempts=1, longest_retry_after=60)
    pace = clock.pace(path)
    with (
        PoliteClient([server.url], user_agent="x", patience=patience, pace=pace) as client,
        pytest.raises(SourceUnavailable),
    ):
        client.get(server.url, limit_bytes=1000)
    take(clock.pace(path))
    assert clock.slept == [40]


def test_a_turn_that_would_come_too_late_is_refused(clock, path):
    take(clock.pace(path))
    hasty = clock.pace(path, give_up_after=2)
    with pytest.raises(TurnTooLate):
        take(hasty)
    assert clock.slept == [], "nobody waits in vain"
    take(clock.pace(path, give_up_after=3))


def test_a_lock_that_others_keep_is_not_waited_for_without_end(clock, path):
    with clock.pace(path).turn(), pytest.raises(TurnTooLate):
        take(clock.pace(path, give_up_after=1))
    assert sum(clock.slept) <= 1


def test_no_turn_begins_after_its_time_where_there_is_no_pace_either(clock, path):
    pace = clock.pace(path, interval=0, give_up_after=1)
    take(pace)
    clock.now += 2
    with pytest.raises(TurnTooLate):
        take(pace)
