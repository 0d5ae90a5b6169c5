"""Everything of the owner's as files."""

import datetime as dt
import json

import bibtexparser
import pytest
import rispy
from django.conf import settings
from django.db import connection
from django.test.utils import CaptureQueriesContext

from papers.models import UserBookmark, UserNote, UserReadingStatus
from papers.personal import bookmarked, export
from papers.personal.verbs import save_note, set_bookmark, set_reading_status
from tests.factories import make_paper

ODD = 'quotes " \\ </script> 𝒳 字 \u2028 | # not a heading\n```\n| table |'


def text_of(answer) -> str:
    return b"".join(answer.streaming_content).decode()


def test_the_json_gives_back_every_row(owner, marked):
    others = [make_paper() for _ in range(3)]
    save_note(others[0].arxiv_id, ODD)
    set_reading_status(others[1].arxiv_id, "unread")
    set_bookmark(others[2].arxiv_id)
    answer = owner.get("/mine/export/json/")
    assert answer.headers["Content-Disposition"].startswith('attachment; filename="papersite-')
    read = json.loads(text_of(answer))
    assert (read["format"], read["version"], len(read["papers"])) == ("papersite-personal", 1, 4)

    def rows(part: str, *columns: str) -> set[tuple]:
        times = {column for column in columns if column.endswith("_at")}
        found = ((paper["arxiv_id"], paper[part]) for paper in read["papers"] if paper[part])
        return {
            (key, *(dt.datetime.fromisoformat(row[c]) if c in times else row[c] for c in columns)) for key, row in found
        }

    assert rows("bookmark", "note", "created_at") == set(
        UserBookmark.objects.values_list("paper__arxiv_id", "note", "created_at")
    )
    assert rows("note", "content", "created_at", "updated_at") == set(
        UserNote.objects.values_list("paper__arxiv_id", "content", "created_at", "updated_at")
    )
    assert rows("reading_status", "status", "updated_at") == set(
        UserReadingStatus.objects.values_list("paper__arxiv_id", "status", "updated_at")
    )


def test_nothing_is_a_file_too(owner, db):
    assert json.loads(text_of(owner.get("/mine/export/json/")))["papers"] == []
    assert text_of(owner.get("/mine/export/markdown/")).startswith("# ")


def test_queries_are_bounded_by_pieces_and_not_by_papers(db, monkeypatch):
    monkeypatch.setattr(export, "_AT_ONCE", 10)
    for _ in range(25):
        save_note(make_paper().arxiv_id, "x")
    with CaptureQueriesContext(
        connection,
    ) as queries:
        assert len(json.loads("".join(export.as_json()))["papers"]) == 25
    assert len(queries) == 3 + 3


def test_the_markdown_says_it_all_and_titles_stay_titles(owner, marked):
    paper = make_paper(title_en="*Stars* [link](javascript:x) # <b>")
    save_note(paper.arxiv_id, "## my heading\n\ntext")
    text = text_of(owner.get("/mine/export/markdown/"))
    assert r"## \*Stars\* \[link\]\(javascript:x\) \# \<b\>" in text
    assert "## my heading\n\ntext" in text
    assert "PRIVATE\\-WORDS bookmark" in text and "PRIVATE-WORDS note" in text and "已读总结" in text


def test_the_markdown_is_in_the_language_of_the_reader_to_its_signs(owner, marked):
    owner.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
    text = text_of(owner.get("/mine/export/markdown/"))
    assert ": PRIVATE" in text and "Reading status: " in text and "：" not in text and "Bookmarks:" not in text


@pytest.mark.parametrize("name", ["xml", "", "JSON", "..", "bookmarks"])
def test_there_is_no_other_format(owner, db, name):
    assert owner.get(f"/mine/export/{name}/").status_code == 404


class TestBookmarks:
    @pytest.fixture
    def three(self, db):
        for number in range(3):
            set_bookmark(make_paper(title_en=f"Title {number}").arxiv_id, note="PRIVATE")
        make_paper(title_en="Not Mine")

    def test_reference_managers_can_read_them(self, owner, three):
        bibtex = owner.get("/mine/export/bookmarks/bibtex/")
        assert len(bibtexparser.parse_string(bibtex.content.decode()).entries) == 3
        assert len(rispy.loads(owner.get("/mine/export/bookmarks/ris/").content.decode())) == 3
        assert len(json.loads(owner.get("/mine/export/bookmarks/csljson/").content)) == 3
        assert 'filename="bookmarks.bib"' in bibtex.headers["Content-Disposition"]

    @pytest.mark.parametrize("name", ["bibtex", "ris", "csljson", "markdown", "csv"])
    def test_ones_own_words_are_not_in_what_is_passed_on(self, owner, three, name):
        text = owner.get(f"/mine/export/bookmarks/{name}/").content.decode().replace("{Title}", "Title")
        assert "Title 0" in text and "Title 2" in text and "Not Mine" not in text and "PRIVATE" not in text

    def test_many_are_several_files(self, owner, three, monkeypatch):
        monkeypatch.setattr(bookmarked, "MOST_PAPERS", 2)
        assert "/mine/export/bookmarks/bibtex/2/" in owner.get("/mine/").content.decode()
        assert "{Title} 0" in owner.get("/mine/export/bookmarks/bibtex/2/").content.decode()
        assert owner.get("/mine/export/bookmarks/bibtex/3/").status_code == 404

    @pytest.mark.parametrize("rest", ["xml/", "bibtex/0/", "bibtex/2/", "bibtex/" + "9" * 5000 + "/"])
    def test_there_is_no_other(self, owner, three, rest):
        assert owner.get(f"/mine/export/bookmarks/{rest}").status_code == 404

    def test_none_is_an_empty_file(self, owner, db):
        assert owner.get("/mine/export/bookmarks/bibtex/").status_code == 200
