"""What a deletion would take: counted before anyone is asked to confirm it."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from operations.deletion.selection import CHUNK, Selection
from operations.disk_use import file_sizes
from operations.files import paper_folder, temporary_folder
from papers.arxiv_ids import is_arxiv_id
from papers.models import UserBookmark, UserNote, UserReadingStatus


@dataclass(frozen=True)
class DeletionCount:
    """What would be deleted with `papers` papers; `kept` more stay, and `busy` of them are being summarised now.

    `files` and `bytes` are of the papers' folders: readable copies and downloads. The index and the tables are not
    counted; the database file does not shrink, its room is used again.
    """

    papers: int
    kept: int
    notes: int
    bookmarks: int
    reading_statuses: int
    files: int
    bytes: int
    busy: int


def count_deletion(first: dt.date, last: dt.date, *, include_notes: bool) -> DeletionCount:
    """Count what a deletion of the papers filed under `first` to `last` would take; nothing is changed.

    Raises:
        operations.deletion.selection.RangeReversed: `first` is after `last`.
    """
    selection = Selection(first, last, include_notes)
    doomed = selection.doomed()
    files, size = _files_of(doomed.order_by().values_list("arxiv_id", flat=True).iterator(CHUNK))
    return DeletionCount(
        papers=doomed.count(),
        kept=selection.kept().count(),
        notes=UserNote.objects.filter(paper__in=doomed).count(),
        bookmarks=UserBookmark.objects.filter(paper__in=doomed).count(),
        reading_statuses=UserReadingStatus.objects.filter(paper__in=doomed).count(),
        files=files,
        bytes=size,
        busy=len(selection.in_work()),
    )


def _files_of(arxiv_ids: Iterator[str]) -> tuple[int, int]:
    """Return how many files these papers have, and their bytes."""
    files = size = 0
    for arxiv_id in filter(is_arxiv_id, arxiv_ids):  # no other id has a folder
        for folder in (paper_folder(arxiv_id), temporary_folder(arxiv_id)):
            for file_size in file_sizes(folder):
                files += 1
                size += file_size
    return files, size
