"""The schedules that every start makes sure of."""

import datetime as dt
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone
from django.utils.module_loading import import_string
from django_q.models import OrmQ, Schedule
from django_q.models import Task as QueueTask

from operations.feed import allowed_silence
from operations.models import CrawlLog, ScheduleTime, Task
from operations.schedule_states import schedule_states
from operations.schedules import (
    DAILY_CRAWL,
    FixedTime,
    InvalidCron,
    UnknownSchedule,
    change_time,
    effective_cron,
    ensure_schedules,
    next_runs,
    reset_time,
    run_now,
    wanted_schedules,
)

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


def scheduled(name: str = DAILY_CRAWL) -> Schedule:
    return Schedule.objects.get(name=name)


def local_time(moment: dt.datetime) -> str:
    return f"{moment.astimezone(ZoneInfo('Asia/Shanghai')):%H:%M}"


def test_a_time_changed_by_hand_counts_at_once_and_after_every_start():
    ensure_schedules()
    assert change_time(DAILY_CRAWL, " 40  6 * * * ", by="ada") == "40 6 * * *"
    assert (scheduled().cron, local_time(scheduled().next_run)) == ("40 6 * * *", "06:40")
    assert ensure_schedules() == []
    assert effective_cron(DAILY_CRAWL) == "40 6 * * *"
    kept = ScheduleTime.objects.get()
    assert (kept.name, kept.changed_by) == (DAILY_CRAWL, "ada")
    assert "by ada" in CrawlLog.objects.get(task=Task.SCHEDULER).detail


def test_a_time_changed_by_hand_stays_when_the_settings_change(settings):
    change_time(DAILY_CRAWL, "40 6 * * *", by=None)
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"crawl_cron": "15 7 * * *"})
    ensure_schedules()
    assert scheduled().cron == "40 6 * * *"
    assert reset_time(DAILY_CRAWL, by=None) == "15 7 * * *"
    assert (scheduled().cron, local_time(scheduled().next_run)) == ("15 7 * * *", "07:15")


@pytest.mark.parametrize(
    "cron", ["", "daily", "0 9 * *", "61 9 * * *", "0 9 30 2 *", "@daily", "1," * 60 + "1 * * * *"]
)
def test_what_is_no_time_is_refused_and_nothing_changes(cron):
    ensure_schedules()
    with pytest.raises(InvalidCron):
        change_time(DAILY_CRAWL, cron, by=None)
    assert scheduled().cron == "0 9 * * *"
    assert not ScheduleTime.objects.exists()


def test_the_times_of_intervals_and_of_nothing_cannot_be_changed():
    with pytest.raises(FixedTime):
        change_time("tick", "0 9 * * *", by=None)
    with pytest.raises(UnknownSchedule):
        change_time("os.system", "0 9 * * *", by=None)
    with pytest.raises(UnknownSchedule):
        run_now("os.system")


def test_a_bad_time_in_a_row_stops_no_schedule():
    ScheduleTime.objects.create(name=DAILY_CRAWL, cron="0 9 30 2 *", changed_at=timezone.now())
    ScheduleTime.objects.create(name="tick", cron="0 9 * * *", changed_at=timezone.now())
    ensure_schedules()
    assert scheduled().cron == "0 9 * * *"
    assert scheduled("tick").schedule_type == Schedule.MINUTES


def test_a_schedule_that_someone_bent_is_put_right():
    ensure_schedules()
    Schedule.objects.filter(name=DAILY_CRAWL).update(func="os.system", args="'true'", repeats=0, next_run=None)
    assert ensure_schedules() == [DAILY_CRAWL]
    row = scheduled()
    assert (row.func, row.args, row.repeats) == ("operations.tasks.daily_crawl", None, -1)
    assert row.next_run


def test_the_next_runs_are_told_in_the_sites_time_zone():
    now = dt.datetime(2026, 5, 14, 3, tzinfo=dt.UTC)
    assert [f"{run:%d %H:%M %z}" for run in next_runs("0 9 * * 1-5", 3, now)] == [
        "15 09:00 +0800",
        "18 09:00 +0800",
        "19 09:00 +0800",
    ]


def test_the_feed_is_judged_by_the_time_in_force():
    now = dt.datetime(2026, 5, 17, 3, tzinfo=dt.UTC)
    assert allowed_silence(now) == dt.timedelta(hours=26)
    change_time(DAILY_CRAWL, "0 9 * * 1", by=None)
    assert allowed_silence(now) == dt.timedelta(days=7, hours=2)


def test_a_schedules_work_can_be_asked_for_at_once():
    ensure_schedules()
    task = run_now("cleaning")
    assert OrmQ.objects.get().task["func"] == "operations.tasks.cleaning"
    assert scheduled("cleaning").task == task


def test_states_tell_the_last_run_the_next_and_what_is_out_of_order():
    ensure_schedules()
    now = timezone.now()
    ended = {"func": "operations.tasks.cleaning", "started": now, "stopped": now}
    QueueTask.objects.create(id="a" * 32, name="a", success=False, result="broken", **ended)
    Schedule.objects.filter(name="cleaning").update(task="a" * 32)
    Schedule.objects.filter(name="growing days").delete()
    states = {state.name: state for state in schedule_states()}
    assert states["cleaning"].last.success is False
    assert len(states[DAILY_CRAWL].coming) == 3
    assert not states[DAILY_CRAWL].asked_last
    assert [name for name, state in states.items() if not state.is_in_order] == ["growing days"]
    assert states["growing days"].next_run is None


def test_states_are_told_by_three_queries(django_assert_num_queries):
    ensure_schedules()
    Schedule.objects.update(task="b" * 32)
    with django_assert_num_queries(3):
        schedule_states()
