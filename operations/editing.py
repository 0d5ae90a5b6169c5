"""Corrections by hand: to what the sources say of a paper, and to its summary.

A summary that was edited is checked by the rules an agent's output must pass, graded anew, and reaches the columns,
the tags, the index and `summary.json` together. Of two people who edit one summary the second is refused, and so is
whoever edits what is being made again this moment.
"""

import copy
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from operations import states
from operations.files import SUMMARY_NAME, json_text, paper_folder, prepared, relative
from operations.meta_files import write_meta_files
from papers.models import ErrorType, Paper, PaperSummary, SummaryState, SummaryStatus
from papers.search.index import index_papers
from papers.summary.errors import SummaryRejected
from papers.summary.grading import grade
from papers.summary.reading import CheckedSummary, PaperFacts, check_summary
from papers.summary.schema import parse_summary, tag_problems
from papers.summary.storage import store_summary, summary_object


class EditRefused(Exception):
    """The summary cannot be edited now, and nothing was stored."""


class SummaryChanged(EditRefused):
    """Someone else, or a new run, has changed the summary since it was read."""


class SummaryInWork(EditRefused):
    """The summary is being made again this moment; what is edited now would be lost."""


def version_of(stored: PaperSummary) -> str:
    """Return what tells one state of a stored summary from another; whoever edits gives it back."""
    return stored.updated_at.isoformat()


def ensure_editable(stored: PaperSummary, seen: str) -> None:
    """Do nothing if a summary may be edited by someone who read it when its version was `seen`.

    Raises:
        SummaryInWork, SummaryChanged: see there.
    """
    if SummaryStatus.objects.filter(paper_id=stored.paper_id, status=SummaryState.PROCESSING).exists():
        raise SummaryInWork(f"the summary of paper {stored.paper_id} is being made")
    if version_of(stored) != seen:
        raise SummaryChanged(f"the summary of paper {stored.paper_id} was changed at {version_of(stored)}")


def with_changes(full: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return a summary's object with the fields of these dotted names changed, all else as it was."""
    changed = copy.deepcopy(dict(full))
    for name, value in changes.items():
        *parents, last = name.split(".")
        inner = changed
        for parent in parents:
            if not isinstance(inner.get(parent), dict):
                inner[parent] = {}
            inner = inner[parent]
        inner[last] = value
    return changed


def facts_of(paper: Paper) -> PaperFacts:
    """Return what a summary of `paper` is held against; its text is not kept."""
    return PaperFacts(paper.arxiv_id, paper.title_en)


def check_edit(facts: PaperFacts, full: dict[str, Any], before: Mapping[str, Any] | None) -> CheckedSummary:
    """Return the summary that an edited object holds; `before` is the object that was edited.

    Tags that would be left out of an agent's answer in silence are refused, where they are new.

    Raises:
        SummaryRejected: it may not be stored; its `problems` name the fields.
    """
    checked = check_summary(full, facts)
    tags = full["tags"] if isinstance(full.get("tags"), list) else []
    if tags != (before or {}).get("tags"):
        problems = tag_problems([tag for tag in tags if isinstance(tag, str)])
        if problems:
            raise SummaryRejected(ErrorType.SCHEMA_ERROR, "; ".join(each.message for each in problems), problems)
    return checked


def edit_summary(paper_id: int, full: dict[str, Any], *, seen: str, by: str | None) -> CheckedSummary:
    """Store an edited summary, and note that `by` edited it; source version and raw output stay.

    `seen` is the version (see `version_of`) that was edited.

    Raises:
        PaperSummary.DoesNotExist: there is none any more.
        EditRefused: it cannot be edited now.
        SummaryRejected: it does not pass the checks.
    """
    stored = PaperSummary.objects.select_related("paper").get(pk=paper_id)
    checked = check_edit(facts_of(stored.paper), full, summary_object(stored))
    path = paper_folder(stored.paper.arxiv_id) / SUMMARY_NAME
    with prepared(path, json_text(checked.full)) as fresh, transaction.atomic():
        stored = PaperSummary.objects.select_related("paper").get(pk=paper_id)
        ensure_editable(stored, seen)
        _store(stored, checked, summary_path=relative(path), by=by)
        fresh.replace(path)
    return checked


def _store(stored: PaperSummary, checked: CheckedSummary, *, summary_path: str, by: str | None) -> None:
    now = timezone.now()
    store_summary(stored.paper, checked, now=now, source_version=stored.source_version, summary_path=summary_path)
    PaperSummary.objects.filter(pk=stored.pk).update(edited_at=now, edited_by=by)
    if not states.regrade(stored.paper_id, checked.quality):
        raise SummaryInWork(f"the summary of paper {stored.paper_id} is being made")


def correct_paper(
    paper: Paper,
    *,
    columns: Mapping[str, Any],
    summary: Mapping[str, Any] | None = None,
    seen: str = "",
    by: str | None,
) -> None:
    """Store corrected columns of a paper, and carry them and its tags into the index and `meta.json`.

    `summary` are changed fields of its summary by their dotted names, as the Chinese title and the tags of the agent
    are; `seen` is the version of the summary that was looked at.

    Raises:
        PaperSummary.DoesNotExist, EditRefused, SummaryRejected: as edit_summary, which stores `summary`.
    """
    with transaction.atomic():
        Paper.objects.filter(pk=paper.pk).update(**columns, updated_at=timezone.now())
        if summary:
            stored = PaperSummary.objects.get(pk=paper.pk)
            edit_summary(paper.pk, with_changes(summary_object(stored) or {}, summary), seen=seen, by=by)
        elif "title_en" in columns:
            _grade_by_title(paper.pk)
        index_papers([paper.pk])
        transaction.on_commit(lambda: write_meta_files([paper.arxiv_id]))


def _grade_by_title(paper_id: int) -> None:
    """Grade a summary by its paper's new title: one that only repeats the title says too little."""
    stored = PaperSummary.objects.filter(pk=paper_id).select_related("paper").first()
    full = summary_object(stored) if stored else None
    if stored is None or full is None:
        return
    try:
        quality, _missing = grade(parse_summary(full), stored.paper.title_en)
    except SummaryRejected:  # of a time when other rules were in force: its grade stays
        return
    if states.regrade(paper_id, quality):
        Paper.objects.filter(pk=paper_id).update(summary_quality=quality)
