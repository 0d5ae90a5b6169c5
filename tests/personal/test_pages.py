"""What the owner's forms do without a script, and what scripts are answered."""

import re

import pytest
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.models import UserBookmark, UserNote, UserReadingStatus
from papers.personal.marks import personal_paper
from papers.personal.verbs import LONGEST_NOTE, save_note
from tests.factories import DAY, make_paper, make_summary

JSON = {"Accept": "application/json"}
THERE = "2606.50001"
NOTE = f"/mine/papers/{THERE}/note/"


def version() -> str:
    """Return what a change of the note must be based on now."""
    return personal_paper(THERE).note_version


def test_a_click_bookmarks_and_leads_back_to_the_paper_in_its_list(owner, plain):
    address = "/mine/papers/hep-th/9901001/bookmark/"
    answer = owner.post(address, {"bookmark": "on", "next": f"/day/{DAY}/?sort=newest"})
    assert answer.status_code == 302
    assert answer.headers["Location"] == f"/day/{DAY}/?sort=newest#mine-hep-th/9901001"
    assert 'id="mine-hep-th/9901001"' in owner.get(f"/day/{DAY}/?sort=newest").content.decode()
    owner.post(address, {"bookmark": "off"})
    assert not UserBookmark.objects.exists()


@pytest.mark.parametrize(
    "target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "", "\\\\evil.example"]
)
def test_the_way_back_leads_to_no_other_site(owner, plain, target):
    answer = owner.post("/mine/papers/hep-th/9901001/status/", {"status": "skimmed", "next": target})
    assert answer.headers["Location"] == "/papers/hep-th/9901001/#mine-hep-th/9901001"


def test_the_button_says_what_it_is_and_does_the_other(owner, marked, plain):
    html = owner.get(f"/day/{DAY}/").content.decode()
    buttons = dict(re.findall(r'id="mine-([^"]+)".*?<button [^>]*name="bookmark" value="(on|off)"', html, re.S))
    assert buttons == {THERE: "off", "hep-th/9901001": "on"}


def test_in_english_the_button_is_no_list_of_bookmarks(owner, marked, plain):
    owner.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    html = owner.get(f"/day/{DAY}/").content.decode()
    assert "Bookmarks" not in re.findall(r'aria-hidden="true"></span>([^<]*)</button>', html) + re.findall(
        r"<dd>([^<]*)</dd>", html
    )


def test_the_status_at_hand_is_the_one_chosen(owner, marked, plain):
    html = owner.get(f"/day/{DAY}/").content.decode()
    chosen = dict(re.findall(r'id="mine-([^"]+)".*?<option value="(\w+)" selected>', html, re.S))
    assert chosen == {THERE: "read_summary", "hep-th/9901001": "unread"}


def test_a_script_is_told_how_it_stands_now(owner, marked):
    answer = owner.post(f"/mine/papers/{THERE}/status/", {"status": "read_full"}, headers=JSON)
    assert answer.json() == {"bookmarked": True, "bookmark_note": "PRIVATE-WORDS bookmark", "status": "read_full"}
    assert owner.post(f"/mine/papers/{THERE}/skimmed/", headers=JSON).json()["status"] == "read_full"
    answer = owner.post(f"/mine/papers/{THERE}/bookmark/", {"bookmark": "on", "bookmark_note": "again"}, headers=JSON)
    assert answer.json()["bookmark_note"] == UserBookmark.objects.get().note == "again"
    assert (
        owner.post(f"/mine/papers/{THERE}/bookmark/", {"bookmark": "off"}, headers=JSON).json()["bookmarked"] is False
    )


def test_a_bookmark_clicked_again_keeps_its_note(owner, marked):
    owner.post(f"/mine/papers/{THERE}/bookmark/", {"bookmark": "on"})
    assert UserBookmark.objects.get().note == "PRIVATE-WORDS bookmark"


@pytest.mark.parametrize("status", ["", "READ", "read\x00", "x" * 5000])
def test_a_status_that_is_none_is_refused_in_words(owner, marked, status):
    answer = owner.post(f"/mine/papers/{THERE}/status/", {"status": status})
    assert answer.status_code == 400 and "没有这种阅读状态" in answer.content.decode()
    assert (
        owner.post(f"/mine/papers/{THERE}/status/", {"status": status}, headers=JSON).json()["code"] == "unknown_status"
    )
    assert UserReadingStatus.objects.get().status == "read_summary"


class TestNote:
    def test_the_page_has_the_text_to_the_last_letter(self, owner, marked):
        save_note(THERE, "\n  <b>first line blank</b>\n</textarea>")
        html = owner.get(f"/papers/{THERE}/").content.decode()
        assert (
            'dir="auto" autocomplete="off" aria-describedby="note-help">\n\n  &lt;b&gt;first line blank&lt;/b&gt;\n&lt;/textarea&gt;</textarea>'
            in html
        )
        assert f'name="based_on" value="{version()}"' in html

    def test_a_form_saves_it(self, owner, marked):
        base = version()
        answer = owner.post(NOTE, {"content": "line\r\nline", "based_on": base, "next": f"/papers/{THERE}/"})
        assert answer.status_code == 302 and UserNote.objects.get().content == "line\nline"

    def test_a_script_is_told_the_new_version(self, owner, marked):
        told = owner.post(NOTE, {"content": "new", "based_on": version()}, headers=JSON).json()
        assert told == {"version": version(), "saved_at": UserNote.objects.get().updated_at.isoformat()}
        told = owner.post(NOTE, {"content": "", "based_on": version()}, headers=JSON).json()
        assert told == {"version": "", "saved_at": None} and not UserNote.objects.exists()

    def test_two_texts_are_both_shown_and_neither_is_written_over(self, owner, marked):
        answer = owner.post(NOTE, {"content": "from an <old> tab", "based_on": "older"})
        html = answer.content.decode()
        assert answer.status_code == 409
        assert "from an &lt;old&gt; tab" in html and "PRIVATE-WORDS note" in html
        assert UserNote.objects.get().content == "PRIVATE-WORDS note"
        base = re.search(r'name="based_on" value="(\w+)"', html)[1]
        owner.post(NOTE, {"content": "from an <old> tab", "based_on": base})
        assert UserNote.objects.get().content == "from an <old> tab"

    def test_a_script_is_given_both(self, owner, marked):
        answer = owner.post(NOTE, {"content": "x", "based_on": ""}, headers=JSON)
        told = {"code": "conflict", "content": "PRIVATE-WORDS note", "version": version()}
        assert (answer.status_code, answer.json()) == (409, told)

    def test_without_saying_what_it_is_based_on_nothing_is_written_over(self, owner, marked):
        assert owner.post(NOTE, {"content": "x"}, headers=JSON).status_code == 409

    def test_one_that_is_too_long_comes_back(self, owner, plain):
        address = "/mine/papers/hep-th/9901001/note/"
        answer = owner.post(address, {"content": "x" * (LONGEST_NOTE + 1)})
        assert answer.status_code == 413 and "x" * 1000 in answer.content.decode()
        assert owner.post(address, {"content": "x" * (LONGEST_NOTE + 1)}, headers=JSON).json()["code"] == "too_long"
        assert not UserNote.objects.exists()


class TestQueries:
    """A list costs the owner a bounded number of queries too."""

    def test_the_page_of_a_paper_asks_once_for_all_that_is_on_it(self, owner, marked):
        for number in range(3):
            make_summary(make_paper(tags=["a"], title_en=f"A Marked Paper {number}"))
        with CaptureQueriesContext(connection) as queries:
            html = owner.get(f"/papers/{THERE}/").content.decode()
        assert html.count("PRIVATE-WORDS note") == 2 and "PRIVATE-WORDS bookmark" in html
        assert sum("user_notes" in query["sql"] for query in queries) == 1
        assert len(queries) <= 12

    @pytest.mark.parametrize("number", [2, 40])
    def test_pages_with_the_owners_marks(self, owner, db, django_assert_max_num_queries, number):
        for place in range(number):
            paper = make_paper(authors=[f"Author {name}" for name in range(9)], tags=["a", "b"])
            if place % 2:
                make_summary(paper)
            owner.post(f"/mine/papers/{paper.arxiv_id}/bookmark/", {"bookmark": "on"})
            owner.post(f"/mine/papers/{paper.arxiv_id}/note/", {"content": "x"})
        for address in (
            f"/day/{DAY}/",
            "/",
            paper.get_absolute_url(),
            "/mine/",
            "/mine/?show=notes&q=x&sort=votes",
            "/mine/?show=week",
        ):
            with django_assert_max_num_queries(12):
                owner.get(address)
