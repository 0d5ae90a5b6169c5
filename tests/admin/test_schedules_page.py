"""The page of the schedules."""

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from django_q.models import Task as QueueTask

from operations import maintenance
from operations.models import ScheduleTime
from operations.schedules import DAILY_CRAWL, ensure_schedules
from tests.roles import client_of

pytestmark = pytest.mark.django_db

SCHEDULES = "/admin/schedules/"


@pytest.fixture(autouse=True)
def _made():
    ensure_schedules()


def post(client, act, name=DAILY_CRAWL, cron="", follow=True):
    return client.post(SCHEDULES, {"act": act, "name": name, "cron": cron}, follow=follow)


@pytest.mark.parametrize(("role", "sees", "changes"), [
    ("owner", True, True), ("operator", True, True), ("auditor", True, False), ("editor", False, False),
])  # fmt: skip
def test_who_may_look_and_who_may_change(role, sees, changes):
    client = client_of(role)
    answer = client.get(SCHEDULES)
    assert answer.status_code == (200 if sees else 403)
    assert ("保存" in answer.content.decode()) is changes
    for act in ("change", "reset", "run", "look", "put_right"):
        assert (post(client, act, cron="0 7 * * *").status_code == 403) is not changes
    assert LogEntry.objects.exists() is changes


def test_a_time_is_looked_at_saved_and_given_back(owner):
    looked = post(owner, "look", cron="0 7 * * *")
    assert "保存后接下来三次" in looked.content.decode() and " 07:00" in looked.content.decode()
    assert not ScheduleTime.objects.exists()
    saved = post(owner, "change", cron="0 7 * * *").content.decode()
    assert "owner 于" in saved and "已保存。下一次：" in saved
    assert Schedule.objects.get(name=DAILY_CRAWL).cron == "0 7 * * *"
    assert "恢复默认时间" in saved
    post(owner, "reset")
    assert Schedule.objects.get(name=DAILY_CRAWL).cron == "0 9 * * *"
    said = list(LogEntry.objects.order_by("id").values_list("change_message", flat=True))
    assert said == ["定时任务“每天的抓取”的时间改为 0 7 * * *", "定时任务“每天的抓取”的时间恢复为默认的 0 9 * * *"]


@pytest.mark.parametrize("cron", ["", "<script>", "61 9 * * *", "0 9 30 2 *", "\0", "9" * 5000])
@pytest.mark.parametrize("act", ["look", "change"])
def test_what_is_no_time_is_refused_in_plain_words_and_kept_in_the_form(owner, act, cron):
    answer = post(owner, act, cron=cron)
    assert answer.status_code == (400 if act == "change" else 200)
    page = answer.content.decode()
    assert "要有五段" in page and "<script>" not in page.replace("<script src", "")
    assert not ScheduleTime.objects.exists() and not LogEntry.objects.exists()


def test_a_time_that_comes_often_is_doubted(owner):
    assert "是不是写错了" in post(owner, "look", cron="* 9 * * *").content.decode()
    assert "是不是写错了" not in post(owner, "look", cron="0 */2 * * *").content.decode()


@pytest.mark.parametrize(("act", "name"), [
    ("change", "tick"), ("change", "os.system"), ("run", "os.system"), ("reset", "tick"), ("other", DAILY_CRAWL),
])  # fmt: skip
def test_nothing_but_the_times_of_our_own_schedules_can_be_changed(owner, act, name):
    assert post(owner, act, name, "0 7 * * *").status_code == 400
    assert not OrmQ.objects.exists() and not ScheduleTime.objects.exists()


def test_work_can_be_asked_for_at_once(owner):
    page = post(owner, "run", "cleaning").content.decode()
    assert OrmQ.objects.get().task["func"] == "operations.tasks.cleaning"
    assert "没有后台任务在运行" in page
    assert "已开始或正在排队" in page
    assert LogEntry.objects.get().change_message == "立即运行定时任务“每天的清理和测量”"


@pytest.mark.parametrize(("name", "is_held"), [("cleaning", True), ("backup", False)])
def test_during_maintenance_nothing_is_run_that_would_be_held_and_forgotten(owner, name, is_held):
    maintenance.switch_on("new disk", by="ada")
    page = post(owner, "run", name).content.decode()
    assert ("没有运行；请在结束维护后再试" in page) is is_held
    assert ("马上开始" in page) is not is_held
    assert (OrmQ.objects.exists(), LogEntry.objects.exists()) == (not is_held, not is_held)


def test_how_the_last_run_ended_is_shown(owner):
    now = timezone.now()
    QueueTask.objects.create(id="a" * 32, name="a", func="x", success=False, result="x", started=now, stopped=now)
    Schedule.objects.filter(name="cleaning").update(task="a" * 32)
    assert "出错" in owner.get(SCHEDULES).content.decode()


def test_a_schedule_that_is_missing_or_doubled_is_told_and_put_right(owner):
    Schedule.objects.filter(name="cleaning").delete()
    assert "缺失、重复" in owner.get(SCHEDULES).content.decode()
    page = post(owner, "put_right").content.decode()
    assert "缺失、重复" not in page
    assert Schedule.objects.filter(name="cleaning").count() == 1
