"""A limit on work that has none of its own: a name server may keep a request waiting whatever its time limits say."""

import threading
from collections.abc import Callable
from typing import TypeVar

from django.utils import translation

Result = TypeVar("Result")


class NotInTime(Exception):
    """The work was given up; it ends by itself, and nobody looks at what it says."""

    def __init__(self, seconds: float) -> None:
        """Keep for how long it was waited."""
        super().__init__(f"not finished within {seconds:g} seconds")
        self.seconds = seconds


def in_time(seconds: float, work: Callable[[], Result]) -> Result:
    """Return what `work` returns, or raise what it raises, within so many seconds.

    It runs in a thread, in the language of this one, and must not ask the database: a thread has a connection of its
    own, which nobody would close.

    Raises:
        NotInTime: it did not end.
    """
    results: list[Result] = []
    errors: list[BaseException] = []
    language = translation.get_language()

    def run() -> None:
        try:
            with translation.override(language):
                results.append(work())
        except BaseException as error:
            errors.append(error)

    thread = threading.Thread(target=run, name="in time", daemon=True)
    thread.start()
    thread.join(seconds)
    if errors:
        raise errors[0]
    if not results:
        raise NotInTime(seconds)
    return results[0]
