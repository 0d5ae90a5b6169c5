"""Whether the workers still do what they are told: a task of theirs writes a heartbeat each minute."""

import time
from datetime import datetime

from django.db import DatabaseError, connection

from operations.models import Heartbeat

# Five beats missed. A worker that is killed while it waits for a task leaves the others waiting for ever.
PATIENCE = 300.0  # seconds
LOOK_EVERY = 15.0  # seconds


class HeartbeatWatch:
    """Notices when a heartbeat stops changing.

    Time is measured by how long the row has stood still, not by what it says: a clock that was put right, or a machine
    that slept, makes nothing look dead.
    """

    def __init__(self, name: str, patience: float = PATIENCE) -> None:
        """Watch the row `name`; the first `patience` seconds are free."""
        self.name = name
        self.patience = patience
        self._seen: datetime | None = None
        self._next_look = 0.0
        self.begin_again()

    def begin_again(self) -> None:
        """Forget what was seen, as after a restart."""
        self._changed_at = time.monotonic()

    def is_silent(self) -> bool:
        """Tell whether no new beat came for longer than the patience."""
        now = time.monotonic()
        if now >= self._next_look:
            self._next_look = now + LOOK_EVERY
            self._look(now)
        return now - self._changed_at > self.patience

    def _look(self, now: float) -> None:
        try:
            beat = Heartbeat.objects.filter(name=self.name).values_list("beat_at", flat=True).first()
        except DatabaseError:
            beat = None
        finally:
            connection.close()
        if beat is not None and beat != self._seen:
            self._seen, self._changed_at = beat, now
