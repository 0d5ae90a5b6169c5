"""What the owner does with papers: bookmark, note, reading status. Done twice, each is the same as done once.

Every verb takes the id of a paper without a version, is one short transaction, and raises UnknownPaper where there
is no such paper.
"""

from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from papers.models import Paper, ReadingStatus, UserBookmark, UserNote, UserReadingStatus
from papers.personal.errors import (
    BookmarkNoteTooLong,
    NoteConflict,
    NoteTooLong,
    TooLong,
    UnknownPaper,
    UnknownReadingStatus,
)
from papers.personal.note_version import note_version
from papers.text import one_line, without_controls

# Characters. A note of this length is a small book; a bookmark's note is a line.
LONGEST_NOTE = 100_000
LONGEST_BOOKMARK_NOTE = 1_000


@dataclass(frozen=True, slots=True)
class SavedNote:
    """A note as it is stored now; an empty text means that there is none, and then no time."""

    content: str
    saved_at: datetime | None

    @property
    def version(self) -> str:
        """What the next change must be based on."""
        return note_version(self.content, self.saved_at)


def set_bookmark(arxiv_id: str, *, note: str | None = None) -> UserBookmark:
    """Bookmark a paper, with a short note of the bookmark's own; None leaves the note as it is.

    Raises:
        BookmarkNoteTooLong: the note has more than LONGEST_BOOKMARK_NOTE characters.
    """
    text = None if note is None else _bounded(one_line(note), LONGEST_BOOKMARK_NOTE, BookmarkNoteTooLong)
    with transaction.atomic():
        created = {"created_at": timezone.now()}
        bookmark, _ = UserBookmark.objects.get_or_create(paper_id=_key(arxiv_id), defaults=created)
        if text is not None and text != (bookmark.note or ""):
            bookmark.note = text or None
            bookmark.save(update_fields=["note"])
    return bookmark


def remove_bookmark(arxiv_id: str) -> None:
    """Take the bookmark off a paper, with its note."""
    with transaction.atomic():
        UserBookmark.objects.filter(paper_id=_key(arxiv_id)).delete()


def save_note(arxiv_id: str, content: str, *, based_on: str | None = None) -> SavedNote:
    """Store the note on a paper; one without any text removes it.

    `based_on` is the version of the text that was changed; None overwrites whatever is stored. The same text based on
    the version that is stored is saved anew: whoever sends it means that nothing sent before it counts any more.

    Raises:
        NoteTooLong: it has more than LONGEST_NOTE characters.
        NoteConflict: another text is stored than `based_on` and than `content`.
    """
    text = _bounded(without_controls(content), LONGEST_NOTE, NoteTooLong)
    text = text if text.strip() else ""
    with transaction.atomic():
        paper_key = _key(arxiv_id)
        note = UserNote.objects.filter(paper_id=paper_key).first()
        stored = SavedNote(note.content, note.updated_at) if note else SavedNote("", None)
        is_same, is_based_on_it = text == stored.content, based_on == stored.version
        if is_same and not (note and is_based_on_it):
            return stored
        if based_on is not None and not is_based_on_it:
            raise NoteConflict(stored.content, stored.version)
        return _store_note(paper_key, note, text)


def remove_note(arxiv_id: str) -> None:
    """Remove the note on a paper, whatever it says."""
    save_note(arxiv_id, "")


def set_reading_status(arxiv_id: str, status: str) -> UserReadingStatus:
    """Set how far a paper has been read.

    Raises:
        UnknownReadingStatus: `status` is none of the four.
    """
    if status not in ReadingStatus.values:
        raise UnknownReadingStatus(status[:80])
    with transaction.atomic():
        return _store_status(_key(arxiv_id), status)


def mark_skimmed(arxiv_id: str) -> UserReadingStatus:
    """Set the status to `skimmed` where nothing or less was set; never lower it. Return the status as it is then."""
    with transaction.atomic():
        paper_key = _key(arxiv_id)
        stored = UserReadingStatus.objects.filter(paper_id=paper_key).first()
        if stored is not None and stored.status != ReadingStatus.UNREAD:
            return stored
        return _store_status(paper_key, ReadingStatus.SKIMMED)


def _key(arxiv_id: str) -> int:
    key = Paper.objects.filter(arxiv_id=arxiv_id).values_list("pk", flat=True).first()
    if key is None:
        raise UnknownPaper(arxiv_id)
    return key


def _bounded(text: str, longest: int, error: type[TooLong]) -> str:
    if len(text) > longest:
        raise error(len(text), longest)
    return text


def _store_note(paper_key: int, stored: UserNote | None, text: str) -> SavedNote:
    if not text:
        UserNote.objects.filter(paper_id=paper_key).delete()
        return SavedNote("", None)
    now = timezone.now()
    note = stored or UserNote(paper_id=paper_key, created_at=now)
    note.content, note.updated_at = text, now
    note.save()
    return SavedNote(text, now)


def _store_status(paper_key: int, status: str) -> UserReadingStatus:
    stored = UserReadingStatus.objects.filter(paper_id=paper_key).first()
    if stored is None:
        return UserReadingStatus.objects.create(paper_id=paper_key, status=status, updated_at=timezone.now())
    if stored.status != status:
        stored.status, stored.updated_at = status, timezone.now()
        stored.save(update_fields=["status", "updated_at"])
    return stored
