"""The owner's own lists: filters, search, order, pages."""

import datetime as dt
import re

import pytest
from django.utils import timezone

from papers.models import UserBookmark, UserNote
from papers.personal import lists
from papers.personal.lists import PAGE_SIZE, own_list
from papers.personal.verbs import save_note, set_bookmark, set_reading_status
from tests.factories import make_paper, make_summary


def titles(name: str, **asked) -> list[str]:
    return [item.card.title_en for item in own_list(name, **asked).items]


def today() -> dt.date:
    return timezone.now().astimezone(dt.UTC).date()


@pytest.fixture
def library(db):
    """Four papers: an old one bookmarked last, one noted, one skimmed, one with nothing."""
    old = make_paper(title_en="Old", arxiv_id="1001.0001", paper_date=dt.date(2010, 1, 1), upvotes=1)
    noted = make_paper(title_en="Noted", arxiv_id="2606.00001", paper_date=dt.date(2026, 6, 1), upvotes=9)
    skimmed = make_paper(title_en="Skimmed", arxiv_id="2606.00002", paper_date=dt.date(2026, 6, 2), upvotes=3)
    make_paper(title_en="Nothing", arxiv_id="2606.00003")
    set_bookmark(noted.arxiv_id)
    set_bookmark(skimmed.arxiv_id, note="for the seminar")
    set_bookmark(old.arxiv_id)
    save_note(noted.arxiv_id, "an idea: 100%_sure")
    set_reading_status(skimmed.arxiv_id, "skimmed")
    set_reading_status(old.arxiv_id, "unread")


def test_each_list_has_its_own(library):
    assert titles("bookmarks") == ["Old", "Skimmed", "Noted"]
    assert titles("notes") == ["Noted"]
    assert titles("skimmed") == ["Skimmed"]
    assert titles("unread") == ["Old"]
    assert titles("read_full") == []


def test_orders(library):
    assert titles("bookmarks", sort="newest") == ["Skimmed", "Noted", "Old"]
    assert titles("bookmarks", sort="votes") == ["Noted", "Skimmed", "Old"]


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("idea", ["Noted"]),
        ("SEMINAR", ["Skimmed"]),
        ("seminar skim", ["Skimmed"]),
        ("seminar idea", []),
        ("100%_", ["Noted"]),
        ("%", ["Noted"]),
        ("1001.0001", ["Old"]),
        ("nothing", []),
        ("'\" OR 1=1 -- ( * \\", []),
        ("字" * 5000, []),
        ("   ", ["Old", "Skimmed", "Noted"]),
    ],
)
def test_search_looks_into_titles_and_ones_own_words(library, words, found):
    assert titles("bookmarks", words=words) == found


def test_search_finds_chinese(db):
    paper = make_paper()
    make_summary(paper, title_zh="稀疏注意力")
    set_bookmark(paper.arxiv_id)
    assert own_list("bookmarks", words="疏注").count == 1


def test_unread_of_this_week_is_of_seven_days_without_what_was_read(db):
    for days, votes, status in [
        (0, 1, None),
        (0, 5, "unread"),
        (6, 1, None),
        (7, 1, None),
        (1, 1, "skimmed"),
        (2, 1, "read_full"),
    ]:
        paper = make_paper(title_en=f"{days}/{votes}", paper_date=today() - dt.timedelta(days), upvotes=votes)
        if status:
            set_reading_status(paper.arxiv_id, status)
    assert titles("week") == ["0/5", "0/1", "6/1"]


def test_pages_are_bounded_and_one_beyond_the_last_is_the_last(db):
    for _ in range(PAGE_SIZE + 2):
        set_bookmark(make_paper().arxiv_id)
    assert len(own_list("bookmarks").items) == PAGE_SIZE
    last = own_list("bookmarks", page=10**6)
    assert (last.page, last.pages, len(last.items), last.count) == (2, 2, 2, PAGE_SIZE + 2)


def test_a_list_ends_somewhere_and_says_so(db, monkeypatch):
    monkeypatch.setattr(lists, "LONGEST", 3)
    for _ in range(4):
        set_bookmark(make_paper().arxiv_id)
    found = own_list("bookmarks")
    assert (found.count, found.is_capped) == (3, True)


class TestPage:
    def test_shows_ones_own_words_beside_the_card(self, owner, marked):
        html = owner.get("/mine/").content.decode()
        assert "PRIVATE-WORDS bookmark" in html and "PRIVATE-WORDS note" in html
        assert 'aria-pressed="true"' in html and '<meta name="robots" content="noindex">' in html

    def test_a_long_note_is_cut_and_escaped(self, owner, marked):
        UserNote.objects.update(content="<b>" + "字" * 1000)
        html = owner.get("/mine/?show=notes").content.decode()
        assert "&lt;b&gt;字字" in html and "字" * 300 not in html and "字…" in html

    @pytest.mark.parametrize("show", ["bookmarks", "notes", "week", "unread", "skimmed", "read_summary", "read_full"])
    def test_every_list_may_be_empty_and_says_what_to_do(self, owner, db, show):
        answer = owner.get(f"/mine/?show={show}")
        assert answer.status_code == 200 and 'class="empty"' in answer.content.decode()

    @pytest.mark.parametrize(
        "query",
        [
            "show=x",
            "sort=x",
            "page=x",
            "page=-1",
            "page=" + "9" * 5000,
            "q=" + "x" * 3000,
            "q=%00",
            "show=%ff",
            "show=&show=notes",
            "q=%F0%9F%A6%8A",
        ],
    )
    def test_odd_addresses_are_the_first_list(self, owner, marked, query):
        assert owner.get(f"/mine/?{query}").status_code == 200

    def test_pages_keep_the_filters(self, owner, db):
        for _ in range(PAGE_SIZE + 1):
            save_note(make_paper().arxiv_id, "a&b")
        html = owner.get("/mine/?show=notes&q=a%26b&sort=votes").content.decode()
        following = re.search(r'rel="next" href="([^"]+)"', html)[1].replace("&amp;", "&")
        assert following == "?show=notes&sort=votes&q=a%26b&page=2"
        assert owner.get(f"/mine/{following}").content.decode().count('class="paper-card"') == 1

    def test_a_deleted_paper_takes_its_marks_along(self, owner, marked):
        marked.delete()
        assert not UserBookmark.objects.exists() and owner.get("/mine/").status_code == 200
