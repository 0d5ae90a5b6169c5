"""Removes what is kept only for a while."""

import datetime as dt

from django.contrib.sessions.models import Session
from django.utils import timezone
from django_q.models import Task as QueueTask

from operations.models import LockState, TaskLock

# The queue's own records tell of wake-ups only; crawl_logs keeps the history.
KEEP_QUEUE_TASKS = dt.timedelta(days=7)
KEEP_RELEASED_LOCKS = dt.timedelta(days=30)


def prune() -> str:
    """Remove old queue records, released locks and ended sessions, and say how many."""
    now = timezone.now()
    tasks, _ = QueueTask.objects.filter(stopped__lt=now - KEEP_QUEUE_TASKS).delete()
    locks, _ = (
        TaskLock.objects.exclude(status=LockState.RUNNING).filter(released_at__lt=now - KEEP_RELEASED_LOCKS).delete()
    )
    sessions, _ = Session.objects.filter(expire_date__lt=now).delete()
    return f"{tasks} queue records, {locks} released locks and {sessions} ended sessions removed"
