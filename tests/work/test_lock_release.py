"""A lock is taken by hand from an owner that is gone, with a reason, and never from one at work."""

import pytest
from django.utils import timezone

from operations import owners
from operations.lock_release import (
    RELEASED_BY_HAND,
    LockGone,
    OwnerAlive,
    OwnerUnknown,
    ReasonMissing,
    release_by_hand,
)
from operations.logs import OWNER_DIED, start_log
from operations.models import CrawlLog, RunState, Task, TaskLock
from tests.other_owners import in_another_container, of_another_boot

pytestmark = pytest.mark.django_db


def held_by(owner: str | None, **columns) -> TaskLock:
    return TaskLock.objects.create(
        task="crawl", lock_key="2026-06-05", status="running", owner=owner, acquired_at=timezone.now(), **columns
    )


def test_a_dead_owners_lock_is_freed_its_log_closed_and_it_is_logged_who_did_so_and_why():
    log = start_log(Task.CRAWL)
    lock = held_by(of_another_boot(), log=log)
    release_by_hand(lock.pk, reason=" the machine\nwas restarted ", by="ada")
    lock.refresh_from_db(), log.refresh_from_db()
    assert (lock.status, log.status, log.error) == ("failed", RunState.FAILED, OWNER_DIED)
    assert lock.released_at and log.completed_at
    told = CrawlLog.objects.get(task=Task.SCHEDULER)
    assert told.status == RunState.SUCCESS
    assert "crawl / 2026-06-05" in told.detail and "released by ada: the machine was restarted" in told.detail


def test_an_owner_at_work_keeps_its_lock_however_sure_someone_is():
    lock = held_by(owners.current_owner())
    with pytest.raises(OwnerAlive):
        release_by_hand(lock.pk, reason="hurry", by="ada", sure=True)
    lock.refresh_from_db()
    assert lock.status == "running" and not CrawlLog.objects.exists()


@pytest.mark.parametrize(
    "owner", [in_another_container, lambda: None, lambda: "someone"], ids=["elsewhere", "none", "odd"]
)
def test_an_owner_that_cannot_be_looked_at_is_passed_over_by_someone_who_is_sure(owner):
    log = start_log(Task.CRAWL)
    lock = held_by(owner(), log=log)
    with pytest.raises(OwnerUnknown):
        release_by_hand(lock.pk, reason="gone", by="ada")
    release_by_hand(lock.pk, reason="gone", by="ada", sure=True)
    lock.refresh_from_db(), log.refresh_from_db()
    assert (lock.status, log.status, log.error) == ("failed", RunState.FAILED, RELEASED_BY_HAND)


def test_a_lock_that_was_given_back_is_gone():
    lock = held_by(of_another_boot())
    TaskLock.objects.filter(pk=lock.pk).update(status="finished", released_at=timezone.now())
    with pytest.raises(LockGone):
        release_by_hand(lock.pk, reason="x", by="ada")
    with pytest.raises(LockGone):
        release_by_hand(lock.pk + 1, reason="x", by="ada")
    lock.refresh_from_db()
    assert lock.status == "finished" and not CrawlLog.objects.exists()


@pytest.mark.parametrize("reason", ["", "  \n", "\x00"])
def test_a_reason_is_needed(reason):
    lock = held_by(of_another_boot())
    with pytest.raises(ReasonMissing):
        release_by_hand(lock.pk, reason=reason, by="ada")
    lock.refresh_from_db()
    assert lock.status == "running"
