"""The folders `papers/{arxiv_id}` and what is in them."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from operations.files import folders_of_papers


def paper_folders() -> Iterator[tuple[str, Path]]:
    """Yield id and folder of each paper that has one."""
    yield from folders_of_papers(settings.PAPERSITE.data_dir / "papers")


def read_object(path: Path) -> dict[str, Any] | None:
    """Return the JSON object of a file; None where it is missing, truncated or something else."""
    try:
        content = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None
