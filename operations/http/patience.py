"""How long a source is waited for, and how often it is asked again."""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf

from tenacity import (
    RetryCallState,
    Retrying,
    retry_if_exception,
    stop_after_attempt,
    stop_before_delay,
    wait_exponential,
    wait_random_exponential,
)

from operations.http.errors import SourceError

# No request waits longer than this for a source that names its own time, whatever it asks.
LONGEST_RETRY_AFTER = 120.0


@dataclass(frozen=True)
class Patience:
    """Limits in seconds, and the number of attempts.

    `total` bounds one attempt at an answer from its connection to its last byte, `download_total` one at a file:
    a server that sends a byte every now and then keeps every other time limit happy. `download_longest` bounds all
    attempts at a file together: after so many seconds none is begun.
    """

    connect: float = 10
    read: float = 30
    total: float = 90
    download_total: float = 600
    download_longest: float = 600
    attempts: int = 5
    first_pause: float = 1
    longest_pause: float = 30
    longest_retry_after: float = LONGEST_RETRY_AFTER

    def bounded(self, retry_after: float | None) -> float:
        """Return the seconds that a source's own wish to wait is granted."""
        return min(retry_after or 0.0, self.longest_retry_after)


def _pause(patience: Patience) -> Callable[[RetryCallState], float]:
    """Return what grows twice as long each time, half of it by chance, never shorter than the source asked for."""
    half, longest_half = patience.first_pause / 2, patience.longest_pause / 2
    growing = wait_exponential(half, longest_half) + wait_random_exponential(half, longest_half)

    def pause(state: RetryCallState) -> float:
        error = state.outcome.exception() if state.outcome else None
        asked = error.retry_after if isinstance(error, SourceError) else None
        return max(growing(state), patience.bounded(asked))

    return pause


def _may_succeed_later(error: BaseException) -> bool:
    return isinstance(error, SourceError) and error.is_temporary


def retrying(patience: Patience, sleep: Callable[[float], None], longest: float = inf) -> Retrying:
    """Return the loop that repeats what fails for a moment, and raises the last error when patience ends.

    After `longest` seconds nothing is begun.
    """
    return Retrying(
        sleep=sleep,
        stop=stop_after_attempt(patience.attempts) | stop_before_delay(longest),
        wait=_pause(patience),
        retry=retry_if_exception(_may_succeed_later),
        reraise=True,
    )
