"""The schedules of the site, made by one idempotent step at every start, and their times, which operators may change.

What a schedule calls is written here alone: a row that named a function of someone's choice would run it.
"""

import datetime as dt

from croniter import croniter
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django_q.models import Schedule
from django_q.tasks import async_task

from operations.logs import write_log
from operations.maintenance import raise_if_on
from operations.models import RunState, ScheduleTime, Task
from papersite.configuration import checked_cron

DAILY_CRAWL = "daily crawl"
BACKUP, TICK = "backup", "tick"
# What maintenance does not hold.
_DONE_DURING_MAINTENANCE = frozenset({BACKUP, TICK})
_OURS = "operations.tasks."
# Names as pages show them.
IN_WORDS = {
    TICK: _("每分钟的检查"),
    DAILY_CRAWL: _("每天的抓取"),
    "growing days": _("再次查询仍在增加的日子"),
    "cleaning": _("每天的清理和测量"),
    BACKUP: _("每天的备份"),
}


class UnknownSchedule(Exception):
    """There is no schedule of that name."""


class FixedTime(Exception):
    """The schedule runs at an interval, which is part of how the site works and not to be changed."""


class InvalidCron(ValueError):
    """The text is no cron expression of five fields whose time comes."""


# ---------------------------------------------------------------- what there should be


def default_schedules() -> dict[str, dict]:
    """Return each schedule by its name, as columns of django-q2's table, with the times of the settings."""
    return {
        TICK: {"func": "operations.tasks.tick", "schedule_type": Schedule.MINUTES, "minutes": 1},
        DAILY_CRAWL: {
            "func": "operations.tasks.daily_crawl",
            "schedule_type": Schedule.CRON,
            "cron": settings.PAPERSITE.crawl_cron,
        },
        "growing days": {"func": "operations.tasks.growing_crawl", "schedule_type": Schedule.MINUTES, "minutes": 120},
        "cleaning": {"func": "operations.tasks.cleaning", "schedule_type": Schedule.CRON, "cron": "30 4 * * *"},
        **_backup(),
    }


def _backup() -> dict[str, dict]:
    """Return the nightly backup, unless none is to be kept."""
    if settings.PAPERSITE.backup_keep == 0:
        return {}
    columns = {"func": "operations.tasks.nightly_backup", "schedule_type": Schedule.CRON, "cron": "0 3 * * *"}
    return {BACKUP: columns}


def wanted_schedules() -> dict[str, dict]:
    """Return the schedules with the times in force: those changed by hand, else the settings'."""
    changed = dict(ScheduleTime.objects.values_list("name", "cron"))
    return {
        name: {**columns, "cron": in_force(changed.get(name), columns["cron"])} if "cron" in columns else columns
        for name, columns in default_schedules().items()
    }


def effective_cron(name: str) -> str:
    """Return when a schedule runs, as a cron expression in the site's time zone.

    Raises:
        UnknownSchedule, FixedTime: see there.
    """
    default = _default_cron(name)
    return in_force(ScheduleTime.objects.filter(name=name).values_list("cron", flat=True).first(), default)


def in_force(changed: str | None, default: str) -> str:
    """Return the changed time where it is one: a bad expression in a row would stop all schedules."""
    try:
        return checked_cron(changed or default)
    except ValueError:
        return default


def _default_cron(name: str) -> str:
    columns = default_schedules().get(name)
    if columns is None:
        raise UnknownSchedule(name)
    if "cron" not in columns:
        raise FixedTime(name)
    return columns["cron"]


# ---------------------------------------------------------------- making it so


def ensure_schedules() -> list[str]:
    """Make the schedules what they should be and return the names of those that were changed."""
    with transaction.atomic():
        wanted = wanted_schedules()
        Schedule.objects.filter(func__startswith=_OURS).exclude(name__in=wanted).delete()
        return [name for name, columns in wanted.items() if _ensure(name, columns)]


def _ensure(name: str, columns: dict) -> bool:
    columns = {**columns, **_PLAIN}
    schedule = Schedule.objects.filter(name=name).order_by("id").first()
    if schedule is None:
        Schedule.objects.create(name=name, next_run=_first_run(columns), **columns)
        return True
    Schedule.objects.filter(name=name).exclude(pk=schedule.pk).delete()
    if schedule.next_run and all(getattr(schedule, column) == value for column, value in columns.items()):
        return False
    Schedule.objects.filter(pk=schedule.pk).update(next_run=_first_run(columns), **columns)
    return True


# For ever, and nothing besides the function itself.
_PLAIN = {"repeats": -1, "args": None, "kwargs": None, "hook": None, "cluster": None, "intended_date_kwarg": None}


def _first_run(columns: dict) -> dt.datetime:
    """Return when a schedule is due first: a minute's tick at once, a cron at its time in the site's zone."""
    if "cron" in columns:
        return next_runs(columns["cron"], 1)[0]
    now = timezone.localtime()
    return now if columns["minutes"] == 1 else now + dt.timedelta(minutes=columns["minutes"])


def next_runs(cron: str, count: int = 3, now: dt.datetime | None = None) -> list[dt.datetime]:
    """Return the next times of a cron expression after `now`, in the site's time zone.

    Raises:
        InvalidCron: see there.
    """
    times = croniter(_checked(cron), timezone.localtime(now))
    return [times.get_next(dt.datetime) for _number in range(count)]


def _checked(cron: str) -> str:
    try:
        return checked_cron(cron)
    except ValueError as error:
        raise InvalidCron(f"{cron[:100]!r} {error}") from error


# ---------------------------------------------------------------- changing the times


def change_time(name: str, cron: str, *, by: str | None) -> str:
    """Let a schedule run at other times, from now on and after every start; return the expression as it is kept.

    `by` is the name of whoever changes it.

    Raises:
        UnknownSchedule, FixedTime, InvalidCron: see there; nothing was changed.
    """
    _default_cron(name)
    kept = _checked(cron)
    with transaction.atomic():
        values = {"cron": kept, "changed_by": by, "changed_at": timezone.now()}
        ScheduleTime.objects.update_or_create(name=name, defaults=values)
        ensure_schedules()
        _log(f"the time of {name!r} is {kept!r} from now on, by {by or 'nobody named'}")
    return kept


def reset_time(name: str, *, by: str | None) -> str:
    """Let a schedule run when the settings say, and return their expression.

    Raises:
        UnknownSchedule, FixedTime: see there; nothing was changed.
    """
    default = _default_cron(name)
    with transaction.atomic():
        ScheduleTime.objects.filter(name=name).delete()
        ensure_schedules()
        _log(f"the time of {name!r} is that of the settings again, {default!r}, by {by or 'nobody named'}")
    return default


def _log(what: str) -> None:
    write_log(Task.SCHEDULER, RunState.SUCCESS, detail=what)


def run_now(name: str) -> str:
    """Ask the worker to do a schedule's work once, at once; return the queue's id of the request.

    Raises:
        UnknownSchedule: see there.
        operations.maintenance.MaintenanceOn: the run would be held, and forgotten.
    """
    columns = default_schedules().get(name)
    if columns is None:
        raise UnknownSchedule(name)
    if name not in _DONE_DURING_MAINTENANCE:
        raise_if_on()
    with transaction.atomic():
        task = async_task(columns["func"], group=name)
        Schedule.objects.filter(name=name).update(task=task)
    return task
