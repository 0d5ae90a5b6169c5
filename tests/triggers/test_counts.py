"""The counts of tags and authors: exact after any write, whoever wrote."""

import random
from collections import Counter

import pytest
from django.db import connection

from papers import triggers
from papers.models import AuthorCount, AuthorMonth, Paper, PaperAuthor, PaperTag, TagCount, TagMonth, TagSource
from papers.text import fold
from tests.factories import make_paper

pytestmark = pytest.mark.django_db

TAGS = ["Agents", "agents", "ＡＧＥＮＴＳ", "扩散模型", "扩散 模型", "RAG", ""]
NAMES = ["Ada Lovelace", "Alan Turing", "ada lovelace", "王小明"]
DAYS = ["2026-05-31", "2026-06-01", "2026-06-30", "2025-12-31"]


def counted() -> tuple[Counter, Counter, Counter, Counter]:
    """Return what the derived tables say."""
    return (
        Counter({row.folded: row.papers for row in TagCount.objects.all()}),
        Counter({(row.folded, str(row.month)): row.papers for row in TagMonth.objects.all()}),
        Counter({row.name: row.papers for row in AuthorCount.objects.all()}),
        Counter({(row.name, str(row.month)): row.papers for row in AuthorMonth.objects.all()}),
    )


def recounted() -> tuple[Counter, Counter, Counter, Counter]:
    """Return what the tables of papers say, counted row by row."""
    months = {paper.pk: f"{paper.paper_date:%Y-%m}-01" for paper in Paper.objects.all()}
    tags = {(row.paper_id, row.folded) for row in PaperTag.objects.exclude(folded="")}
    names = {(row.paper_id, row.name) for row in PaperAuthor.objects.all()}
    return (
        Counter(folded for _paper, folded in tags),
        Counter((folded, months[paper]) for paper, folded in tags),
        Counter(name for _paper, name in names),
        Counter((name, months[paper]) for paper, name in names),
    )


def add_tag(paper: int, tag: str, source: str) -> None:
    rows = [PaperTag(paper_id=paper, tag=tag, folded=fold(tag), source=source)]
    PaperTag.objects.bulk_create(rows, ignore_conflicts=True)


def rename_tag(paper: int, tag: str, source: str) -> None:
    row = PaperTag.objects.filter(paper_id=paper).first()
    taken = PaperTag.objects.filter(paper_id=paper, tag=tag, source=row.source).exists() if row else True
    if not taken:
        row.tag = tag
        row.save()


def take_tag(paper: int, tag: str, source: str) -> None:
    PaperTag.objects.filter(paper_id=paper, folded=fold(tag)).delete()


def rename_author(paper: int, name: str) -> None:
    if not PaperAuthor.objects.filter(paper_id=paper, name=name).exists():
        first = PaperAuthor.objects.filter(paper_id=paper).first()
        PaperAuthor.objects.filter(pk=first.pk if first else None).update(name=name)


@pytest.mark.parametrize("seed", range(5))
def test_counts_are_exact_after_any_writes(seed):
    lot = random.Random(seed)
    papers = [make_paper(authors=lot.sample(NAMES, 2), paper_date=lot.choice(DAYS)).pk for _ in range(6)]
    for _ in range(120):
        paper = lot.choice(papers)
        change = lot.randrange(8)
        if change < 3:
            add_tag(paper, lot.choice(TAGS), lot.choice(TagSource.values))
        elif change == 3:
            rename_tag(paper, lot.choice(TAGS), "hf")
        elif change == 4:
            take_tag(paper, lot.choice(TAGS), "hf")
        elif change == 5:
            Paper.objects.filter(pk=paper).update(paper_date=lot.choice(DAYS))
        elif change == 6:
            rename_author(paper, lot.choice(NAMES))
        elif len(papers) > 3:
            papers.remove(paper)
            with connection.cursor() as cursor:  # the database's own cascades
                cursor.execute("DELETE FROM papers WHERE id = %s", [paper])
        assert counted() == recounted()


def test_nothing_is_left_of_what_no_paper_has():
    make_paper(tags=["Agents"], authors=["Ada Lovelace"])
    assert (TagCount.objects.count(), AuthorMonth.objects.count()) == (1, 1)
    Paper.objects.all().delete()
    assert not any(counted())


def test_the_first_spelling_is_shown():
    make_paper(tags=["Diffusion Models"])
    make_paper(tags=["diffusion models"])
    assert TagCount.objects.get().tag == "Diffusion Models"
    refill()
    assert TagCount.objects.get().tag == "Diffusion Models"


def test_counts_are_filled_anew_where_triggers_were_missing():
    make_paper(tags=["Agents"])
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER tag_counts_insert")
    make_paper(tags=["agents", "AGENTS", "RAG"], paper_date="2025-01-31")
    assert counted() != recounted()
    triggers.install(using="default")
    assert counted() == recounted()


def refill() -> None:
    with connection.cursor() as cursor:
        cursor.execute("DROP TRIGGER tag_counts_insert")
    triggers.install(using="default")
