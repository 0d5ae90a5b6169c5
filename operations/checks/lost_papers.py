"""Papers that only their files know of, as after the database was lost: read back from meta.json and summary.json."""

import shutil
from collections.abc import Iterator
from pathlib import Path

from django.db import transaction

from operations.checks.folders import paper_folders, read_object
from operations.checks.meta_reading import MetaFile, read_meta, store_meta
from operations.checks.problem import Problem
from operations.checks.summary_reading import read_back
from operations.files import META_NAME
from operations.models import DeletedPaper
from papers.models import Paper

_CHUNK = 500


def problems() -> Iterator[Problem]:
    """Yield folders without a paper."""
    for arxiv_id, folder in _without_paper():
        if _is_leftover(arxiv_id, folder):
            yield Problem("files", f"the folder of {arxiv_id}, which was deleted or never stored, is still there")
        elif _meta(arxiv_id, folder) is None:
            what = f"there is a folder of {arxiv_id}, but no such paper and no readable {META_NAME}"
            yield Problem("lost papers", f"{what}; run: add_paper {arxiv_id}", repairable=False)
        else:
            yield Problem("lost papers", f"{arxiv_id} is known by its files alone")


def repair() -> Iterator[str]:
    """Store papers again from their files, and remove what deleted ones left."""
    for arxiv_id, folder in _without_paper():
        with transaction.atomic():
            told = _mend(arxiv_id, folder)
        if told:
            yield told


def _mend(arxiv_id: str, folder: Path) -> str | None:
    """Mend one folder, under the write lock: a crawl may have stored its paper since it was looked at."""
    if Paper.objects.filter(arxiv_id=arxiv_id).exists():
        return None
    if _is_leftover(arxiv_id, folder):
        shutil.rmtree(folder, ignore_errors=True)
        return f"removed the folder of {arxiv_id}"
    meta = _meta(arxiv_id, folder)
    return _store(meta) if meta else None


def _without_paper() -> Iterator[tuple[str, Path]]:
    folders = list(paper_folders())
    for start in range(0, len(folders), _CHUNK):
        chunk = folders[start : start + _CHUNK]
        ids = [arxiv_id for arxiv_id, _folder in chunk]
        known = set(Paper.objects.filter(arxiv_id__in=ids).values_list("arxiv_id", flat=True))
        yield from (pair for pair in chunk if pair[0] not in known)


def _is_leftover(arxiv_id: str, folder: Path) -> bool:
    """Tell whether nothing is lost with a folder: its paper was deleted on purpose, or there is nothing in it."""
    return DeletedPaper.objects.filter(arxiv_id=arxiv_id).exists() or not any(folder.iterdir())


def _meta(arxiv_id: str, folder: Path) -> MetaFile | None:
    return read_meta(arxiv_id, read_object(folder / META_NAME))


def _store(meta: MetaFile) -> str:
    paper = store_meta(meta)
    quality = read_back(paper)
    return f"stored {meta.arxiv_id} again from its files, " + (
        f"with its summary ({quality})" if quality else "without a summary: it waits for one"
    )
