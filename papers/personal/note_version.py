"""Which state of a note a change is based on: no older page and no late save overwrites a newer text unseen."""

import hashlib
from datetime import datetime


def note_version(content: str, saved_at: datetime | None) -> str:
    """Return the version of a note with this text, saved then; of no note, nothing.

    The time is part of it, since a text may come back: a save that was sent between and comes late finds another
    version than the one it is based on.
    """
    if not content:
        return ""
    state = f"{saved_at.timestamp() if saved_at else ''} {content}"
    return hashlib.sha256(state.encode()).hexdigest()[:32]
