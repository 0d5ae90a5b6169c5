"""A wish to stop, told to workers in other processes by a file that they look for every second.

The queue's workers do not hear TERM while a task runs. With this a summary in work is given back uncounted when the
site is stopped, where a kill would be an interruption.
"""

from pathlib import Path

from django.conf import settings

from operations.files import write_atomically
from operations.owners import current_owner, is_dead


class WorkStopped(Exception):
    """Someone asked the work to stop; the paper at hand is given back, no attempt is counted."""


def _flag() -> Path:
    return settings.PAPERSITE.data_dir / "locks" / "stopping"


def ask_workers_to_stop() -> None:
    """Ask all workers of this installation to give back what they have."""
    write_atomically(_flag(), current_owner(), durable=False)


def let_workers_work() -> None:
    """Withdraw the wish."""
    _flag().unlink(missing_ok=True)


def is_stopping() -> bool:
    """Tell whether workers should begin nothing new; the wish of a process that died is none."""
    try:
        owner = _flag().read_text("utf-8")
    except FileNotFoundError:
        return False
    return not is_dead(owner)


def raise_if_stopping() -> None:
    """Stop the work at hand where that is wished.

    Raises:
        WorkStopped: the site is being stopped.
    """
    if is_stopping():
        raise WorkStopped("the site is being stopped")
