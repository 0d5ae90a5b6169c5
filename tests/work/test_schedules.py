"""The schedules that every start makes sure of."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.utils.module_loading import import_string
from django_q.models import Schedule

from operations.schedules import ensure_schedules, wanted_schedules

pytestmark = pytest.mark.django_db


def test_making_sure_twice_changes_nothing():
    assert set(ensure_schedules()) == set(wanted_schedules())
    before = list(Schedule.objects.order_by("id").values())
    assert ensure_schedules() == []
    assert list(Schedule.objects.order_by("id").values()) == before


def test_every_schedule_calls_something_that_exists():
    for columns in wanted_schedules().values():
        assert callable(import_string(columns["func"]))


def test_a_changed_time_is_taken_over(settings):
    ensure_schedules()
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"crawl_cron": "15 7 * * *"})
    assert ensure_schedules() == ["daily crawl"]
    schedule = Schedule.objects.get(name="daily crawl")
    assert schedule.cron == "15 7 * * *"
    local = schedule.next_run.astimezone(ZoneInfo("Asia/Shanghai"))
    assert local.time() == dt.time(7, 15)


def test_doubled_and_forgotten_schedules_are_removed():
    ensure_schedules()
    Schedule.objects.create(name="tick", func="operations.tasks.tick", schedule_type="I", minutes=1)
    Schedule.objects.create(name="old", func="operations.tasks.no_more", schedule_type="I", minutes=1)
    ensure_schedules()
    assert sorted(Schedule.objects.values_list("name", flat=True)) == sorted(wanted_schedules())
