"""Removes what is kept only for a while."""

import datetime as dt

from django.contrib.sessions.models import Session
from django.utils import timezone
from django_q.models import Task as QueueTask

from operations.deletion.folders import remove_of_deleted
from operations.models import ArxivRequest, CrawlJob, DeletedPaper, LockState, RequestState, RunState, TaskLock
from papersite.sign_in import forget_old_sign_ins

# The queue's own records tell of wake-ups only; crawl_logs keeps the history.
KEEP_QUEUE_TASKS = dt.timedelta(days=7)
KEEP_RELEASED_LOCKS = dt.timedelta(days=30)
# Who asked for what by hand, and how it went.
KEEP_WISHES = dt.timedelta(days=90)


def prune() -> str:
    """Remove what is older than it is kept, and folders of deleted papers, and say how many of each."""
    now = timezone.now()
    tasks, _ = QueueTask.objects.filter(stopped__lt=now - KEEP_QUEUE_TASKS).delete()
    locks, _ = (
        TaskLock.objects.exclude(status=LockState.RUNNING).filter(released_at__lt=now - KEEP_RELEASED_LOCKS).delete()
    )
    sessions, _ = Session.objects.filter(expire_date__lt=now).delete()
    folders = remove_of_deleted(DeletedPaper.objects.values_list("arxiv_id", flat=True))
    return (
        f"{tasks} queue records, {locks} released locks, {sessions} ended sessions, {_prune_wishes(now)}, "
        f"{forget_old_sign_ins()} records of sign-ins and {folders} folders of deleted papers removed"
    )


def _prune_wishes(now: dt.datetime) -> str:
    """Remove crawl jobs and questions to arXiv that ended long ago; what is open stays, however old."""
    edge = now - KEEP_WISHES
    jobs = CrawlJob.objects.exclude(status=RunState.RUNNING).filter(completed_at__lt=edge)
    requests = ArxivRequest.objects.exclude(state=RequestState.WAITING).filter(completed_at__lt=edge)
    _, deleted = jobs.delete()
    asked, _ = requests.delete()
    return f"{deleted.get(CrawlJob._meta.label, 0)} crawl jobs, {asked} questions to arXiv"
