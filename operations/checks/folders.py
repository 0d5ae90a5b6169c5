"""The folders `papers/{arxiv_id}` and what is in them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from papers.arxiv_ids import InvalidArxivId, split_arxiv_id


def paper_folders() -> Iterator[tuple[str, Path]]:
    """Yield id and folder of each paper that has one, old ids with their slash; other names are not ours to judge."""
    top = settings.PAPERSITE.data_dir / "papers"
    for path in sorted([*top.glob("*"), *top.glob("*/*")]) if top.is_dir() else []:
        name = path.relative_to(top).as_posix()
        if _is_arxiv_id(name) and path.is_dir() and not path.is_symlink():
            yield name, path


def _is_arxiv_id(name: str) -> bool:
    try:
        return split_arxiv_id(name) == (name, None)
    except InvalidArxivId:
        return False


def read_object(path: Path) -> dict[str, Any] | None:
    """Return the JSON object of a file; None where it is missing, truncated or something else."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
