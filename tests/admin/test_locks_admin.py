"""Locks tell who holds them and whether that process is there; one that is gone loses its lock, with a reason."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from operations import locks as lock_verbs
from operations import owners
from operations.logs import OWNER_DIED, start_log
from operations.models import CrawlLog, RunState, Task, TaskLock
from tests.other_owners import in_another_container, of_another_boot
from tests.roles import client_of

LOCKS = "/admin/operations/tasklock/"


def held_by(owner: str | None, key="2026-06-05", **columns) -> TaskLock:
    columns.setdefault("acquired_at", timezone.now() - dt.timedelta(minutes=3))
    return TaskLock.objects.create(task="crawl", lock_key=key, status="running", owner=owner, **columns)


def page_of(lock: TaskLock) -> str:
    return f"/admin/locks/{lock.pk}/release/"


@pytest.fixture
def operator(db):
    return client_of("operator")


# ---------------------------------------------------------------- the list


def test_it_tells_who_holds_a_lock_since_when_and_whether_that_process_is_there(operator):
    log = start_log(Task.CRAWL)
    dead = held_by(of_another_boot(), log=log)
    held_by(owners.current_owner(), key="2026-06-06")
    held_by(in_another_container(), key="2026-06-07")
    held_by(None, key="2026-06-08")
    page = operator.get(LOCKS).content.decode()
    assert "old-host 上的进程 4242" in page and "已不在" in page
    assert "在运行" in page and "从这里看不到" in page and "没有记下" in page
    assert f"/admin/operations/crawllog/{log.pk}/change/" in page
    assert "抓取 / 2026-06-05" in page and "3 分" in page
    assert operator.get(f"{LOCKS}{dead.pk}/change/").status_code == 200


def test_those_that_are_held_come_first_then_the_newest(operator):
    now = timezone.now()
    held = held_by(owners.current_owner(), acquired_at=now - dt.timedelta(days=9))
    ended = [
        TaskLock.objects.create(
            task="crawl", lock_key=str(n), status=state, acquired_at=now, released_at=now - dt.timedelta(hours=n)
        )
        for n, state in enumerate(["finished", "failed", "finished"])
    ]
    rows = operator.get(LOCKS).context["cl"].result_list
    assert [row.pk for row in rows] == [held.pk, *(lock.pk for lock in ended)]


def test_only_locks_that_may_be_released_have_a_link_to_it(operator):
    dead, alive = held_by(of_another_boot()), held_by(owners.current_owner(), key="b")
    ended = TaskLock.objects.create(task="crawl", lock_key="c", status="finished", acquired_at=timezone.now())
    page = operator.get(LOCKS).content.decode()
    assert page_of(dead) in page
    assert page_of(alive) not in page and page_of(ended) not in page


# ---------------------------------------------------------------- the release


def test_a_dead_owners_lock_is_released_with_a_reason_and_it_is_written_down(operator):
    log = start_log(Task.CRAWL)
    lock = held_by(of_another_boot(), log=log)
    assert "old-host" in operator.get(page_of(lock)).content.decode()
    answer = operator.post(page_of(lock), {"reason": "power cut"}, follow=True)
    assert "锁已释放" in " ".join(map(str, answer.context["messages"]))
    lock.refresh_from_db(), log.refresh_from_db()
    assert (lock.status, log.status, log.error) == ("failed", RunState.FAILED, OWNER_DIED)
    told = CrawlLog.objects.get(task=Task.SCHEDULER).detail
    assert "crawl / 2026-06-05" in told and "operator: power cut" in told
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.change_message) == ("operator", "释放锁：power cut")
    assert entry.get_admin_url() == f"{LOCKS}{lock.pk}/change/"
    with lock_verbs.hold("crawl", "2026-06-05"):
        pass


@pytest.mark.parametrize("reason", ["", "   ", "x" * 301])
def test_a_reason_is_asked_for(operator, reason):
    lock = held_by(of_another_boot())
    answer = operator.post(page_of(lock), {"reason": reason})
    assert answer.status_code == 200 and answer.context["form"].errors["reason"]
    lock.refresh_from_db()
    assert lock.status == "running" and not LogEntry.objects.exists()


def test_an_owner_at_work_keeps_its_lock_also_against_a_forged_post(operator):
    lock = held_by(owners.current_owner())
    assert "<form method" not in operator.get(page_of(lock)).content.decode().split('id="content"')[1]
    answer = operator.post(page_of(lock), {"reason": "hurry", "sure": "on"})
    assert "还在运行" in answer.content.decode()
    lock.refresh_from_db()
    assert lock.status == "running" and not LogEntry.objects.exists()


def test_of_an_owner_that_cannot_be_looked_at_one_must_be_sure(operator):
    lock = held_by(in_another_container())
    assert 'name="sure"' in operator.get(page_of(lock)).content.decode()
    assert operator.post(page_of(lock), {"reason": "gone"}).context["form"].errors["sure"]
    operator.post(page_of(lock), {"reason": "gone", "sure": "on"})
    lock.refresh_from_db()
    assert lock.status == "failed"


def test_a_lock_that_was_given_back_meanwhile_stays_as_it_is(operator):
    lock = held_by(of_another_boot())
    TaskLock.objects.filter(pk=lock.pk).update(status="finished", released_at=timezone.now())
    assert "已经释放" in operator.get(page_of(lock)).content.decode()
    answer = operator.post(page_of(lock), {"reason": "x"}, follow=True)
    assert "已经释放" in " ".join(map(str, answer.context["messages"]))
    lock.refresh_from_db()
    assert lock.status == "finished" and not LogEntry.objects.exists()


def test_looking_never_acts(operator):
    lock = held_by(of_another_boot())
    operator.get(page_of(lock), {"reason": "x"})
    lock.refresh_from_db()
    assert lock.status == "running"


def test_there_is_no_page_for_no_lock(operator):
    assert operator.get("/admin/locks/99/release/").status_code == 404


@pytest.mark.parametrize("role", ["editor", "auditor"])
def test_others_release_nothing(role, db):
    lock = held_by(of_another_boot())
    client = client_of(role)
    assert client.get(page_of(lock)).status_code == 403
    assert client.post(page_of(lock), {"reason": "x"}).status_code == 403
    lock.refresh_from_db()
    assert lock.status == "running" and not LogEntry.objects.exists()


def test_an_auditor_sees_the_locks_without_the_way_to_release_them(db):
    lock = held_by(of_another_boot())
    page = client_of("auditor").get(LOCKS).content.decode()
    assert "已不在" in page and page_of(lock) not in page
