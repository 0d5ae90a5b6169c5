"""Where a paper's files lie under DATA_DIR, and writing them so that a reader never sees half of one."""

import contextlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings

from papers.arxiv_ids import is_arxiv_id, split_arxiv_id

META_NAME = "meta.json"
SUMMARY_NAME = "summary.json"
RAW_NAME = "raw_output.txt"
FAILED_RAW_NAME = "raw_output.failed.txt"
PROMPT_NAME = "prompt.txt"
FAILED_PROMPT_NAME = "prompt.failed.txt"


def _folder(kind: str, arxiv_id: str) -> Path:
    bare, _version = split_arxiv_id(arxiv_id)  # raises for anything that could climb out of the folder
    return settings.PAPERSITE.data_dir / kind / bare


def paper_folder(arxiv_id: str) -> Path:
    """Return the folder of a paper's readable backups, `papers/{arxiv_id}` under DATA_DIR."""
    return _folder("papers", arxiv_id)


def temporary_folder(arxiv_id: str) -> Path:
    """Return the folder of a paper's downloads, `tmp/{arxiv_id}` under DATA_DIR."""
    return _folder("tmp", arxiv_id)


def folders_of_papers(top: Path) -> Iterator[tuple[str, Path]]:
    """Yield id and folder of each paper that has one under `top`, old ids with their slash.

    Other names are not ours to judge.
    """
    for path in sorted([*top.glob("*"), *top.glob("*/*")]) if top.is_dir() else []:
        name = path.relative_to(top).as_posix()
        if is_arxiv_id(name) and path.is_dir() and not path.is_symlink():
            yield name, path


def relative(path: Path) -> str:
    """Return a path as the database keeps it: relative to DATA_DIR."""
    return path.relative_to(settings.PAPERSITE.data_dir).as_posix()


def write_atomically(path: Path, text: str, *, durable: bool = True) -> None:
    """Write a whole file or none.

    `durable` waits for the disk, so that a power cut leaves the old file or the new one; it is off for what the
    next crawl writes again anyway.
    """
    with prepared(path, text, durable=durable) as fresh:
        fresh.replace(path)


@contextlib.contextmanager
def prepared(path: Path, text: str, *, durable: bool = True) -> Iterator[Path]:
    """Write `text` to a file beside `path` and yield it, for the block to move over; removed if it is not."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", dir=path.parent)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="replace") as file:
            file.write(text)
            if durable:
                file.flush()
                os.fsync(file.fileno())
        yield Path(name)
    finally:
        Path(name).unlink(missing_ok=True)


def json_text(value: Any) -> str:
    """Return `value` as the JSON kept in files: readable, in the order it came."""
    return json.dumps(value, ensure_ascii=False, indent=2, default=str) + "\n"


def remove_temporary(arxiv_id: str) -> None:
    """Remove a paper's downloads, and the archive's folder of an old id when it is empty."""
    folder = temporary_folder(arxiv_id)
    shutil.rmtree(folder, ignore_errors=True)
    if "/" in arxiv_id:
        # Fails where another paper of the same archive is at work there.
        with contextlib.suppress(OSError):
            folder.parent.rmdir()
