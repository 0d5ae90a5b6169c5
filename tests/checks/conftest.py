"""A library in order, and the command run as a person would."""

import io

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from operations.files import RAW_NAME, SUMMARY_NAME, json_text, paper_folder, relative, write_atomically
from operations.meta_files import write_meta_files
from operations.models import DayListing
from papers.models import Paper
from tests.factories import SUMMARY, make_paper, make_summary


class Result:
    """What a run printed, and how it ended."""

    def __init__(self, *options):
        out = io.StringIO()
        try:
            call_command("check_data", *options, stdout=out, stderr=io.StringIO())
            self.code = 0
        except CommandError as error:
            self.code = error.returncode
        self.text = out.getvalue()


@pytest.fixture
def check(data_dir, db):
    """Run `check_data`."""
    return lambda: Result()


@pytest.fixture
def repair(data_dir, db):
    """Run `check_data --repair`."""
    return lambda: Result("--repair")


@pytest.fixture
def in_order(data_dir, db):
    """Store a paper with all that belongs to it, as crawl and summary leave it."""

    def make(arxiv_id: str = "2605.00001", **columns) -> Paper:
        columns.setdefault("meta_path", f"papers/{arxiv_id}/meta.json")
        paper = make_paper(arxiv_id=arxiv_id, tags=["agents"], **columns)
        DayListing.objects.create(
            date=paper.paper_date, entry_key=arxiv_id, arxiv_id=arxiv_id, first_seen_at=paper.crawled_at
        )
        make_summary(paper)
        folder = paper_folder(arxiv_id)
        write_atomically(folder / SUMMARY_NAME, json_text(SUMMARY))
        write_atomically(folder / RAW_NAME, "raw")
        Paper.objects.filter(pk=paper.pk).update(
            summary_path=relative(folder / SUMMARY_NAME), raw_output_path=relative(folder / RAW_NAME)
        )
        paper.status.raw_output_saved = True
        paper.status.save()
        write_meta_files([arxiv_id])
        return Paper.objects.get(pk=paper.pk)

    return make


@pytest.fixture
def unchecked():
    """Run SQL as someone would who has turned foreign keys off; needs a test outside of a transaction."""

    def run(sql: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA foreign_keys = OFF")
            try:
                cursor.execute(sql)
            finally:
                cursor.execute("PRAGMA foreign_keys = ON")

    yield run
    # Django empties its own tables after such a test, and knows nothing of this one.
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM papers_fts")
