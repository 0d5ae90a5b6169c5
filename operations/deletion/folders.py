"""The folders of papers that are being deleted: moved aside with their rows, removed when these are gone for good.

Moving is quick, and is done within the transaction that deletes the rows, under the write lock. So whoever holds that
lock later can tell for each folder that stands aside what it is: its paper is gone, then it is rubbish; its paper is
there, then the transaction was never committed, and the folder goes back.
"""

import contextlib
import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from django.conf import settings
from django.db import transaction

from operations.deletion.selection import CHUNK
from operations.files import folders_of_papers, paper_folder, remove_temporary, temporary_folder
from operations.models import DeletedPaper
from operations.owners import current_owner, is_dead
from papers.arxiv_ids import is_arxiv_id
from papers.models import Paper

# What a paper has under DATA_DIR. Readable copies go back where a deletion was not committed; downloads do not.
_KINDS = ("papers", "tmp")


def _aside() -> Path:
    """Return where folders stand aside: beside the others, so that moving is a rename, under a name that is no id."""
    return settings.PAPERSITE.data_dir / "papers" / ".deleted"


@contextlib.contextmanager
def put_aside() -> Iterator[Path]:
    """Yield a fresh folder to move folders to, and settle what stands in it when the block has ended, however."""
    _aside().mkdir(parents=True, exist_ok=True)
    here = Path(tempfile.mkdtemp(prefix=f"{current_owner()}~", dir=_aside()))
    for kind in _KINDS:
        (here / kind).mkdir()
    try:
        yield here
    except BaseException:
        _settle(here)
        raise
    shutil.rmtree(here, ignore_errors=True)


def move_aside(arxiv_ids: Iterable[str], here: Path) -> None:
    """Move the folders of these papers to `here`; call it within the transaction that deletes the papers."""
    papers, downloads = (settings.PAPERSITE.data_dir / kind for kind in _KINDS)
    papers_aside, downloads_aside = (here / kind for kind in _KINDS)
    for arxiv_id in filter(is_arxiv_id, arxiv_ids):  # no other id has a folder, and one could climb out of this one
        _move(f"{papers}/{arxiv_id}", f"{papers_aside}/{arxiv_id}")
        try:
            _move(f"{downloads}/{arxiv_id}", f"{downloads_aside}/{arxiv_id}")
        except OSError:
            remove_temporary(arxiv_id)  # on another disk; nothing is lost with downloads in any case


def _move(folder: str, target: str) -> None:
    """Move one folder, if it is there; texts, since everyone else waits to write while thousands of paths are made."""
    try:
        os.rename(folder, target)  # noqa: PTH104
    except FileNotFoundError:
        if Path(folder).exists():
            Path(target).parent.mkdir()  # the archive of an old id, such as hep-th
            Path(folder).rename(target)


def left_aside(*, only_of_the_dead: bool) -> list[Path]:
    """Return the folders that hold what deletions moved aside; only those of processes that died, or all."""
    found = sorted(here for here in _aside().iterdir() if here.is_dir()) if _aside().is_dir() else []
    return [here for here in found if not only_of_the_dead or is_dead(here.name.rpartition("~")[0])]


def settle(*, only_of_the_dead: bool) -> int:
    """Put back or remove what deletions left aside when they were killed; return of how many papers.

    Whoever holds the lock of all deletions may settle what stands there whoever put it there; anyone else only what
    was put there by a process that died.
    """
    return sum(map(_settle, left_aside(only_of_the_dead=only_of_the_dead)))


def _settle(here: Path) -> int:
    folders = list(folders_of_papers(here / "papers"))
    for start in range(0, len(folders), CHUNK):
        with transaction.atomic():
            chunk = dict(folders[start : start + CHUNK])
            for arxiv_id in Paper.objects.filter(arxiv_id__in=chunk).values_list("arxiv_id", flat=True):
                _put_back(chunk[arxiv_id], paper_folder(arxiv_id))
    shutil.rmtree(here, ignore_errors=True)
    return len(folders)


def _put_back(folder: Path, place: Path) -> None:
    """Move a folder back; where there is a new one already, only what that lacks."""
    place.mkdir(parents=True, exist_ok=True)
    for path in folder.iterdir():
        if not (place / path.name).exists():
            path.rename(place / path.name)


def remove_of_deleted(arxiv_ids: Iterable[str]) -> int:
    """Remove what was written of these papers after they were deleted; return of how many there was anything.

    A crawl or a summary that had read a paper before its deletion may write its files after it.
    """
    wanted, removed, top = list(filter(is_arxiv_id, arxiv_ids)), 0, settings.PAPERSITE.data_dir / "papers"
    for start in range(0, len(wanted), CHUNK):
        present = [arxiv_id for arxiv_id in wanted[start : start + CHUNK] if os.path.isdir(f"{top}/{arxiv_id}")]  # noqa: PTH112
        gone = set(present) - _stored(present)
        if gone:
            removed += _remove_of_deleted(gone)
    return removed


def _stored(arxiv_ids: Iterable[str]) -> set[str]:
    return set(Paper.objects.filter(arxiv_id__in=list(arxiv_ids)).values_list("arxiv_id", flat=True))


def _remove_of_deleted(arxiv_ids: set[str]) -> int:
    """Look again and remove under the write lock: a crawl by hand that brings a paper back writes its files later."""
    with transaction.atomic():
        deleted = DeletedPaper.objects.filter(arxiv_id__in=arxiv_ids - _stored(arxiv_ids))
        gone = list(deleted.values_list("arxiv_id", flat=True))
        for arxiv_id in gone:
            shutil.rmtree(paper_folder(arxiv_id), ignore_errors=True)
    return len(gone)


def remove_empty_folders(arxiv_ids: Iterable[str]) -> None:
    """Remove the folders of archives, such as `papers/hep-th`, that have no paper left, and where folders stood aside.

    Call it as the holder of the lock of all deletions, at the end.
    """
    old = [arxiv_id for arxiv_id in arxiv_ids if "/" in arxiv_id and is_arxiv_id(arxiv_id)]
    archives = {folder_of(arxiv_id).parent for arxiv_id in old for folder_of in (paper_folder, temporary_folder)}
    for folder in (*archives, _aside()):
        with contextlib.suppress(OSError):
            folder.rmdir()
