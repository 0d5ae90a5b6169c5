"""`paper_changes` is told of everything that is shown of a paper, whoever writes, and outlives it."""

import pytest
from django.db import connection

from papers import triggers
from papers.models import Paper, PaperAuthor, PaperChange, PaperSummary, PaperTag, SummaryStatus
from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db


def run(statement: str, *parameters) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)


def newest() -> tuple[str, bool]:
    found = PaperChange.objects.order_by("-id").values_list("arxiv_id", "is_deleted").first()
    assert found is not None
    return found


@pytest.fixture
def paper() -> Paper:
    paper = make_paper(arxiv_id="2606.00001", tags=["agents"])
    make_summary(paper)
    make_paper(arxiv_id="2606.00002", tags=["other"])
    assert newest() == ("2606.00002", False)
    return paper


@pytest.mark.parametrize(
    "write",
    [
        "UPDATE papers SET upvotes = 77 WHERE id = %s",
        "UPDATE papers SET code_url = 'https://x.example' WHERE id = %s",
        "UPDATE paper_authors SET name = name || '!' WHERE paper_id = %s",
        "DELETE FROM paper_authors WHERE paper_id = %s",
        "INSERT OR IGNORE INTO paper_authors (paper_id, name) VALUES (%s, 'Zoe')",
        "INSERT OR IGNORE INTO paper_tags (paper_id, tag, folded, source) VALUES (%s, 'New', 'new', 'user')",
        "UPDATE paper_tags SET source = 'user' WHERE paper_id = %s AND tag = 'agents'",
        "DELETE FROM paper_tags WHERE paper_id = %s",
        "UPDATE paper_summaries SET full_json = '{}' WHERE paper_id = %s",
        "DELETE FROM paper_summaries WHERE paper_id = %s",
        "UPDATE summary_status SET status = 'pending' WHERE paper_id = %s",
        "DELETE FROM summary_status WHERE paper_id = %s",
    ],
)
def test_every_write_that_shows_makes_the_paper_the_newest_change(paper, write):
    run(write, paper.pk)
    assert newest() == ("2606.00001", False)
    assert PaperChange.objects.count() == 2


@pytest.mark.parametrize(
    "write",
    [
        "UPDATE papers SET upvotes = upvotes, meta_path = 'x', arxiv_checked_at = '2026-06-01' WHERE id = %s",
        "UPDATE summary_status SET lease_until = '2026-06-01', owner = 'host' WHERE paper_id = %s",
        "UPDATE paper_tags SET tag = tag WHERE paper_id = %s",
    ],
)
def test_what_nobody_is_told_of_is_no_change(paper, write):
    run(write, paper.pk)
    assert newest() == ("2606.00002", False)


def test_a_deletion_by_raw_sql_is_kept_and_a_paper_that_comes_back_is_none(paper):
    run("DELETE FROM papers WHERE id = %s", paper.pk)
    assert newest() == ("2606.00001", True)
    assert not PaperTag.objects.filter(paper_id=paper.pk).exists()
    make_paper(arxiv_id="2606.00001")
    assert newest() == ("2606.00001", False)


def test_an_id_that_is_corrected_is_one_deletion_and_one_paper(paper):
    run("UPDATE papers SET arxiv_id = '2606.00009' WHERE id = %s", paper.pk)
    newest_two = PaperChange.objects.order_by("-id").values_list("arxiv_id", "is_deleted")[:2]
    assert set(newest_two) == {("2606.00009", False), ("2606.00001", True)}


def test_numbers_are_never_given_again(paper):
    last = PaperChange.objects.order_by("-id").values_list("id", flat=True)[0]
    PaperChange.objects.all().delete()
    run("UPDATE papers SET upvotes = 78 WHERE id = %s", paper.pk)
    assert PaperChange.objects.get().pk > last


def test_what_was_written_without_triggers_is_noted_when_they_are_made_again(paper):
    for name in [name for name in triggers.installation._TRIGGERS if name.startswith("paper_changes")]:
        run(f"DROP TRIGGER {name}")
    for model in (PaperSummary, SummaryStatus, PaperTag, PaperAuthor):
        model.objects.filter(paper=paper).delete()
    run("DELETE FROM papers WHERE id = %s", paper.pk)
    make_paper(arxiv_id="2606.00003")
    assert triggers.miscounted() == ["paper_changes"]
    triggers.install(using="default")
    assert triggers.miscounted() == []
    assert PaperChange.objects.get(arxiv_id="2606.00001").is_deleted
    assert not PaperChange.objects.get(arxiv_id="2606.00003").is_deleted
