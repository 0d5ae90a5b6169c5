"""Keeping the parts of the site together: all run, or none."""

import signal
import sys
import time
from collections.abc import Iterable
from types import FrameType

from operations.owners import run_mark
from operations.processes.leftovers import kill_marked
from operations.serving.heartbeat import HeartbeatWatch
from operations.serving.parts import Part
from operations.stopping import ask_workers_to_stop, let_workers_work

STOPPED, PART_DIED = 0, 1
_LOOK_EVERY = 0.2  # seconds between two looks at the parts
STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Supervisor:
    """Starts the parts, watches them, and ends them all together."""

    def __init__(self, web: Part, worker: Part, heartbeat: HeartbeatWatch) -> None:
        """Take over the signals that mean stop."""
        self.web = web
        self.worker = worker
        self.heartbeat = heartbeat
        self.stops = 0
        for number in STOP_SIGNALS:
            if number != signal.SIGHUP or signal.getsignal(number) is not signal.SIG_IGN:  # ignored: under nohup
                signal.signal(number, self._on_stop)

    def _on_stop(self, _number: int, _frame: FrameType | None) -> None:
        self.stops += 1

    @property
    def parts(self) -> tuple[Part, Part]:
        """The parts, in the order in which they are started."""
        return self.web, self.worker

    def start(self) -> None:
        """Start every part."""
        for part in self.parts:
            part.start()

    def is_ending(self) -> bool:
        """Tell whether someone asked to stop, or a part died."""
        return bool(self.stops) or any(not part.is_running for part in self.parts)

    def watch(self) -> int:
        """Return an exit code when someone asks to stop or a part has died."""
        while not self.is_ending():
            if self.heartbeat.is_silent():
                self._restart_worker()
            time.sleep(_LOOK_EVERY)
        if self.stops:
            return STOPPED
        self._report(part for part in self.parts if not part.is_running)
        return PART_DIED

    def _restart_worker(self) -> None:
        self.worker.output.write("No heartbeat: the workers hang and are started anew.")
        ask_workers_to_stop()
        self.worker.ask_to_stop()
        self.worker.wait()
        let_workers_work()
        self.worker.start()
        self.heartbeat.begin_again()

    def _report(self, dead: Iterable[Part]) -> None:
        for part in dead:
            sys.stderr.write(f"The {part.name} ended by itself with code {part.exit_code}; {part.output.path} says:\n")
            sys.stderr.writelines(f"  {line}\n" for line in part.output.last_lines())

    def end(self) -> None:
        """End every part and whatever it left; a second signal to stop does it at once."""
        asked = self.stops
        ask_workers_to_stop()
        for part in self.parts:
            part.ask_to_stop()
        deadline = time.monotonic() + max(part.longest_stop for part in self.parts)
        while any(part.is_running for part in self.parts) and self.stops <= asked and time.monotonic() < deadline:
            time.sleep(_LOOK_EVERY / 4)
        for part in self.parts:
            part.kill()
        mark = run_mark()
        kill_marked(lambda found: found == mark)
        let_workers_work()
