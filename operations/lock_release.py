"""A lock is taken from its owner by hand: one that is dead, or one that nobody can look at from here."""

from django.db import transaction
from django.utils import timezone

from operations.locks import release
from operations.logs import OWNER_DIED, write_log
from operations.models import CrawlLog, LockState, RunState, Task, TaskLock
from operations.owners import Life, describe, life_of
from papers.text import one_line

RELEASED_BY_HAND = "its lock was released by hand"


class LockGone(Exception):
    """Nobody holds the lock any more."""


class OwnerAlive(Exception):
    """The lock is held by a process that is at work; its work is stopped where it was begun, not here."""


class OwnerUnknown(Exception):
    """Nobody can tell from here whether the owner is at work, and no one said to be sure that it is not."""


class ReasonMissing(Exception):
    """A lock is not taken without a reason."""


def release_by_hand(lock_id: int, *, reason: str, by: str | None, sure: bool = False) -> TaskLock:
    """Free a lock, close its owner's log row, and log who did so and why.

    `sure` says that an owner who cannot be looked at from here, as in another container, is known to be gone.

    Raises:
        ReasonMissing: `reason` is blank.
        LockGone: it was given back or freed meanwhile.
        OwnerAlive: its owner is at work.
        OwnerUnknown: its owner cannot be looked at, and `sure` is not set.
    """
    why = one_line(reason)
    if not why:
        raise ReasonMissing
    lock = TaskLock.objects.filter(pk=lock_id, status=LockState.RUNNING).first()
    if lock is None:
        raise LockGone
    life = _refuse_alive(lock, sure)
    with transaction.atomic():
        if not release(lock, LockState.FAILED):
            raise LockGone
        _close_log(lock, OWNER_DIED if life is Life.DEAD else RELEASED_BY_HAND)
        detail = f"lock {lock.task} / {lock.lock_key} of {describe(lock.owner)} ({life}) released by {by}: {why}"
        write_log(Task.SCHEDULER, RunState.SUCCESS, detail=detail)
    return lock


def _refuse_alive(lock: TaskLock, sure: bool) -> Life:
    life = life_of(lock.owner, lock.acquired_at)
    if life is Life.ALIVE:
        raise OwnerAlive
    if life is Life.UNKNOWN and not sure:
        raise OwnerUnknown
    return life


def _close_log(lock: TaskLock, error: str) -> None:
    if lock.log_id is None:
        return
    CrawlLog.objects.filter(pk=lock.log_id, status=RunState.RUNNING).update(
        status=RunState.FAILED, error=error, completed_at=timezone.now()
    )
