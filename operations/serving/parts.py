"""The parts of the running site: each a command under guard, with its output in a file."""

import os
import subprocess
import sys
from dataclasses import dataclass, field

from django.conf import settings

from operations.owners import run_mark
from operations.processes.command import guarded
from operations.processes.guard import UNKILLABLE_PATIENCE
from operations.processes.leftovers import MARKER
from operations.serving.output import Output

WEB_PROCESSES = 2
WEB_THREADS = 4
# Seconds from TERM to KILL. A page takes less; a summary takes minutes and is given back within a second.
WEB_GRACE = 10.0
WORKER_GRACE = 10.0


@dataclass
class Part:
    """One command of the tree."""

    name: str
    command: list[str]
    grace: float
    inherited: tuple[int, ...] = ()
    output: Output = field(init=False)
    _process: subprocess.Popen[bytes] | None = field(default=None, init=False)

    def __post_init__(self) -> None:
        """Open the file that takes the output."""
        self.output = Output(settings.PAPERSITE.data_dir / "logs" / f"{self.name}.log")

    def start(self) -> None:
        """Start the command; call from the main thread, since the guard ends it with the thread that started it."""
        self._process = subprocess.Popen(
            guarded(self.command, grace=self.grace),
            cwd=settings.BASE_DIR,
            env={**os.environ, MARKER: run_mark(), "PYTHONUNBUFFERED": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            pass_fds=self.inherited,
        )
        assert self._process.stdout is not None  # noqa: S101  (asked for above)
        self.output.follow(self._process.stdout)

    @property
    def is_running(self) -> bool:
        """Whether the command was started and has not ended."""
        return self._process is not None and self._process.poll() is None

    @property
    def longest_stop(self) -> float:
        """Seconds after which nothing of the command can be left, if its guard works."""
        return self.grace + UNKILLABLE_PATIENCE + 1

    @property
    def exit_code(self) -> int | None:
        """The exit code, or None while the command runs or was never started."""
        return self._process.poll() if self._process else None

    def ask_to_stop(self) -> None:
        """Send TERM to the command's main process alone."""
        if self._process:
            self._process.terminate()

    def wait(self) -> None:
        """Return when nothing of the command is left: the guard kills it after the grace."""
        if not self._process:
            return
        try:
            self._process.wait(self.longest_stop)
        except subprocess.TimeoutExpired:
            self.kill()

    def kill(self) -> None:
        """End the command at once."""
        if self._process:
            self._process.kill()
            self._process.wait()


def web(listener: int) -> Part:
    """Return the web server, on the listening socket with this descriptor."""
    command = [
        *(sys.executable, "-m", "gunicorn", "papersite.wsgi"),
        *("--bind", f"fd://{listener}", "--worker-class", "gthread", "--preload"),
        *("--workers", str(WEB_PROCESSES), "--threads", str(WEB_THREADS)),
        *("--graceful-timeout", str(int(WEB_GRACE) - 2), "--access-logfile", "-", "--no-control-socket"),
    ]
    return Part("web", command, WEB_GRACE, inherited=(listener,))


def worker() -> Part:
    """Return the workers, and with them the schedules."""
    return Part("worker", [sys.executable, "manage.py", "qcluster"], WORKER_GRACE)
