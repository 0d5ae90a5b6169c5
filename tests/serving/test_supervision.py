"""Keeping the parts together, with parts that are quick to start."""

import signal
import sys
import threading
import time

import pytest

from operations.serving.parts import Part
from operations.serving.supervision import PART_DIED, STOP_SIGNALS, STOPPED, Supervisor
from tests.serving.conftest import eventually

SLEEPS = "import time; print('awake', flush=True); time.sleep(60)"
STUBBORN = f"import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN); {SLEEPS}"


class Heartbeat:
    """Silent as often as it is told to be."""

    def __init__(self, silences: int = 0) -> None:
        self.silences = silences
        self.restarts = 0

    def is_silent(self) -> bool:
        return self.restarts < self.silences

    def begin_again(self) -> None:
        self.restarts += 1


def part(name: str, code: str = SLEEPS, grace: float = 5) -> Part:
    return Part(name, [sys.executable, "-c", code], grace)


@pytest.fixture(autouse=True)
def own_signals():
    before = {number: signal.getsignal(number) for number in STOP_SIGNALS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.fixture
def supervise(data_dir):
    made: list[Supervisor] = []

    def make(web: Part, worker: Part, heartbeat: Heartbeat | None = None) -> Supervisor:
        made.append(Supervisor(web, worker, heartbeat or Heartbeat()))
        made[-1].start()
        return made[-1]

    yield make
    for supervisor in made:
        supervisor.stops += 1
        supervisor.end()


def test_under_nohup_the_end_of_the_terminal_stops_nothing(supervise):
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    supervisor = supervise(part("web"), part("worker"))
    signal.raise_signal(signal.SIGHUP)
    assert not supervisor.is_ending()


def test_a_part_that_ends_is_reported_with_its_last_words(supervise, data_dir, capsys):
    supervisor = supervise(part("web", "print('no such module'); raise SystemExit(7)"), part("worker"))
    assert supervisor.watch() == PART_DIED
    supervisor.end()
    told = capsys.readouterr().err
    assert "web" in told and "code 7" in told and "no such module" in told
    assert not supervisor.worker.is_running


def test_a_signal_to_stop_ends_every_part(supervise):
    supervisor = supervise(part("web"), part("worker"))
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGTERM)).start()
    assert supervisor.watch() == STOPPED
    supervisor.end()
    assert not any(part.is_running for part in supervisor.parts)


def test_a_part_that_ignores_term_is_killed_when_its_grace_is_over(supervise, data_dir):
    supervisor = supervise(part("web", STUBBORN, grace=0.5), part("worker"))
    assert eventually(lambda: "awake" in (data_dir / "logs/web.log").read_text())
    began = time.monotonic()
    supervisor.end()
    assert 0.4 < time.monotonic() - began < 20
    assert not supervisor.web.is_running


def test_a_second_signal_does_not_wait_for_the_grace(supervise, data_dir):
    supervisor = supervise(part("web", STUBBORN, grace=30), part("worker"))
    assert eventually(lambda: "awake" in (data_dir / "logs/web.log").read_text())
    threading.Timer(0.3, lambda: signal.raise_signal(signal.SIGINT)).start()
    began = time.monotonic()
    supervisor.end()
    assert time.monotonic() - began < 20


def test_workers_without_a_heartbeat_are_started_anew(supervise, data_dir):
    heartbeat = Heartbeat(silences=1)
    supervisor = supervise(part("web"), part("worker"), heartbeat)
    threading.Timer(1.5, lambda: signal.raise_signal(signal.SIGTERM)).start()
    assert supervisor.watch() == STOPPED
    assert heartbeat.restarts == 1
    assert "started anew" in (data_dir / "logs/worker.log").read_text()
