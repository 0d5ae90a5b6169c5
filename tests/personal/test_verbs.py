"""What the owner does with papers: bookmark, note, reading status."""

import datetime as dt
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from papers.content import content_version
from papers.models import ReadingStatus, UserBookmark, UserNote, UserReadingStatus
from papers.personal.errors import (
    BookmarkNoteTooLong,
    NoteConflict,
    NoteTooLong,
    UnknownPaper,
    UnknownReadingStatus,
)
from papers.personal.verbs import (
    LONGEST_BOOKMARK_NOTE,
    LONGEST_NOTE,
    mark_skimmed,
    remove_bookmark,
    remove_note,
    save_note,
    set_bookmark,
    set_reading_status,
)
from tests.factories import make_paper


@pytest.fixture
def paper(db):
    return make_paper(arxiv_id="2606.50001")


def test_a_bookmark_is_set_once_and_keeps_its_day(paper):
    first = set_bookmark("2606.50001")
    assert set_bookmark("2606.50001").created_at == first.created_at
    assert UserBookmark.objects.count() == 1


def test_a_bookmarks_note_stays_until_another_is_given(paper):
    set_bookmark("2606.50001", note="  for the\nseminar ")
    set_bookmark("2606.50001")
    assert UserBookmark.objects.get().note == "for the seminar"
    set_bookmark("2606.50001", note="")
    assert UserBookmark.objects.get().note is None


def test_a_bookmarks_note_is_a_line_and_no_book(paper):
    with pytest.raises(BookmarkNoteTooLong):
        set_bookmark("2606.50001", note="x" * (LONGEST_BOOKMARK_NOTE + 1))
    assert not UserBookmark.objects.exists()


def test_a_bookmark_is_taken_off_once_or_twice(paper):
    set_bookmark("2606.50001")
    remove_bookmark("2606.50001")
    remove_bookmark("2606.50001")
    assert not UserBookmark.objects.exists()


def test_a_note_is_stored_as_it_was_written_without_what_nobody_can_see(paper):
    saved = save_note("2606.50001", "# Idea\r\n\r\n\x00  *two* lines \ud800")
    assert UserNote.objects.get().content == saved.content == "# Idea\n\n  *two* lines "


@pytest.mark.parametrize("blank", ["", "   \n\t ", "\x00"])
def test_an_empty_note_is_no_note(paper, blank):
    save_note("2606.50001", "something")
    saved = save_note("2606.50001", blank)
    assert (saved.content, saved.saved_at, saved.version) == ("", None, "")
    assert not UserNote.objects.exists()
    save_note("2606.50001", blank)


def test_a_note_is_removed_whatever_it_says(paper):
    save_note("2606.50001", "something")
    remove_note("2606.50001")
    remove_note("2606.50001")
    assert not UserNote.objects.exists()


def test_a_note_has_a_longest_length(paper):
    save_note("2606.50001", "字" * LONGEST_NOTE)
    with pytest.raises(NoteTooLong) as refused:
        save_note("2606.50001", "x" * (LONGEST_NOTE + 1))
    assert (refused.value.length, refused.value.longest) == (LONGEST_NOTE + 1, LONGEST_NOTE)
    assert UserNote.objects.get().content[0] == "字"


def test_saving_the_same_again_changes_nothing(paper):
    first = save_note("2606.50001", "text")
    assert save_note("2606.50001", "text") == first


class TestConflict:
    def test_what_another_page_wrote_is_not_overwritten(self, paper):
        base = save_note("2606.50001", "first").version
        save_note("2606.50001", "from the phone", based_on=base)
        with pytest.raises(NoteConflict) as conflict:
            save_note("2606.50001", "from the desk", based_on=base)
        assert conflict.value.stored == UserNote.objects.get().content == "from the phone"
        saved = save_note("2606.50001", "both", based_on=conflict.value.version)
        assert saved.content == UserNote.objects.get().content == "both"

    def test_a_first_note_is_no_overwriting_either(self, paper):
        save_note("2606.50001", "from the phone", based_on="")
        with pytest.raises(NoteConflict):
            save_note("2606.50001", "from the desk", based_on="")

    def test_a_note_removed_elsewhere_is_told(self, paper):
        base = save_note("2606.50001", "first").version
        save_note("2606.50001", "", based_on=base)
        with pytest.raises(NoteConflict) as conflict:
            save_note("2606.50001", "first and more", based_on=base)
        assert conflict.value.stored == ""

    def test_a_removal_does_not_remove_what_it_never_saw(self, paper):
        base = save_note("2606.50001", "first").version
        save_note("2606.50001", "second", based_on=base)
        with pytest.raises(NoteConflict):
            save_note("2606.50001", "", based_on=base)

    def test_a_save_sent_twice_is_no_conflict_with_itself(self, paper):
        base = save_note("2606.50001", "first").version
        save_note("2606.50001", "second", based_on=base)
        assert save_note("2606.50001", "second", based_on=base).content == "second"

    def test_a_save_that_comes_late_never_wins_over_a_newer_one(self, paper):
        base = save_note("2606.50001", "first").version
        newer = save_note("2606.50001", "third", based_on=base)
        with pytest.raises(NoteConflict):
            save_note("2606.50001", "second", based_on=base)
        save_note("2606.50001", "first", based_on=newer.version)
        with pytest.raises(NoteConflict):
            save_note("2606.50001", "second", based_on=base)
        assert UserNote.objects.get().content == "first"

    def test_a_text_taken_back_wins_over_what_was_sent_before_it(self, paper):
        base = save_note("2606.50001", "first").version
        assert save_note("2606.50001", "first", based_on=base).version != base
        with pytest.raises(NoteConflict):
            save_note("2606.50001", "second", based_on=base)

    @pytest.mark.django_db(transaction=True)
    def test_of_many_at_once_one_writes_and_the_others_are_told(self):
        make_paper(arxiv_id="2606.50001")

        def write(number: int) -> str | None:
            try:
                return save_note("2606.50001", f"text {number}", based_on="").content
            except NoteConflict:
                return None
            finally:
                connection.close()

        with ThreadPoolExecutor(4) as threads:
            written = list(filter(None, threads.map(write, range(8))))
        assert written == [UserNote.objects.get().content]


class TestReadingStatus:
    @pytest.mark.parametrize("status", ReadingStatus.values)
    def test_each_of_the_four_can_be_set_up_and_down(self, paper, status):
        set_reading_status("2606.50001", "read_full")
        set_reading_status("2606.50001", status)
        assert UserReadingStatus.objects.get().status == status

    @pytest.mark.parametrize("status", ["", "READ", "unread ", "x" * 10_000])
    def test_anything_else_is_refused(self, paper, status):
        with pytest.raises(UnknownReadingStatus):
            set_reading_status("2606.50001", status)
        assert not UserReadingStatus.objects.exists()

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            (None, "skimmed"),
            ("unread", "skimmed"),
            ("skimmed", "skimmed"),
            ("read_summary", "read_summary"),
            ("read_full", "read_full"),
        ],
    )
    def test_reading_to_the_end_only_raises(self, paper, before, after):
        if before:
            set_reading_status("2606.50001", before)
        assert mark_skimmed("2606.50001").status == UserReadingStatus.objects.get().status == after

    def test_the_same_again_keeps_its_time(self, paper):
        first = set_reading_status("2606.50001", "skimmed").updated_at
        assert set_reading_status("2606.50001", "skimmed").updated_at == first
        assert mark_skimmed("2606.50001").updated_at == first
        assert set_reading_status("2606.50001", "read_full").updated_at > first - dt.timedelta(1)


@pytest.mark.parametrize(
    "verb",
    [
        set_bookmark,
        remove_bookmark,
        remove_note,
        mark_skimmed,
        lambda i: save_note(i, "x"),
        lambda i: set_reading_status(i, "skimmed"),
    ],
)
def test_nothing_is_put_on_a_paper_that_is_not_there(db, verb):
    with pytest.raises(UnknownPaper):
        verb("2606.99999")


def test_what_public_pages_show_is_as_fresh_as_before(paper):
    before = content_version()
    set_bookmark("2606.50001", note="x")
    save_note("2606.50001", "x")
    set_reading_status("2606.50001", "read_full")
    remove_bookmark("2606.50001")
    remove_note("2606.50001")
    assert content_version() == before
