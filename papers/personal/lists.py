"""The owner's own lists: what is bookmarked, noted, read, and what of this week is still unread.

A list is made of the newest LONGEST marks: they are found by an index, and searched and sorted among themselves, so
that nothing of it grows with the library. Private texts stay out of the search index.
"""

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Q, QuerySet
from django.db.models.functions import Substr
from django.utils import timezone

from papers.models import Paper, ReadingStatus, UserBookmark, UserNote, UserReadingStatus
from papers.queries.cards import PaperCard, cards_by_id

LONGEST = 5_000
PAGE_SIZE = 25
# Characters of a note that a list shows.
NOTE_START = 280
WEEK = dt.timedelta(days=7)
BOOKMARKS, NOTES, UNREAD_OF_WEEK = "bookmarks", "notes", "week"
LISTS = (BOOKMARKS, NOTES, UNREAD_OF_WEEK, *ReadingStatus.values)
SORTS = ("marked", "newest", "votes")
# What is searched for: this many words at most, each of them somewhere in the titles or in one's own words.
_MOST_WORDS = 8
_SEARCHED = ("title_zh", "title_en", "arxiv_id", "note__content", "bookmark__note")


@dataclass(frozen=True, slots=True)
class ListItem:
    """A paper in a list, with the owner's own words on it."""

    card: PaperCard
    bookmark_note: str
    note_start: str


@dataclass(frozen=True, slots=True)
class OwnList:
    """One page of a list; pages are counted from 1."""

    items: tuple[ListItem, ...]
    page: int
    count: int
    is_capped: bool

    @property
    def pages(self) -> int:
        """How many pages there are."""
        return max(1, -(-self.count // PAGE_SIZE))


def own_list(name: str, *, words: str = "", sort: str = "marked", page: int = 1) -> OwnList:
    """Return page `page`, or the last there is, of the list `name` (one of LISTS), sorted by one of SORTS."""
    ids = _marked(name)
    is_capped = len(ids) == LONGEST
    if words.strip():
        ids = _with_words(ids, words)
    if sort != "marked":
        ids = _sorted(ids, sort)
    shown = min(page, max(1, -(-len(ids) // PAGE_SIZE)))
    items = _items(ids[(shown - 1) * PAGE_SIZE : shown * PAGE_SIZE])
    return OwnList(items, shown, len(ids), is_capped)


def _marked(name: str) -> list[int]:
    """Return the ids of the papers of a list, the one marked last first; of the week, the newest day first."""
    rows: QuerySet
    if name == UNREAD_OF_WEEK:
        return list(_unread_of_week().values_list("pk", flat=True)[:LONGEST])
    if name == BOOKMARKS:
        rows = UserBookmark.objects.order_by("-created_at", "-pk")
    elif name == NOTES:
        rows = UserNote.objects.order_by("-updated_at", "-pk")
    else:
        rows = UserReadingStatus.objects.filter(status=name).order_by("-updated_at", "-pk")
    return list(rows.values_list("paper_id", flat=True)[:LONGEST])


def _unread_of_week() -> QuerySet[Paper]:
    first = timezone.now().astimezone(dt.UTC).date() - WEEK + dt.timedelta(days=1)
    is_unread = Q(reading_status__isnull=True) | Q(reading_status__status=ReadingStatus.UNREAD)
    return Paper.objects.filter(is_unread, paper_date__gte=first).order_by("-paper_date", "-upvotes", "pk")


def _with_words(ids: Sequence[int], words: str) -> list[int]:
    papers = Paper.objects.filter(pk__in=ids).order_by()
    for word in words.split()[:_MOST_WORDS]:
        anywhere = Q()
        for column in _SEARCHED:
            anywhere |= Q(**{f"{column}__icontains": word})
        papers = papers.filter(anywhere)
    found = set(papers.values_list("pk", flat=True))
    return [paper_id for paper_id in ids if paper_id in found]


def _sorted(ids: Sequence[int], sort: str) -> list[int]:
    # Sorted here: an index of all papers in that order would tempt the database to walk through them.
    rows = Paper.objects.filter(pk__in=ids).order_by().values_list("pk", "paper_date", "upvotes")
    keys = {pk: (day, votes or 0) if sort == "newest" else (votes or 0, day) for pk, day, votes in rows}
    return sorted(keys, key=lambda pk: (keys[pk], pk), reverse=True)


def _items(ids: Sequence[int]) -> tuple[ListItem, ...]:
    cards = cards_by_id(ids)
    own = Paper.objects.filter(pk__in=ids).order_by().annotate(start=Substr("note__content", 1, NOTE_START + 1))
    words = {
        pk: (bookmark or "", start or "") for pk, bookmark, start in own.values_list("pk", "bookmark__note", "start")
    }
    return tuple(ListItem(card, *_shortened(words.get(pk, ("", "")))) for pk, card in cards.items())


def _shortened(words: tuple[str, str]) -> tuple[str, str]:
    bookmark, start = words
    return bookmark, f"{start[:NOTE_START]}…" if len(start) > NOTE_START else start
