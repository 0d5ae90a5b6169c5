"""Checks of the stored data, one module for each kind.

Each has `problems()`, which yields what is wrong and changes nothing, and `repair()`, which mends what can be mended
without guessing, in short transactions, and yields a line for each thing it did. Both can be stopped at any moment
and run again.
"""

from collections.abc import Iterator
from typing import Protocol

from operations.checks import database, days, files, index, leftovers, lost_papers, statuses, triggers, work
from operations.checks.problem import Problem


class Check(Protocol):
    """What each module of this package offers."""

    def problems(self) -> Iterator[Problem]:
        """Yield what is wrong."""

    def repair(self) -> Iterator[str]:
        """Mend it, and yield what was done."""


# In the order of repair: each stands on those before it. The database's own rows first, and what counts them; what
# the dead hold; papers that only files know of; states and days of all papers; then files and index, which are made
# from the tables.
CHECKS: dict[str, Check] = {
    "database": database,
    "triggers": triggers,
    "work": work,
    "lost papers": lost_papers,
    "statuses": statuses,
    "days": days,
    "files": files,
    "leftovers": leftovers,
    "index": index,
}

__all__ = ["CHECKS", "Check", "Problem"]
