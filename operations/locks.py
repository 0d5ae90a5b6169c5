"""Locks on a task and a key, such as `crawl` / 2026-06-05, kept in `task_locks`."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime

from django.db import IntegrityError, transaction
from django.utils import timezone

from operations.logs import OWNER_DIED
from operations.models import CrawlLog, LockState, RunState, TaskLock
from operations.owners import current_owner, describe, is_abandoned


class LockHeld(Exception):
    """Someone alive holds the lock."""

    def __init__(self, lock: TaskLock) -> None:
        """Keep who holds what since when."""
        self.task, self.key = lock.task, lock.lock_key
        self.owner, self.since = lock.owner, lock.acquired_at
        super().__init__(f"{self.task} / {self.key} is being run by {describe(self.owner)} since {_utc(self.since)}")


def _utc(moment: datetime) -> str:
    return f"{moment:%Y-%m-%d %H:%M:%S} UTC"


@contextmanager
def hold(task: str, key: str) -> Iterator[TaskLock]:
    """Hold a lock for the length of the block.

    Raises:
        LockHeld: it is held by a process that is not provably dead.
    """
    lock = take(task, key)
    try:
        yield lock
    except BaseException:
        release(lock, LockState.FAILED)
        raise
    release(lock, LockState.FINISHED)


def take(task: str, key: str) -> TaskLock:
    """Take a lock, freeing it first where its owner is provably dead.

    Raises:
        LockHeld: it is held by a process that is not provably dead.
    """
    try:
        with transaction.atomic():
            held = TaskLock.objects.filter(task=task, lock_key=key, status=LockState.RUNNING).first()
            if held and not free_if_dead(held):
                raise LockHeld(held)
            return TaskLock.objects.create(
                task=task,
                lock_key=key,
                status=LockState.RUNNING,
                owner=current_owner(),
                acquired_at=timezone.now(),
            )
    except IntegrityError:
        held = TaskLock.objects.filter(task=task, lock_key=key, status=LockState.RUNNING).first()
        if held is None:
            return take(task, key)
        raise LockHeld(held) from None


def release(lock: TaskLock, status: LockState) -> bool:
    """Give a lock back; False where it was freed already."""
    released = TaskLock.objects.filter(pk=lock.pk, status=LockState.RUNNING).update(
        status=status, released_at=timezone.now()
    )
    return bool(released)


def attach_log(lock: TaskLock, log: CrawlLog) -> None:
    """Note which log row tells of the work done under a lock."""
    TaskLock.objects.filter(pk=lock.pk).update(log=log)


def is_held(lock: TaskLock) -> bool:
    """Tell whether a running lock's owner must be taken for alive."""
    return not is_abandoned(lock.owner, lock.acquired_at)


def held_lock(task: str, key: str) -> TaskLock | None:
    """Return a lock that someone holds who must be taken for alive."""
    lock = TaskLock.objects.filter(task=task, lock_key=key, status=LockState.RUNNING).first()
    return lock if lock and is_held(lock) else None


def free_if_dead(lock: TaskLock) -> bool:
    """Free a lock whose owner is dead, and close that owner's log row; tell whether it was freed."""
    if is_held(lock):
        return False
    with transaction.atomic():
        release(lock, LockState.FAILED)
        if lock.log_id is not None:
            CrawlLog.objects.filter(pk=lock.log_id, status=RunState.RUNNING).update(
                status=RunState.FAILED, error=OWNER_DIED, completed_at=timezone.now()
            )
    return True
