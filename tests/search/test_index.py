"""The index row of a paper: what it holds, when it is written, and what is found wrong with it."""

import json

import pytest
from django.db import connection, transaction

from papers.models import Paper, PaperAuthor, PaperSummary, PaperTag, TagSource, UserBookmark, UserNote
from papers.search.index import index_papers, index_problems, rebuild, remove_from_index
from papers.search.text import restore
from tests.factories import SUMMARY, make_paper, make_summary

pytestmark = pytest.mark.django_db


def stored(paper_id: int) -> dict[str, str] | None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM papers_fts WHERE rowid = %s", [paper_id])
        row = cursor.fetchone()
        names = [column[0] for column in cursor.description]
    return {name: restore(text) for name, text in zip(names, row, strict=True)} if row else None


def execute(sql: str, parameters=()) -> None:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)


def count_rows() -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM papers_fts")
        return cursor.fetchone()[0]


def test_a_new_paper_is_indexed_with_titles_abstract_authors_and_tags():
    paper = make_paper(title_en="A Title", abstract="An abstract.", authors=["B One", "A Two"], tags=["agents", "推理"])
    assert stored(paper.pk) == {
        "title_en": "A Title",
        "title_zh": "",
        "abstract": "An abstract.",
        "authors": "B One\nA Two",
        "tags": "agents\n推理",
        "summary_text": "",
    }


def prose(value) -> list[str]:
    if isinstance(value, str):
        return [value]
    return [text for each in (value.values() if isinstance(value, dict) else value) for text in prose(each)]


def test_all_prose_of_a_summary_is_indexed_and_nothing_else_of_it():
    paper = make_paper()
    make_summary(paper)
    indexed = stored(paper.pk)
    wanted = [SUMMARY["one_line"], *SUMMARY["prerequisites"]["concepts"]]
    for part in ("motivation", "method", "improvements"):
        wanted += prose(SUMMARY[part])
    wanted += SUMMARY["results"]["main_findings"] + SUMMARY["results"]["limitations"]
    assert sorted(indexed["summary_text"].split("\n")) == sorted(wanted)
    assert indexed["title_zh"] == SUMMARY["title_zh"]
    assert SUMMARY["tags"][0] in indexed["tags"]


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ('["一步", "两步"]', "一步\n两步"),
        ('["一步", 3, null, {"a": "b"}]', "一步"),
        ('{"concepts": ["注意力"], "level": "高"}', "注意力"),
        ("不是 JSON", "不是 JSON"),
        ("[" * 100_000, "[" * 100_000),
        ('"一段话"', "一段话"),
        ("null", ""),
        ("", ""),
        (None, ""),
        ("[1e999, NaN]", ""),
    ],
)
def test_odd_json_in_a_column_is_indexed_as_far_as_it_is_text(value, found):
    paper = make_paper()
    blank = {field.name: None for field in PaperSummary._meta.fields if field.null and field.name != "source_version"}
    make_summary(paper, **(blank | {"method_steps_json": value}))
    assert stored(paper.pk)["summary_text"] == found


def test_the_same_tag_from_two_sources_is_indexed_once():
    paper = make_paper(tags=["agents"])
    PaperTag.objects.create(paper=paper, tag="agents", source=TagSource.AI)
    index_papers([paper.pk])
    assert stored(paper.pk)["tags"] == "agents"


def test_bookmarks_and_notes_never_go_in():
    paper = make_paper()
    UserNote.objects.create(paper=paper, content="私密", created_at="2026-01-01T00:00Z", updated_at="2026-01-01T00:00Z")
    UserBookmark.objects.create(paper=paper, note="私密", created_at="2026-01-01T00:00Z")
    index_papers([paper.pk])
    assert "私密" not in " ".join(stored(paper.pk).values())


def test_the_row_follows_a_changed_title_tag_and_author():
    paper = make_paper(title_en="Old", tags=["old"])
    Paper.objects.filter(pk=paper.pk).update(title_en="New")
    PaperTag.objects.filter(paper=paper).update(tag="new")
    PaperAuthor.objects.filter(paper=paper, position=0).update(name="New Name")
    assert index_papers([paper.pk]) == 1
    row = stored(paper.pk)
    assert (row["title_en"], row["tags"], row["authors"]) == ("New", "new", "New Name\nAlan Turing")


def test_a_row_that_is_right_is_not_written_again():
    paper = make_paper()
    assert index_papers([paper.pk]) == 0


def test_ids_given_twice_unknown_or_gone_do_no_harm():
    paper = make_paper()
    gone = make_paper()
    execute("DELETE FROM papers WHERE id = %s", [gone.pk])
    index_papers(iter([paper.pk, paper.pk, gone.pk, 999_999]))
    remove_from_index([999_999])
    index_papers([])
    assert count_rows() == 1


def test_removed_papers_leave_no_row():
    first, second = make_paper(), make_paper()
    remove_from_index([first.pk])
    assert stored(first.pk) is None
    assert stored(second.pk)


@pytest.mark.django_db(transaction=True)
def test_the_row_is_rolled_back_with_the_caller():
    paper = make_paper(title_en="Before")
    with pytest.raises(RuntimeError), transaction.atomic():
        Paper.objects.filter(pk=paper.pk).update(title_en="After")
        index_papers([paper.pk])
        raise RuntimeError
    assert stored(paper.pk)["title_en"] == "Before"
    assert not index_problems()


def test_the_number_of_queries_does_not_grow_with_the_papers(django_assert_num_queries):
    papers = [make_paper(tags=["a", "b"]) for _ in range(30)]
    remove_from_index([paper.pk for paper in papers])
    # authors, tags, summaries, papers, the stored rows, one INSERT for all
    with django_assert_num_queries(6):
        index_papers([paper.pk for paper in papers])


def test_problems_name_missing_differing_and_orphaned_rows():
    missing, differing, orphan, right = (make_paper() for _ in range(4))
    remove_from_index([missing.pk])
    Paper.objects.filter(pk=differing.pk).update(abstract="Something else.")
    execute("DELETE FROM papers WHERE id = %s", [orphan.pk])
    problems = index_problems()
    assert (problems.missing, problems.differing, problems.orphans) == ((missing.pk,), (differing.pk,), (orphan.pk,))
    assert not problems.damage
    rebuild()
    assert not index_problems()
    assert stored(right.pk)


def test_a_rebuild_of_a_right_index_writes_nothing():
    for _ in range(3):
        make_paper()
    report = rebuild()
    assert (report.papers, report.written, report.removed, report.mended) == (3, 0, 0, False)


def test_a_rebuild_fills_an_empty_index_and_reports_progress(monkeypatch):
    monkeypatch.setattr("papers.search.index.CHUNK", 2)
    papers = [make_paper() for _ in range(5)]
    remove_from_index([paper.pk for paper in papers])
    steps: list[int] = []
    report = rebuild(steps.append)
    assert (report.papers, report.written, steps) == (5, 5, [2, 2, 1])
    assert not index_problems()


@pytest.mark.django_db(transaction=True)
def test_a_rebuild_that_was_stopped_goes_on(monkeypatch):
    monkeypatch.setattr("papers.search.index.CHUNK", 2)
    papers = [make_paper() for _ in range(6)]
    remove_from_index([paper.pk for paper in papers])

    def stop(_done: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        rebuild(stop)
    assert count_rows() == 2
    assert rebuild().written == 4
    assert not index_problems()


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    "damage",
    [
        "DELETE FROM papers_fts_data WHERE id > 10",
        "DELETE FROM papers_fts_data",
        "DELETE FROM papers_fts_content",
        "DELETE FROM papers_fts_docsize",
        "DROP TABLE papers_fts_data",
        "DROP TABLE papers_fts_content",
        "DROP TABLE papers_fts_docsize",
        "DROP TABLE papers_fts",
    ],
)
def test_damage_inside_the_index_is_noticed_and_mended(damage):
    paper = make_paper(title_en="Uniqueword")
    execute(damage)
    assert index_problems().damage
    assert rebuild().mended
    assert not index_problems()
    with connection.cursor() as cursor:
        cursor.execute("SELECT rowid FROM papers_fts WHERE papers_fts MATCH 'uniqueword'")
        assert cursor.fetchall() == [(paper.pk,)]


def test_text_that_no_index_can_carry_is_cleaned():
    paper = make_paper(title_en="A\x00B\x01C")
    assert stored(paper.pk)["title_en"] == "ABC"


def test_json_of_the_factory_is_what_the_index_reads():
    paper = make_paper()
    summary = make_summary(paper)
    assert json.loads(summary.prerequisites_json)["concepts"]
