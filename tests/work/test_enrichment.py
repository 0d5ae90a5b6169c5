"""What arXiv says of papers that are stored here."""

import pytest

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
