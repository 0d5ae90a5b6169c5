"""`meta.json`, `summary.json` and `raw_output.txt` of each paper, against the database, which they are copies of."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from django.db import transaction

from operations.checks.folders import read_object
from operations.checks.problem import Problem
from operations.checks.summary_reading import checked_file, read_back
from operations.files import (
    FAILED_RAW_NAME,
    META_NAME,
    RAW_NAME,
    SUMMARY_NAME,
    json_text,
    paper_folder,
    relative,
    write_atomically,
)
from operations.meta_files import meta_texts, write_meta_files
from papers.models import Paper, SummaryState, SummaryStatus

_CHUNK = 200


@dataclass(frozen=True)
class _Fault:
    """Something wrong with a file, and how it is mended (None: not by a program)."""

    paper_id: int
    what: str
    mend: Callable[[], str] | None


def problems() -> Iterator[Problem]:
    """Yield files that are missing, unreadable, or say something else than the database."""
    for paper_ids in _suspects():
        # A paper may have been written between our reads: look again where nobody else can write.
        with transaction.atomic():
            sure = _faults_of(paper_ids)
        for fault in sure:
            yield Problem("files", fault.what, repairable=fault.mend is not None)


def repair() -> Iterator[str]:
    """Write files anew from the database, or read back what only a file still has."""
    for paper_ids in _suspects():
        for paper_id in paper_ids:
            with transaction.atomic():
                told = [fault.mend() for fault in _faults_of([paper_id]) if fault.mend]
            yield from told


def _suspects() -> Iterator[list[int]]:
    """Yield the ids of papers whose files look wrong, a chunk at a time."""
    last = 0
    while ids := list(Paper.objects.filter(pk__gt=last).order_by("pk").values_list("pk", flat=True)[:_CHUNK]):
        suspects = list(dict.fromkeys(fault.paper_id for fault in _faults_of(ids)))
        if suspects:
            yield suspects
        last = ids[-1]


def _faults_of(paper_ids: list[int]) -> list[_Fault]:
    papers = list(Paper.objects.filter(pk__in=paper_ids).select_related("summary", "status"))
    texts = meta_texts([paper.arxiv_id for paper in papers])
    found: list[_Fault] = []
    for paper in papers:
        faults = (
            _meta_fault(paper, texts.get(paper.arxiv_id)),
            _summary_fault(paper),
            _raw_fault(paper),
        )
        found += [fault for fault in faults if fault]
    return found


# ---------------------------------------------------------------- meta.json


def _meta_fault(paper: Paper, wanted: str | None) -> _Fault | None:
    path = paper_folder(paper.arxiv_id) / META_NAME
    content = read_object(path)
    if wanted is None or content == json.loads(wanted):
        return None
    return _Fault(
        paper.pk, f"{META_NAME} of {paper.arxiv_id} {_state(path, content)}", lambda: _write_meta(paper.arxiv_id)
    )


def _write_meta(arxiv_id: str) -> str:
    write_meta_files([arxiv_id])
    meta_path = relative(paper_folder(arxiv_id) / META_NAME)
    Paper.objects.filter(arxiv_id=arxiv_id).update(meta_path=meta_path)
    return f"wrote {META_NAME} of {arxiv_id}"


def _state(path: Path, content: dict | None) -> str:
    if content is not None:
        return "differs from the database"
    return "cannot be read" if path.exists() else "is missing"


# ---------------------------------------------------------------- summary.json


def _summary_fault(paper: Paper) -> _Fault | None:
    path = paper_folder(paper.arxiv_id) / SUMMARY_NAME
    stored = getattr(paper, "summary", None)
    if stored is None:
        return _lost_summary(paper, path)
    content = read_object(path)
    full = _object(stored.full_json)
    if full is None:
        return _damaged_column(paper)
    if content == full and paper.summary_path == relative(path):
        return None
    what = _state(path, content) if content != full else "is not noted in the database"
    return _Fault(paper.pk, f"{SUMMARY_NAME} of {paper.arxiv_id} {what}", lambda: _write_summary(paper, full))


def _object(text: str) -> dict | None:
    try:
        content = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def _write_summary(paper: Paper, full: dict) -> str:
    path = paper_folder(paper.arxiv_id) / SUMMARY_NAME
    write_atomically(path, json_text(full))
    Paper.objects.filter(pk=paper.pk).update(summary_path=relative(path))
    return f"wrote {SUMMARY_NAME} of {paper.arxiv_id}"


def _lost_summary(paper: Paper, path: Path) -> _Fault | None:
    """Return what is wrong where a file holds a summary that the database has not; one in work is left alone."""
    status = getattr(paper, "status", None)
    if not path.exists() or (status and status.status == SummaryState.PROCESSING):
        return None
    if checked_file(paper):
        return _Fault(paper.pk, f"{SUMMARY_NAME} of {paper.arxiv_id} is not in the database", lambda: _read_back(paper))
    return _Fault(
        paper.pk,
        f"{SUMMARY_NAME} of {paper.arxiv_id} holds no usable summary, and the database has none",
        lambda: _set_aside(paper, path),
    )


def _read_back(paper: Paper) -> str:
    read_back(paper)
    return f"read the summary of {paper.arxiv_id} back from its file"


def _set_aside(paper: Paper, path: Path) -> str:
    """Keep the file under a name that nothing reads: someone may still want what is in it."""
    path.replace(path.with_name(f"{SUMMARY_NAME}.unusable"))
    return f"set {SUMMARY_NAME} of {paper.arxiv_id} aside"


def _damaged_column(paper: Paper) -> _Fault:
    what = f"the stored summary of {paper.arxiv_id} is damaged"
    if checked_file(paper):
        return _Fault(paper.pk, what, lambda: _read_back(paper))
    return _Fault(paper.pk, f"{what}, and its file too; run: summarize --paper {paper.arxiv_id}", None)


# ---------------------------------------------------------------- raw_output.txt


def _raw_fault(paper: Paper) -> _Fault | None:
    folder = paper_folder(paper.arxiv_id)
    status = getattr(paper, "status", None)
    has_raw, has_failed = (folder / RAW_NAME).is_file(), (folder / FAILED_RAW_NAME).is_file()
    claims = bool(paper.raw_output_path) and not has_raw
    if claims or (status and status.raw_output_saved and not (has_raw or has_failed)):
        return _Fault(paper.pk, f"{RAW_NAME} of {paper.arxiv_id} is missing", lambda: _forget_raw(paper, has_failed))
    return None


def _forget_raw(paper: Paper, has_failed: bool) -> str:
    Paper.objects.filter(pk=paper.pk).update(raw_output_path=None)
    SummaryStatus.objects.filter(paper=paper).update(raw_output_saved=has_failed)
    return f"noted that {RAW_NAME} of {paper.arxiv_id} is gone"
