"""What arXiv says of papers that are stored here."""

import pytest
from django.db import connection

from operations.enrichment import store_records
from operations.sources.arxiv import ArxivRecord
from papers.models import Paper
from tests.factories import make_paper

pytestmark = pytest.mark.django_db


def record(paper: Paper, **columns) -> ArxivRecord:
    return ArxivRecord(**{"arxiv_id": paper.arxiv_id, "version": 1, "title": paper.title_en, **columns})


def test_a_paper_whose_source_said_that_it_was_withdrawn_stays_so_until_there_is_a_newer_version():
    paper = make_paper(is_withdrawn=True, version=1)
    store_records([record(paper, version=1)])
    assert Paper.objects.get().is_withdrawn
    store_records([record(paper, version=2)])
    assert not Paper.objects.get().is_withdrawn


def test_a_withdrawal_keeps_the_text_of_the_version_before():
    paper = make_paper(version=1, abstract="We show.")
    store_records([record(paper, version=2, is_withdrawn=True, abstract="This paper has been withdrawn.")])
    stored = Paper.objects.get()
    assert (stored.is_withdrawn, stored.version, stored.abstract) == (True, 2, "We show.")


def indexed_title(paper: Paper) -> str:
    with connection.cursor() as cursor:
        return cursor.execute("SELECT title_en FROM papers_fts WHERE rowid = %s", [paper.pk]).fetchone()[0]


@pytest.mark.parametrize(
    ("version", "title", "authors"),
    [(1, "Edited here", ["Ada"]), (2, "Renamed by its authors", ["Ada", "Bo"])],
    ids=["the same version", "a newer version"],
)
def test_only_a_newer_version_replaces_title_abstract_and_authors(version, title, authors):
    paper = make_paper(version=1, title_en="Edited here", abstract="Edited too.", authors=["Ada"])
    news = {"title": "Renamed by its authors", "abstract": "We show more.", "authors": ("Ada", "Bo")}
    store_records([record(paper, version=version, **news)])
    stored = Paper.objects.get()
    assert (stored.title_en, indexed_title(paper)) == (title, title)
    assert stored.abstract == ("We show more." if version == 2 else "Edited too.")
    assert [author.name for author in stored.authors.all()] == authors
