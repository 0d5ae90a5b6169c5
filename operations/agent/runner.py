"""One run of an agent: prompt in, answer out, and nothing left behind. Knows nothing of papers.

The agent is not trusted to end, to be brief, to read its input or to take its children with it.
"""

import contextlib
import os
import shutil
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings

from operations.agent.command import AgentCommand, located
from operations.agent.errors import AgentError, AgentFailed, AgentNotInstalled, AgentOutputTooLarge, AgentTimeout
from operations.agent.streams import Streams
from operations.owners import run_mark
from operations.processes.command import guarded
from operations.processes.guard import UNKILLABLE_PATIENCE
from operations.processes.leftovers import MARKER, kill_run, new_mark

OUTPUT_LIMIT = 1024 * 1024  # bytes of each stream
TICK_SECONDS = 10.0
GRACE = 2.0  # seconds from TERM to KILL
_PREFIX = "agent-"
_ABANDONED_AFTER = 2 * 86_400  # seconds; a run takes a day at most
_LOOK = 0.5  # seconds at most between two looks at the clock and the process


@dataclass(frozen=True)
class AgentRun:
    """How a run ended that ended well."""

    exit_code: int
    stdout: str
    stderr: str
    seconds: float


def run_agent(
    command: AgentCommand,
    prompt: str,
    *,
    timeout: float,
    output_limit: int = OUTPUT_LIMIT,
    on_tick: Callable[[], None] | None = None,
    tick_seconds: float = TICK_SECONDS,
    folder: Path | None = None,
    owner: str | None = None,
) -> AgentRun:
    """Give `prompt` to the agent and return what it answered.

    It runs in an empty folder, in sessions of its own, with a whitelisted environment. However this function is left,
    by an exception from `on_tick` too, no process of the run and no file of it remains.

    Args:
        command: what to start.
        prompt: for the agent's standard input, of any length.
        timeout: seconds of wall clock.
        output_limit: bytes that are read of each stream.
        on_tick: called about every `tick_seconds` while the agent runs; what it raises ends the run and is passed on.
        tick_seconds: seconds between two calls.
        folder: where the working folder is made and removed; `tmp` of DATA_DIR if None.
        owner: who is named in the mark of the processes, so that they can be found should this process be killed; this
            process if None.

    Raises:
        AgentNotInstalled: the program or its interpreter cannot be started.
        AgentTimeout: the time was over.
        AgentOutputTooLarge: a stream went over its limit.
        AgentFailed: the exit code was not 0.
    """
    environment = command.full_environment()
    arguments = located(command, environment)
    with _working_folder(folder or settings.PAPERSITE.data_dir / "tmp") as work:
        environment |= {MARKER: new_mark(run_mark() if owner is None else owner), "TMPDIR": str(work), "PWD": str(work)}
        with _Run(command, arguments, environment, work) as run:
            return run.result(prompt, timeout, output_limit, _Ticks(on_tick, tick_seconds))


@contextlib.contextmanager
def _working_folder(parent: Path) -> Iterator[Path]:
    parent.mkdir(parents=True, exist_ok=True)
    _remove_abandoned(parent)
    work = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
    try:
        yield work
    finally:
        shutil.rmtree(work, onerror=_unlock_and_retry)


def _remove_abandoned(parent: Path) -> None:
    """Remove the folders of runs whose starter was killed."""
    for folder in parent.glob(f"{_PREFIX}*"):
        with contextlib.suppress(OSError):
            if time.time() - folder.lstat().st_mtime > _ABANDONED_AFTER:
                shutil.rmtree(folder, onerror=_unlock_and_retry)


def _unlock_and_retry(remove: Callable[..., object], path: str, _: object) -> None:
    """Remove what the agent made read-only; what resists that too is left to the cleaning of temporary folders."""
    with contextlib.suppress(OSError):
        Path(path).parent.chmod(0o700)
        if Path(path).is_dir() and not Path(path).is_symlink():
            Path(path).chmod(0o700)
            shutil.rmtree(path, ignore_errors=True)
        else:
            remove(path)


class _Ticks:
    def __init__(self, call: Callable[[], None] | None, seconds: float) -> None:
        self._call = call
        self._seconds = seconds
        self._next = time.monotonic() + seconds

    def seconds_left(self) -> float:
        return self._next - time.monotonic() if self._call else _LOOK

    def tick(self) -> None:
        if self._call and time.monotonic() >= self._next:
            self._call()
            self._next = time.monotonic() + self._seconds


class _Run:
    """The processes of one run; leaving the context ends them all."""

    def __init__(self, command: AgentCommand, arguments: list[str], environment: dict[str, str], work: Path) -> None:
        self._command = command
        self._mark = environment[MARKER]
        self._began = time.monotonic()
        self._refusal, refusal = os.pipe()
        os.set_blocking(self._refusal, False)
        try:
            self._process = subprocess.Popen(
                guarded(arguments, grace=GRACE, status_descriptor=refusal),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                bufsize=0,
                cwd=work,
                env=environment,
                pass_fds=[refusal],
                start_new_session=True,
            )
        except BaseException:
            os.close(self._refusal)
            raise
        finally:
            os.close(refusal)
        self._streams: Streams | None = None

    def __enter__(self) -> "_Run":
        return self

    def __exit__(self, *_: object) -> None:
        try:
            self._end()
        finally:
            if self._streams is not None:
                self._streams.close()
            os.close(self._refusal)

    def result(self, prompt: str, timeout: float, output_limit: int, ticks: _Ticks) -> AgentRun:
        """Wait for the answer."""
        streams = self._streams = Streams(self._process, prompt.encode("utf-8", "replace"), output_limit)
        deadline = self._began + timeout
        while self._process.poll() is None:
            if streams.overflowed:
                raise self._failure(AgentOutputTooLarge, f"agent wrote more than {output_limit:,} bytes")
            if time.monotonic() >= deadline:
                raise self._failure(AgentTimeout, f"agent was still running after {timeout:g} seconds")
            ticks.tick()
            self._work(streams, min(deadline - time.monotonic(), ticks.seconds_left(), _LOOK))
        streams.drain()
        if streams.overflowed:
            raise self._failure(AgentOutputTooLarge, f"agent wrote more than {output_limit:,} bytes")
        return self._outcome(self._process.returncode)

    def _work(self, streams: Streams, seconds: float) -> None:
        if not streams.ended:
            streams.move(seconds)
            return
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(max(seconds, 0))

    def _outcome(self, code: int) -> AgentRun:
        self._raise_if_refused()
        stdout, stderr = self._output(complete=True)
        code = code if code >= 0 else 128 - code  # negative: the guard itself was killed
        if code != 0:
            raise AgentFailed(code, stdout=stdout, stderr=stderr)
        return AgentRun(code, stdout, stderr, time.monotonic() - self._began)

    def _raise_if_refused(self) -> None:
        """Raise what the kernel said when the guard tried to start the program."""
        with contextlib.suppress(BlockingIOError):
            if refusal := os.read(self._refusal, 16):
                reason = os.strerror(int(refusal))
                raise AgentNotInstalled(f"agent not installed: {self._command.arguments[0]!r} does not start: {reason}")

    def _output(self, *, complete: bool) -> tuple[str, str]:
        if self._streams is None:
            return "", ""
        clean = self._command.without_secrets
        stdout, stderr = self._streams.stdout, self._streams.stderr
        return clean(stdout.text(complete=complete)), clean(stderr.text(complete=complete))

    def _failure(self, kind: type[AgentError], message: str) -> AgentError:
        stdout, stderr = self._output(complete=False)
        return kind(message, stdout=stdout, stderr=stderr)

    def _end(self) -> None:
        """End every process of the run: politely, then by force, then by their mark."""
        try:
            if self._process.poll() is None:
                self._process.terminate()
                self._process.wait(GRACE + UNKILLABLE_PATIENCE + 1)
        except subprocess.TimeoutExpired:
            pass
        finally:  # reached by a second interruption too
            if self._process.poll() is None:
                self._process.kill()
                self._process.wait()
            if self._process.returncode < 0:
                kill_run(self._mark)
