"""Half-written files that a killed process left beside the whole ones."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

from django.utils import timezone

from operations.checks.folders import paper_folders
from operations.checks.problem import Problem
from operations.files import (
    FAILED_PROMPT_NAME,
    FAILED_RAW_NAME,
    META_NAME,
    PROMPT_NAME,
    RAW_NAME,
    SUMMARY_NAME,
)

# A younger one may be being written this moment.
_SETTLED = dt.timedelta(minutes=10)
_NAMES = (META_NAME, SUMMARY_NAME, RAW_NAME, FAILED_RAW_NAME, PROMPT_NAME, FAILED_PROMPT_NAME)
_PREFIXES = tuple(f".{name}." for name in _NAMES)


def problems() -> Iterator[Problem]:
    """Yield half-written files."""
    for arxiv_id, path in _half_written():
        yield Problem("files", f"a half-written file is left in the folder of {arxiv_id}: {path.name}")


def repair() -> Iterator[str]:
    """Remove them; the whole file is beside them, or is reported as missing."""
    for arxiv_id, path in _half_written():
        path.unlink(missing_ok=True)
        yield f"removed a half-written file of {arxiv_id}"


def _half_written() -> Iterator[tuple[str, Path]]:
    for arxiv_id, folder in paper_folders():
        for path in folder.glob(".*"):
            if path.name.startswith(_PREFIXES) and _is_settled(path):
                yield arxiv_id, path


def _is_settled(path: Path) -> bool:
    try:
        changed = dt.datetime.fromtimestamp(path.stat().st_mtime, dt.UTC)
    except FileNotFoundError:
        return False
    return timezone.now() - changed > _SETTLED
