"""Tasks of the queue that ended by an exception: what went wrong, and running them again or putting them aside."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django_q.models import Failure
from django_q.tasks import async_task

from operations import tasks

_OURS = "operations.tasks."
_CHUNK = 500


@dataclass(frozen=True)
class RunAgain:
    """The functions that were asked to run again, and how many tasks were not ours to run."""

    functions: tuple[str, ...]
    refused: int


def is_ours(function: str) -> bool:
    """Tell whether a task calls a door of this site's queue: no other function is ever run from here."""
    name = function.removeprefix(_OURS)
    if name == function or name.startswith("_"):
        return False
    return getattr(getattr(tasks, name, None), "__module__", None) == tasks.__name__


def run_again(task_ids: Sequence[str]) -> RunAgain:
    """Ask the worker to run failed tasks again, each once, and take them off the list of failures.

    Tasks that call anything but our own functions stay where they are.
    """
    functions: list[str] = []
    refused = 0
    for task in _chosen(task_ids):
        if not is_ours(task.func):
            refused += 1
        elif _ask_again(task):
            functions.append(task.func)
    return RunAgain(tuple(functions), refused)


def _ask_again(task: Failure) -> bool:
    """Take a task off the list and ask for it again; False where another was first."""
    with transaction.atomic():
        taken, _ = Failure.objects.filter(pk=task.pk).delete()
        if taken:
            async_task(task.func, *(task.args or ()), group=task.group, **(task.kwargs or {}))
    return bool(taken)


def put_aside(task_ids: Sequence[str]) -> int:
    """Take failed tasks off the list without running them again; return how many."""
    removed = 0
    for start in range(0, len(task_ids), _CHUNK):
        removed += Failure.objects.filter(pk__in=task_ids[start : start + _CHUNK]).delete()[0]
    return removed


def _chosen(task_ids: Sequence[str]) -> list[Failure]:
    rows: list[Failure] = []
    for start in range(0, len(task_ids), _CHUNK):
        rows += (
            Failure.objects.filter(pk__in=task_ids[start : start + _CHUNK]).defer("result").order_by("started", "id")
        )
    return rows


def short_error(result: object) -> str:
    """Return the first line of what django-q2 kept of an exception: its message stands before the trace."""
    message = str(result or "").partition(" : Traceback")[0].strip()
    return message.splitlines()[0][:200] if message else ""
