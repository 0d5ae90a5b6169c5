"""How the schedules are: when each runs next, and how its last run ended."""

import datetime as dt
from dataclasses import dataclass

from django_q.models import Schedule
from django_q.models import Task as QueueTask

from operations.models import ScheduleTime
from operations.schedules import IN_WORDS, default_schedules, in_force, next_runs


@dataclass(frozen=True)
class ScheduleState:
    """A schedule as it is: when it runs next, and how its last run ended.

    `asked_last` says that it ran or was asked to; `last` is that run once it has ended, while the queue still knows it.
    """

    name: str
    cron: str | None
    minutes: int | None
    next_run: dt.datetime | None
    asked_last: bool
    last: QueueTask | None
    changed: ScheduleTime | None
    is_in_order: bool

    @property
    def in_words(self) -> str:
        """The name as pages show it."""
        return str(IN_WORDS.get(self.name, self.name))

    @property
    def coming(self) -> list[dt.datetime]:
        """The next three runs; empty for an interval."""
        return next_runs(self.cron) if self.cron else []


def schedule_states() -> list[ScheduleState]:
    """Return every schedule, by three queries."""
    changed = {row.name: row for row in ScheduleTime.objects.all()}
    rows: dict[str, list[Schedule]] = {}
    for row in Schedule.objects.order_by("id"):
        rows.setdefault(row.name or "", []).append(row)
    tasks = QueueTask.objects.in_bulk([row.task for found in rows.values() for row in found if row.task])
    return [
        _state(name, columns, rows.get(name, []), tasks, changed.get(name))
        for name, columns in default_schedules().items()
    ]


def _state(
    name: str, columns: dict, rows: list[Schedule], tasks: dict[str, QueueTask], changed: ScheduleTime | None
) -> ScheduleState:
    row = rows[0] if rows else None
    cron = in_force(changed.cron if changed else None, columns["cron"]) if "cron" in columns else None
    is_in_order = len(rows) == 1 and rows[0].func == columns["func"] and bool(rows[0].next_run)
    return ScheduleState(
        name=name,
        cron=cron,
        minutes=columns.get("minutes"),
        next_run=row.next_run if row else None,
        asked_last=bool(row and row.task),
        last=tasks.get(row.task) if row and row.task else None,
        changed=changed if changed and "cron" in columns else None,
        is_in_order=is_in_order and (cron is None or rows[0].cron == cron),
    )
