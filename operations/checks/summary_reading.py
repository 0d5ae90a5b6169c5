"""Reads `summary.json` back: checked by the very rules that an agent's output must pass."""

import datetime as dt
import json
from pathlib import Path

from django.utils import timezone

from operations.checks.folders import read_object
from operations.files import RAW_NAME, SUMMARY_NAME, paper_folder, relative
from operations.states import restore_done
from papers.models import Paper, PaperSummary
from papers.summary.errors import SummaryRejected
from papers.summary.reading import CheckedSummary, PaperFacts, check_summary
from papers.summary.storage import store_summary


def checked_file(paper: Paper) -> CheckedSummary | None:
    """Return the summary in a paper's `summary.json`; None where there is none that would pass today."""
    content = read_object(paper_folder(paper.arxiv_id) / SUMMARY_NAME)
    return _checked(paper, content) if content is not None else None


def checked_column(paper: Paper, stored: PaperSummary) -> CheckedSummary | None:
    """Return the summary in `full_json`; None where it is damaged or would not pass today."""
    try:
        content = json.loads(stored.full_json)
    except (ValueError, RecursionError):
        return None
    return _checked(paper, content) if isinstance(content, dict) else None


def _checked(paper: Paper, content: dict) -> CheckedSummary | None:
    try:
        return check_summary(content, PaperFacts(paper.arxiv_id, paper.title_en))
    except SummaryRejected:
        return None


def read_back(paper: Paper) -> str | None:
    """Store the summary of a paper's file and mark it done, in the caller's transaction.

    A paper in work is left alone. Return the quality, or None where there is nothing to read back.
    """
    checked = checked_file(paper)
    if checked is None:
        return None
    folder = paper_folder(paper.arxiv_id)
    made, has_raw = _changed(folder / SUMMARY_NAME), (folder / RAW_NAME).is_file()
    if not restore_done(paper.pk, checked.quality, raw_output_saved=has_raw, completed_at=made):
        return None
    store_summary(paper, checked, now=made, source_version=None, summary_path=relative(folder / SUMMARY_NAME))
    if has_raw:
        Paper.objects.filter(pk=paper.pk).update(raw_output_path=relative(folder / RAW_NAME))
    return checked.quality


def _changed(path: Path) -> dt.datetime:
    try:
        return dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC)
    except OSError:
        return timezone.now()
