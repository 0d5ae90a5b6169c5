"""The switch that holds all work while the pages go on: nothing new is begun, what is in work is given back or ends.

One row of `maintenance` is the whole state, so that every process and every restart sees it.
"""

import getpass

from django.db import transaction
from django.utils import timezone
from django_q.tasks import async_task

from operations.logs import bounded, write_log
from operations.models import Maintenance, RunState, Task
from operations.stopping import WorkStopped


class MaintenanceOn(WorkStopped):
    """Work is held for maintenance: whatever is at hand is given back uncounted, and nothing is begun."""

    def __init__(self, switch: Maintenance) -> None:
        """Keep the switch, and say who switched it on, since when, why, and how to end it."""
        self.switch = switch
        super().__init__(f"{describe(switch)}. `manage.py maintenance off`, or the admin, ends it")


def describe(switch: Maintenance) -> str:
    """Return in English who switched maintenance on, since when and why."""
    by = f" by {switch.switched_by}" if switch.switched_by else ""
    reason = f": {switch.reason}" if switch.reason else ""
    return f"work is held for maintenance since {switch.since:%Y-%m-%d %H:%M:%S} UTC{by}{reason}"


def current() -> Maintenance | None:
    """Return the switch while it is on, else None."""
    return Maintenance.objects.first()


def raise_if_on() -> None:
    """Hold the work at hand where the switch is on.

    Raises:
        MaintenanceOn: it is.
    """
    switch = current()
    if switch is not None:
        raise MaintenanceOn(switch)


def switch_on(reason: str, *, by: str | None) -> bool:
    """Hold all work from now on; False where it is held already, by the first one's name and for the first reason."""
    reason = bounded(" ".join(reason.split())) or ""
    with transaction.atomic():
        switch, is_new = Maintenance.objects.get_or_create(
            id=1, defaults={"reason": reason, "since": timezone.now(), "switched_by": by}
        )
        if is_new:
            write_log(Task.SCHEDULER, RunState.SUCCESS, detail=f"maintenance on: {describe(switch)}")
    return is_new


def switch_off(*, by: str | None) -> bool:
    """Let the work go on, and catch up on what was held; False where nothing was held."""
    with transaction.atomic():
        switch = current()
        if switch is not None:
            since = switch.since.isoformat()
            switch.delete()
            write_log(Task.SCHEDULER, RunState.SUCCESS, detail=f"maintenance off, by {by or 'nobody named'}")
            async_task("operations.tasks.catch_up", since, task_name="catch up")
    return switch is not None


def person_at_the_terminal() -> str | None:
    """Return the name of the account that runs a command, as `by` of the verbs; None where it has no name."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return None
