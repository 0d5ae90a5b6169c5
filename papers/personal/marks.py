"""What the owner has put on papers: asked in one query for a list, in one for a paper."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from papers.models import Paper, ReadingStatus
from papers.personal.note_version import note_version


@dataclass(frozen=True, slots=True)
class PersonalMarks:
    """What a card shows of the owner's: a paper without a status is unread."""

    is_bookmarked: bool = False
    status: str = ReadingStatus.UNREAD
    has_note: bool = False


@dataclass(frozen=True, slots=True)
class PersonalPaper:
    """All that the owner has put on one paper; texts are empty where there is none."""

    arxiv_id: str
    is_bookmarked: bool
    bookmark_note: str
    status: str
    note: str
    note_saved_at: datetime | None

    @property
    def note_version(self) -> str:
        """What a change of the note must be based on."""
        return note_version(self.note, self.note_saved_at)


def marks_of(arxiv_ids: Iterable[str]) -> dict[str, PersonalMarks]:
    """Return the marks of each of these papers that there is, in one query."""
    columns = ("arxiv_id", "bookmark__id", "reading_status__status", "note__id")
    rows = Paper.objects.filter(arxiv_id__in=list(arxiv_ids)).order_by().values_list(*columns)
    return {
        arxiv_id: PersonalMarks(bookmark is not None, status or ReadingStatus.UNREAD, note is not None)
        for arxiv_id, bookmark, status, note in rows
    }


def personal_paper(arxiv_id: str) -> PersonalPaper | None:
    """Return all of the owner's on one paper; None where there is no such paper."""
    columns = ("bookmark__id", "bookmark__note", "reading_status__status", "note__content", "note__updated_at")
    row = Paper.objects.filter(arxiv_id=arxiv_id).values_list(*columns).first()
    if row is None:
        return None
    bookmark, bookmark_note, status, note, saved_at = row
    return PersonalPaper(
        arxiv_id=arxiv_id,
        is_bookmarked=bookmark is not None,
        bookmark_note=bookmark_note or "",
        status=status or ReadingStatus.UNREAD,
        note=note or "",
        note_saved_at=saved_at,
    )
