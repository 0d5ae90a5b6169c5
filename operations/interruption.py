"""Ctrl-C and TERM, heard between two steps of a command's work in place of in the middle of one."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

from operations.stopping import WorkStopped

# Exit code of a command that a signal stopped, as shells have it for Ctrl-C.
INTERRUPTED = 130
_STOPPING = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Interruption:
    """Whether a signal asked a command to stop."""

    def __init__(self) -> None:
        self.is_asked = False

    def raise_if_asked(self) -> None:
        """Stop the work here.

        Raises:
            WorkStopped: a signal came.
        """
        if self.is_asked:
            raise WorkStopped("the command was stopped by a signal")

    def note(self, _number: int, _frame: FrameType | None) -> None:
        """Hear a signal; the second one interrupts at once."""
        if self.is_asked:
            raise KeyboardInterrupt
        self.is_asked = True


@contextmanager
def stop_between_steps() -> Iterator[Interruption]:
    """Let the first signal be heard by `raise_if_asked` alone, for work whose steps are short.

    A signal that is ignored, as the terminal's end under nohup, stays so.
    """
    interruption = Interruption()
    heard = [number for number in _STOPPING if signal.getsignal(number) is not signal.SIG_IGN]
    previous = {number: signal.signal(number, interruption.note) for number in heard}
    try:
        yield interruption
    finally:
        for number, handler in previous.items():
            signal.signal(number, handler)
