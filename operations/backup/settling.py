"""Puts a restored database in order: the work that was going on when the snapshot was taken is going on no more."""

from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.contrib.sessions.models import Session
from django.db import transaction
from django.db.models import Model
from django_q.models import OrmQ

from operations.checks import files, index
from operations.files import SUMMARY_NAME, paper_folder
from operations.models import RunState
from operations.sweep import sweep
from papers.models import Paper, SummaryState

# Of another boot than any machine's, so that everyone takes it for dead: those who worked at the time of the snapshot
# may have been on another machine or in another container, of which nothing could be proved.
_GONE = "backup:0:0@0:0"
_RUNNING = (RunState.RUNNING, SummaryState.PROCESSING)


@dataclass(frozen=True)
class Settled:
    """What was put right: in words what the sweep did, and how many files and index entries were mended."""

    swept: str
    files: int
    index: int


def settle() -> Settled:
    """Put the installation at hand right, after it came out of a backup."""
    _forget_owners()
    swept = str(sweep())
    set_aside = sum(1 for _path in _unknown_summaries())
    mended = sum(1 for _line in files.repair())
    indexed = sum(1 for _line in index.repair())
    return Settled(swept, set_aside + mended, indexed)


def _forget_owners() -> None:
    """Make whoever held anything dead, and end what would begin again by itself or let people in.

    A deletion that waited for a worker is ended too: a backup may have been brought back because of it.
    """
    with transaction.atomic():
        for model in apps.get_models():
            _disown(model)
        # Wake-ups only; what must be done stands in the tables. They are signed with the old installation's key.
        OrmQ.objects.all().delete()
        # Whoever signed out since must not be signed in again.
        Session.objects.all().delete()


def _disown(model: type[Model]) -> None:
    names = {field.name for field in model._meta.concrete_fields}
    state = next((name for name in ("status", "state") if name in names), None)
    if "owner" in names and state:
        model._default_manager.filter(**{f"{state}__in": _RUNNING}).update(owner=_GONE)


def _unknown_summaries() -> Iterator[str]:
    """Set summaries aside that only a file knows of, as a process leaves that is killed just before it commits.

    Here the database decides, so that the restored site is the one that was backed up.
    """
    for arxiv_id in Paper.objects.filter(summary=None).values_list("arxiv_id", flat=True).iterator():
        path = paper_folder(arxiv_id) / SUMMARY_NAME
        if path.exists():
            path.replace(path.with_name(f"{SUMMARY_NAME}.unusable"))
            yield arxiv_id
