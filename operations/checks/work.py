"""Locks, logs, deletions and papers held by processes that died, and folders they left."""

from collections.abc import Iterator

from operations.checks.problem import Problem
from operations.deletion.folders import left_aside
from operations.deletion.jobs import dead_jobs
from operations.files import relative
from operations.logs import is_waited_for
from operations.models import CrawlLog, LockState, RunState, TaskLock
from operations.owners import describe, is_dead
from operations.sweep import leftover_downloads, papers_of_the_dead, sweep


def problems() -> Iterator[Problem]:
    """Yield what dead owners hold."""
    for lock in TaskLock.objects.filter(status=LockState.RUNNING):
        if is_dead(lock.owner):
            yield Problem("locks", f"{lock} is held by {describe(lock.owner)}, which is dead")
    for log in CrawlLog.objects.filter(status=RunState.RUNNING).exclude(is_waited_for()):
        if log.owner is None or is_dead(log.owner):
            yield Problem("logs", f"log {log.pk} ({log.task}) is running without a process")
    for job in dead_jobs():
        yield Problem("deletions", f"deletion {job.pk} ({job}) is running without a process")
    for folder in left_aside(only_of_the_dead=True):
        yield Problem("files", f"a deletion that was killed left {relative(folder)}")
    for row in papers_of_the_dead():
        yield Problem("statuses", f"the paper of status {row.pk} is processing without a process")
    for arxiv_id in leftover_downloads():
        yield Problem("files", f"downloads of {arxiv_id} are left in tmp though nobody works on it")


def repair() -> Iterator[str]:
    """Sweep, as every working command does at its start."""
    report = str(sweep())
    if report:
        yield f"swept: {report}"
