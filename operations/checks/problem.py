"""What a check finds."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Problem:
    """One thing that is wrong, and whether `check_data --repair` can mend it without guessing."""

    kind: str
    what: str
    repairable: bool = True

    def __str__(self) -> str:
        """Return the line that the command prints."""
        return f"{self.kind}: {self.what}" + ("" if self.repairable else " (needs a person)")
