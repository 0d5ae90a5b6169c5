"""Who may hold a lock, and what becomes of a dead owner's."""

import datetime as dt
import os
import subprocess
import sys

import pytest
from django.utils import timezone

from operations import locks, owners
from operations.logs import OWNER_DIED, start_log
from operations.models import CrawlLog, RunState, Task, TaskLock

pytestmark = pytest.mark.django_db


def held_by(owner: str | None, log: CrawlLog | None = None) -> TaskLock:
    return TaskLock.objects.create(
        task="crawl", lock_key="2026-06-05", status="running", owner=owner, acquired_at=timezone.now(), log=log
    )


def dead_owner() -> str:
    """A process of this boot that has ended."""
    here = owners.parse(owners.current_owner())
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return f"{here.host}:{ended.pid}:{here.start}@{here.boot}:{here.namespace}"


def test_a_lock_is_given_back_as_finished_or_failed():
    with locks.hold("crawl", "a"):
        assert TaskLock.objects.get(lock_key="a").status == "running"
    with pytest.raises(ZeroDivisionError), locks.hold("crawl", "b"):
        _ = 1 / 0
    states = dict(TaskLock.objects.values_list("lock_key", "status"))
    assert states == {"a": "finished", "b": "failed"}
    assert not TaskLock.objects.filter(released_at=None).exists()


def test_a_lock_held_by_someone_alive_says_who_and_since_when():
    held_by(owners.current_owner())
    with (
        pytest.raises(locks.LockHeld, match=f"process {os.getpid()} on .* since 20") as caught,
        locks.hold("crawl", "2026-06-05"),
    ):
        pass
    assert caught.value.key == "2026-06-05"


@pytest.mark.parametrize("key", ["2026-06-06", "all"])
def test_other_keys_are_free(key):
    held_by(owners.current_owner())
    with locks.hold("crawl", key):
        pass


def test_a_dead_owners_lock_is_freed_and_its_log_closed():
    log = start_log(Task.CRAWL)
    held = held_by(dead_owner(), log)
    with locks.hold("crawl", "2026-06-05"):
        pass
    held.refresh_from_db(), log.refresh_from_db()
    assert (held.status, log.status, log.error) == ("failed", RunState.FAILED, OWNER_DIED)


@pytest.mark.parametrize("owner", [None, "", "someone", "elsewhere:1:1"])
def test_an_owner_that_cannot_be_judged_counts_as_alive(owner):
    held_by(owner)
    with pytest.raises(locks.LockHeld), locks.hold("crawl", "2026-06-05"):
        pass


def test_this_process_is_alive_and_its_number_alone_does_not_make_another_alive():
    here = owners.parse(owners.current_owner())
    assert not owners.is_dead(str(here))
    earlier = owners.Owner(here.host, here.pid, here.start - 1, here.boot, here.namespace)
    assert owners.is_dead(str(earlier))


def test_a_process_of_an_earlier_boot_is_dead():
    here = owners.parse(owners.current_owner())
    assert owners.is_dead(str(owners.Owner(here.host, here.pid, here.start, "another-boot", here.namespace)))


def test_a_process_in_another_container_cannot_be_judged():
    here = owners.parse(owners.current_owner())
    assert not owners.is_dead(str(owners.Owner("other", 999_999, 1, here.boot, "1")))


def test_what_a_process_in_another_container_holds_is_free_when_no_task_could_last_so_long(settings):
    here = owners.parse(owners.current_owner())
    lost = str(owners.Owner("other", 999_999, 1, here.boot, "1"))
    held = held_by(lost)
    with pytest.raises(locks.LockHeld), locks.hold("crawl", "2026-06-05"):
        pass
    TaskLock.objects.filter(pk=held.pk).update(
        acquired_at=timezone.now() - dt.timedelta(seconds=2 * settings.TASK_SECONDS + 1)
    )
    with locks.hold("crawl", "2026-06-05"):
        pass


def test_what_a_living_process_holds_is_never_free_however_long():
    held = held_by(owners.current_owner())
    TaskLock.objects.filter(pk=held.pk).update(acquired_at=timezone.now() - dt.timedelta(days=30))
    with pytest.raises(locks.LockHeld), locks.hold("crawl", "2026-06-05"):
        pass


def test_a_zombie_is_dead():
    child = subprocess.Popen([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    here = owners.parse(owners.current_owner())
    owner = f"{here.host}:{child.pid}:{owners._start_of(child.pid)}@{here.boot}:{here.namespace}"
    assert not owners.is_dead(owner)
    child.kill()
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)
    assert owners.is_dead(owner)
    child.communicate()
