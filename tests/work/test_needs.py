"""What the first page asks a hand for, rule by rule, and that it asks for none where all is well."""

import datetime as dt
from collections import namedtuple

import pytest
from django.utils import timezone
from django_q.models import Schedule
from django_q.models import Task as QueueTask

from operations import disk_use as disk_use_module
from operations import needs as needs_module
from operations import status as status_module
from operations.agent.installation import AgentState
from operations.console import MOST_COUNTED, Console
from operations.maintenance import current, switch_on
from operations.models import CrawlLog, DayListing, Heartbeat, Maintenance, RunState, Task, TaskLock
from operations.needs import NeedCode, needs
from operations.owners import current_owner
from operations.pauses import Cause, pause
from operations.schedules import ensure_schedules
from papers.models import SummaryState
from tests.factories import make_paper

pytestmark = pytest.mark.django_db

Disk = namedtuple("Disk", "total used free")
HOUR = dt.timedelta(hours=1)
NOBODY = "host:1:1@another-boot:1"


@pytest.fixture(autouse=True)
def _well(monkeypatch, data_dir, settings):
    """An installation where all is well."""
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"backup_keep": 0})
    monkeypatch.setattr(status_module, "agent_state", lambda: AgentState(True, "", "pi 1"))
    monkeypatch.setattr(disk_use_module.shutil, "disk_usage", lambda path: Disk(10**12, 0, 10**11))
    ensure_schedules()
    beat()
    crawled(today())


def today() -> dt.date:
    return timezone.now().astimezone(dt.UTC).date()


def beat(ago=dt.timedelta()):
    Heartbeat.objects.update_or_create(name="worker", defaults={"beat_at": timezone.now() - ago})


def crawled(date, status=RunState.SUCCESS, ago=HOUR, **columns):
    at = timezone.now() - ago
    CrawlLog.objects.create(task=Task.CRAWL, status=status, date=date, started_at=at, completed_at=at, **columns)


def asked() -> list[NeedCode]:
    return [need.code for need in needs(Console(current()))]


def the(code: NeedCode):
    return next(need for need in needs(Console(current())) if need.code == code)


def test_nothing_is_asked_for_where_all_is_well():
    assert asked() == []


def test_a_new_installation_asks_for_nothing():
    CrawlLog.objects.all().delete(), Heartbeat.objects.all().delete(), Schedule.objects.all().delete()
    assert asked() == []


def test_a_silent_worker_is_told_and_the_feed_it_stops_is_not_told_twice():
    beat(ago=HOUR)
    assert asked() == [NeedCode.WORKER]


def test_a_feed_that_stalls_beside_a_living_worker_is_told():
    CrawlLog.objects.all().delete()
    crawled(today() - dt.timedelta(days=4), ago=dt.timedelta(days=4))
    assert asked() == [NeedCode.FEED]
    assert the(NeedCode.FEED).dates == (today(),)


def test_days_whose_last_crawl_failed_are_one_need_with_their_dates():
    days = [today() - dt.timedelta(days=back) for back in (0, 2)]
    for day in days:
        crawled(day, RunState.FAILED, ago=HOUR / 2, error="HTTP 503")
    assert asked() == [NeedCode.CRAWL]
    need = the(NeedCode.CRAWL)
    assert (need.dates, need.detail) == (tuple(days), "HTTP 503")
    crawled(days[0], ago=HOUR / 4), crawled(days[1], ago=HOUR / 4)
    assert asked() == []


def test_an_account_that_does_not_add_up_is_told():
    day = today() - dt.timedelta(days=1)
    DayListing.objects.create(date=day, entry_key="x", arxiv_id="2605.00001", first_seen_at=timezone.now())
    assert asked() == [NeedCode.ACCOUNT]
    assert the(NeedCode.ACCOUNT).dates == (day,)
    assert str(day) in the(NeedCode.ACCOUNT).message


def test_papers_that_failed_for_good_are_counted():
    make_paper(state=SummaryState.PERMANENT_FAILURE), make_paper(state=SummaryState.FAILED)
    assert asked() == [NeedCode.FAILURES]
    assert the(NeedCode.FAILURES).message == "1 篇论文永久失败。"


def test_a_missing_agent_outweighs_the_pause_that_it_makes(monkeypatch):
    pause(Cause.AGENT, "there is no pi")
    assert asked() == [NeedCode.PAUSED]
    monkeypatch.setattr(status_module, "agent_state", lambda: AgentState(False, "pi_missing", "请运行 make run"))
    assert asked() == [NeedCode.AGENT]
    assert "请运行 make run" in the(NeedCode.AGENT).message


@pytest.mark.parametrize("free", [10**8, None])
def test_a_disk_that_is_full_or_cannot_be_read_is_told(monkeypatch, free):
    def usage(path):
        if free is None:
            raise OSError
        return Disk(10**12, 0, free)

    monkeypatch.setattr(disk_use_module.shutil, "disk_usage", usage)
    assert asked() == [NeedCode.DISK]


def test_locks_of_the_dead_are_told_where_no_worker_frees_them():
    for key, owner in (("dead", NOBODY), ("alive", current_owner())):
        TaskLock.objects.create(task="crawl", lock_key=key, status="running", owner=owner, acquired_at=timezone.now())
    assert asked() == []
    Heartbeat.objects.all().delete()
    assert asked() == [NeedCode.LOCKS]
    assert the(NeedCode.LOCKS).message.startswith("1 ")


def test_a_schedule_that_is_missing_is_told():
    Schedule.objects.filter(name="cleaning").delete()
    assert asked() == [NeedCode.SCHEDULES]
    assert "每天的清理和测量" in the(NeedCode.SCHEDULES).message


@pytest.mark.parametrize(("count", "said"), [(1, "1 个"), (MOST_COUNTED + 5, f"至少 {MOST_COUNTED} 个")])
def test_failed_tasks_of_the_queue_are_counted_up_to_a_number(count, said):
    now = timezone.now()
    rows = [
        QueueTask(id=f"{number:032}", name="x", func="x", success=False, started=now, stopped=now)
        for number in range(count)
    ]
    QueueTask.objects.bulk_create(rows)
    assert asked() == [NeedCode.QUEUE]
    assert the(NeedCode.QUEUE).message.startswith(said)


def test_maintenance_that_was_forgotten_is_told():
    switch_on("new disk", by="ada")
    assert asked() == []
    Maintenance.objects.update(since=timezone.now() - dt.timedelta(days=2))
    assert asked() == [NeedCode.MAINTENANCE]
    assert the(NeedCode.MAINTENANCE).detail == "new disk"


Backup = namedtuple("Backup", "has_failed error started_at", defaults=("", None))


@pytest.mark.parametrize(
    ("last", "said"),
    [
        (None, "还没有做过备份"),
        (Backup(True, "no room"), "失败"),
        (Backup(False, "", -dt.timedelta(days=3)), "两天以前"),
        (Backup(False, "", -HOUR), None),
    ],
    ids=["none", "failed", "old", "fresh"],
)
def test_a_backup_that_is_missing_is_told(settings, monkeypatch, last, said):
    crawled(today(), ago=dt.timedelta(days=3)), crawled(today())
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"backup_keep": 7})
    ensure_schedules()
    if last and last.started_at:
        last = last._replace(started_at=timezone.now() + last.started_at)
    monkeypatch.setattr(Console, "last_backup", last)
    assert asked() == ([NeedCode.BACKUP] if said else [])
    assert not said or said in the(NeedCode.BACKUP).message


def test_only_the_kinds_that_are_wanted_are_looked_at():
    make_paper(state=SummaryState.PERMANENT_FAILURE)
    beat(ago=HOUR)
    assert [need.code for need in needs(Console(current()), [NeedCode.FAILURES])] == [NeedCode.FAILURES]


def test_the_most_pressing_comes_first():
    make_paper(state=SummaryState.PERMANENT_FAILURE)
    beat(ago=HOUR)
    assert asked() == [NeedCode.WORKER, NeedCode.FAILURES]


def test_every_kind_has_its_rule():
    assert set(needs_module._RULES) == set(NeedCode)
