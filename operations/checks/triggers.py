"""The triggers that keep tables made from the papers in step with them, and those tables."""

from collections.abc import Iterator

from operations.checks.problem import Problem
from papers import triggers


def problems() -> Iterator[Problem]:
    """Yield the triggers that are not as they should be, and the tables of counts that are wrong.

    Without the triggers pages would be shown that are out of date.
    """
    wrong = triggers.differing()
    if wrong:
        yield Problem("triggers", f"{len(wrong)} are missing or changed: {', '.join(wrong)}")
    miscounted = triggers.miscounted()
    if miscounted:
        yield Problem("triggers", f"counts are wrong in {', '.join(miscounted)}")


def repair() -> Iterator[str]:
    """Make the triggers again, and with them, or where it is wrong, what they keep."""
    wrong = triggers.differing()
    if wrong:
        triggers.install(using="default")
        yield f"made {len(wrong)} triggers again, and what they keep"
    elif miscounted := triggers.miscounted():
        triggers.refill()
        yield f"counted {', '.join(miscounted)} anew"
