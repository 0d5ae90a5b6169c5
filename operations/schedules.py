"""The schedules of the site, made by one idempotent step at every start."""

import datetime as dt

from croniter import croniter
from django.conf import settings
from django.db import transaction
from django.utils import timezone
from django_q.models import Schedule


def wanted_schedules() -> dict[str, dict]:
    """Return each schedule by its name, as columns of django-q2's table."""
    return {
        "tick": {"func": "operations.tasks.tick", "schedule_type": Schedule.MINUTES, "minutes": 1},
        "daily crawl": {
            "func": "operations.tasks.daily_crawl",
            "schedule_type": Schedule.CRON,
            "cron": settings.PAPERSITE.crawl_cron,
        },
        "growing days": {"func": "operations.tasks.growing_crawl", "schedule_type": Schedule.MINUTES, "minutes": 120},
        "cleaning": {"func": "operations.tasks.cleaning", "schedule_type": Schedule.CRON, "cron": "30 4 * * *"},
    }


def ensure_schedules() -> list[str]:
    """Make the schedules what they should be and return the names of those that were changed."""
    with transaction.atomic():
        wanted = wanted_schedules()
        Schedule.objects.filter(func__startswith="operations.tasks.").exclude(name__in=wanted).delete()
        return [name for name, columns in wanted.items() if _ensure(name, columns)]


def _ensure(name: str, columns: dict) -> bool:
    schedule = Schedule.objects.filter(name=name).order_by("id").first()
    if schedule is None:
        Schedule.objects.create(name=name, next_run=_first_run(columns), repeats=-1, **columns)
        return True
    Schedule.objects.filter(name=name).exclude(pk=schedule.pk).delete()
    if all(getattr(schedule, column) == value for column, value in columns.items()):
        return False
    Schedule.objects.filter(pk=schedule.pk).update(next_run=_first_run(columns), **columns)
    return True


def _first_run(columns: dict) -> dt.datetime:
    """Return when a schedule is due first: a minute's tick at once, a cron at its time in the site's zone."""
    now = timezone.localtime()
    if "cron" in columns:
        return croniter(columns["cron"], now).get_next(dt.datetime)
    return now if columns["minutes"] == 1 else now + dt.timedelta(minutes=columns["minutes"])
