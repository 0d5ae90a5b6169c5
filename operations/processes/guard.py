"""Run a command so that no process of it outlives it.

Used as a program of its own, `python -I -S guard.py [--grace=S] [--parent=PID] [--status-fd=N] -- COMMAND…`: the
standard library alone, no Django, and few imports, so that it starts in some 20 ms.

- TERM, INT, HUP and QUIT are passed on to the command alone, since servers want their main process signalled and end
  their own workers. After the grace everything that is left is killed.
- When the command ends, whatever it left behind is killed: daemons, double forks and new sessions too, since all
  orphans below a subreaper become its children.
- When the starter dies, even by KILL, the kernel sends this program TERM. When this program dies by KILL, the kernel
  kills the command; what may be left then is found by its mark (see `leftovers`).

Exits with the command's code, 128 + N if signal N ended it, 127 or 126 if it could not be started.
"""

import os
import select
import signal
import sys
import time

TYPE_CHECKING = False  # as in typing, whose import would cost start-up time
if TYPE_CHECKING:
    from collections.abc import Callable

STOP_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT)
DEFAULT_GRACE = 5.0  # seconds from the passed-on signal to KILL
# A process in an uninterruptible system call cannot be killed; it is not waited for longer than this, in seconds.
UNKILLABLE_PATIENCE = 10.0
PARENT_CHECK = 1.0  # seconds between two looks at the parent, where the kernel does not tell of its death

# linux/prctl.h
_PR_SET_PDEATHSIG = 1
_PR_SET_CHILD_SUBREAPER = 36


def _prctl(option: int, value: int) -> bool:
    """Call prctl(2); return whether it is there and did it."""
    try:
        import ctypes

        return ctypes.CDLL(None, use_errno=True).prctl(option, value, 0, 0, 0) == 0
    except (ImportError, OSError, AttributeError):
        return False


class Wakeups:
    """Signals as bytes of a pipe: none is lost between a look and a wait."""

    def __init__(self) -> None:
        """Take over the signals of interest."""
        self._reader, writer = os.pipe()
        os.set_blocking(self._reader, False)
        os.set_blocking(writer, False)
        signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
        for number in (*STOP_SIGNALS, signal.SIGCHLD):
            signal.signal(number, lambda *_: None)
        signal.pthread_sigmask(signal.SIG_SETMASK, ())

    def wait(self, seconds: float) -> list[int]:
        """Return the signals that came, after `seconds` at most."""
        select.select([self._reader], [], [], max(seconds, 0))
        try:
            return list(os.read(self._reader, 512))
        except BlockingIOError:
            return []


def _restore_signals() -> None:
    """Give a child the signal state a program expects (Python ignores SIGPIPE)."""
    signal.set_wakeup_fd(-1)
    for number in (*STOP_SIGNALS, signal.SIGCHLD, signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())


def _become(command: list[str], guard: int, status: int | None) -> None:
    """Turn this forked child into the command; never returns."""
    code = 127
    try:
        _restore_signals()
        # A session of its own, so that a command that signals its own group does not hit the guard.
        os.setsid()
        _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        if os.getppid() == guard:
            os.execvp(command[0], command)  # noqa: S606
    except OSError as error:
        code = 127 if isinstance(error, FileNotFoundError) else 126
        _report(error, command[0], status)
    finally:
        os._exit(code)


def _report(error: OSError, program: str, status: int | None) -> None:
    """Say why the command was not started: the error's number to the starter that asked for it, else words."""
    if status is None:
        os.write(2, f"cannot start {program}: {error.strerror}\n".encode(errors="replace"))
    else:
        os.write(status, str(error.errno).encode())


def start(command: list[str], status: int | None = None) -> int:
    """Start the command and return its process id."""
    if status is not None:
        os.set_inheritable(status, False)
    guard = os.getpid()
    signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)  # none may reach the child's copy of our handlers
    child = os.fork()
    if child == 0:
        _become(command, guard, status)
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
    _let_go_of_input(status)
    return child


def _let_go_of_input(status: int | None) -> None:
    """Close what belongs to the command alone: while we held its input, the writer would never see it closed."""
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, 0)
    os.close(nothing)
    if status is not None:
        os.close(status)


def _children() -> list[int]:
    try:
        with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as listing:  # noqa: PTH123
            return [int(pid) for pid in listing.read().split()]
    except OSError:
        return _children_by_parent()


def _children_by_parent() -> list[int]:
    """Look through all processes, for kernels built without lists of children."""
    try:
        pids = [int(name) for name in os.listdir("/proc") if name.isdigit()]  # noqa: PTH208
    except OSError:
        return []
    return [pid for pid in pids if _parent_of(pid) == os.getpid()]


def _parent_of(pid: int) -> int | None:
    try:
        with open(f"/proc/{pid}/stat", "rb") as stat:  # noqa: PTH123
            return int(stat.read().rpartition(b")")[2].split()[1])
    except (OSError, IndexError, ValueError):
        return None


def _kill(send: "Callable[[int, int], None]", target: int, number: int) -> None:
    try:  # noqa: SIM105  (contextlib would cost start-up time)
        send(target, number)
    except OSError:
        pass  # gone already, or of another user


class Guard:
    """The command, and whatever comes from it."""

    def __init__(self, command: int, *, adopts: bool, parent: int | None, grace: float) -> None:
        """Watch over process `command`; `parent` is looked after where the kernel does not tell of its death."""
        self.command = command
        self.adopts = adopts
        self.parent = parent
        self.grace = grace
        self.status: int | None = None

    def reap(self) -> bool:
        """Collect the dead; return whether any child is left."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return False
            if pid == 0:
                return True
            if pid == self.command:
                self.status = status

    def wait(self, wakeups: Wakeups) -> None:
        """Return when the command has ended, or the grace after a signal is over."""
        deadline: float | None = None
        self.reap()
        while self.status is None and (deadline is None or time.monotonic() < deadline):
            signals = wakeups.wait(self._patience(deadline))
            self.reap()
            stops = [number for number in signals if number in STOP_SIGNALS]
            if not stops and deadline is None and self._orphaned():
                stops = [signal.SIGTERM]
            for number in stops:
                self.pass_on(number)
                deadline = deadline or time.monotonic() + self.grace

    def _patience(self, deadline: float | None) -> float:
        if deadline is not None:
            return deadline - time.monotonic()
        return 3600.0 if self.parent is None else PARENT_CHECK

    def _orphaned(self) -> bool:
        return self.parent is not None and os.getppid() != self.parent

    def pass_on(self, number: int) -> None:
        """Send a signal to the command alone, if it is still there."""
        if self.status is None:
            _kill(os.kill, self.command, number)

    def end_all(self) -> None:
        """Kill every descendant.

        Only our own children are killed: their ids cannot be given to another process before we collect them. Each
        one's children then become ours, and so on until there are none.
        """
        if not self.adopts:
            _kill(os.killpg, self.command, signal.SIGKILL)
        deadline = time.monotonic() + UNKILLABLE_PATIENCE
        while self.reap() and time.monotonic() < deadline:
            for pid in _children():
                _kill(os.kill, pid, signal.SIGKILL)
            time.sleep(0.001)


def exit_code(status: int | None) -> int:
    """Return the exit code to pass on for a status of wait(2)."""
    if status is None:
        return 128 + signal.SIGKILL
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


def _own_session() -> None:
    try:  # noqa: SIM105
        os.setsid()
    except OSError:
        pass  # started as the leader of one already


def run(command: list[str], *, grace: float, parent: int | None, status: int | None) -> int:
    """Run the command under guard and return the exit code."""
    wakeups = Wakeups()
    _own_session()
    adopts = _prctl(_PR_SET_CHILD_SUBREAPER, 1)
    told = _prctl(_PR_SET_PDEATHSIG, signal.SIGTERM)
    if parent is not None and os.getppid() != parent:
        return 128 + signal.SIGTERM  # the starter died before the kernel was asked to tell us
    guard = Guard(start(command, status), adopts=adopts, parent=None if told else parent, grace=grace)
    try:
        guard.wait(wakeups)
    finally:
        guard.end_all()
    return exit_code(guard.status)


def _usage() -> int:
    os.write(2, b"usage: guard.py [--grace=SECONDS] [--parent=PID] [--status-fd=N] -- COMMAND [ARGUMENT ...]\n")
    return 2


def main(arguments: list[str]) -> int:
    """Read the command line and run."""
    if "--" not in arguments:
        return _usage()
    split = arguments.index("--")
    options = dict(option.split("=", 1) for option in arguments[:split] if "=" in option)
    command = arguments[split + 1 :]
    if not command or len(options) != split or options.keys() - {"--grace", "--parent", "--status-fd"}:
        return _usage()
    parent, status = options.get("--parent"), options.get("--status-fd")
    return run(
        command,
        grace=float(options.get("--grace", DEFAULT_GRACE)),
        parent=int(parent) if parent else None,
        status=int(status) if status else None,
    )


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
