"""Backups taken while papers are added, summarised, edited and deleted by several at once."""

import datetime as dt
import json
import random
import sqlite3
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path

import pytest
from django.db import connection, transaction
from django.utils import timezone

from operations import states
from operations.deletion.batches import delete_batch
from operations.deletion.selection import Selection
from operations.files import RAW_NAME, SUMMARY_NAME, json_text, paper_folder, prepared, relative
from operations.meta_files import write_meta_files
from operations.models import DataDeleteJob, DayListing, RunState
from operations.owners import current_owner
from operations.states import ClaimLost, claim_next, due
from papers.models import Paper, UserNote
from papers.summary.reading import PaperFacts, check_summary
from papers.summary.storage import store_summary
from tests.backup.library import (
    DATABASE,
    archived_database,
    check_data,
    files_of,
    tables_of,
)
from tests.factories import DAY, SUMMARY, make_paper

# Changed by a restore, which closes the work that was going on and says so; all else comes back as it was archived.
SETTLED = ("crawl_logs", "summary_status", "task_locks", "data_delete_jobs")
BACKUPS = 5


class Load:
    """Threads that do what crawl, summaries, editors and deletion do, as fast as they can."""

    def __init__(self) -> None:
        self.over = threading.Event()
        self.done: dict[str, int] = {}
        self.errors: list[BaseException] = []

    @contextmanager
    def running(self) -> Iterator[None]:
        works = (self.crawl, self.summarise, self.summarise, self.note, self.delete)
        threads = [threading.Thread(target=self._repeat, args=(work, number)) for number, work in enumerate(works)]
        for thread in threads:
            thread.start()
        try:
            yield
        finally:
            self.over.set()
            for thread in threads:
                thread.join()

    def wait_for_more(self, summaries: int) -> None:
        """Wait until so many more summaries were made, and at least something of each other kind."""
        wanted, until = self.done.get("summarise", 0) + summaries, time.monotonic() + 60
        while self.done.get("summarise", 0) < wanted or len(self.done) < 4:
            assert not self.errors and time.monotonic() < until, (self.errors, self.done)
            time.sleep(0.05)

    def _repeat(self, work, number: int) -> None:
        luck = random.Random(number)
        try:
            while not self.over.is_set():
                work(luck)
                self.done[work.__name__] = self.done.get(work.__name__, 0) + 1
                time.sleep(luck.random() / 100)
        except BaseException as error:
            self.errors.append(error)
        finally:
            connection.close()

    def crawl(self, luck: random.Random) -> None:
        arxiv_id = f"26{luck.randrange(1, 99):02d}.{luck.randrange(100_000):05d}"
        if Paper.objects.filter(arxiv_id=arxiv_id).exists():
            return
        with transaction.atomic():
            add_paper_rows(arxiv_id, some_day(luck))
        with suppress(FileNotFoundError):  # its folder went with a deletion this moment
            write_meta_files([arxiv_id])

    def summarise(self, luck: random.Random) -> None:
        claim = claim_next(due())
        if claim is None:  # made once more, and every file of it replaced
            states.rerun(Paper.objects.order_by("?").values_list("pk", flat=True)[:5])
            return
        time.sleep(luck.random() / 50)  # the agent thinks
        with suppress(ClaimLost):
            store(claim, str(luck.random()))

    def note(self, luck: random.Random) -> None:
        with transaction.atomic():
            paper = Paper.objects.order_by("?").first()
            if paper:
                now = timezone.now()
                values = {"content": str(luck.random()), "created_at": now, "updated_at": now}
                UserNote.objects.update_or_create(paper=paper, defaults=values)

    def delete(self, luck: random.Random) -> None:
        time.sleep(0.3)
        day = some_day(luck)
        selection = Selection(day, day, include_notes=False)
        job = DataDeleteJob.objects.create(
            date_start=day, date_end=day, status=RunState.RUNNING, owner=current_owner(), started_at=timezone.now()
        )
        delete_batch(job, selection)
        DataDeleteJob.objects.filter(pk=job.pk).update(status=RunState.SUCCESS, completed_at=timezone.now())


def some_day(luck: random.Random) -> dt.date:
    """One of twenty days, so that a deletion takes a part of the papers."""
    return DAY + dt.timedelta(days=luck.randrange(20))


def add_paper_rows(arxiv_id: str, day: dt.date) -> None:
    """Store a paper; its file comes after the commit, as in a crawl."""
    paper = make_paper(arxiv_id=arxiv_id, paper_date=day, tags=["agents"], meta_path=f"papers/{arxiv_id}/meta.json")
    DayListing.objects.create(
        date=paper.paper_date, entry_key=arxiv_id, arxiv_id=arxiv_id, first_seen_at=timezone.now()
    )


def store(claim: states.Claim, mark: str) -> None:
    """Store a summary as an attempt does: the files are moved into place within the transaction."""
    paper = Paper.objects.filter(pk=claim.paper_id).first()
    if paper is None:
        return
    full = {**SUMMARY, "mark": mark}
    checked = check_summary(full, PaperFacts(paper.arxiv_id, paper.title_en))
    folder = paper_folder(paper.arxiv_id)
    with (
        prepared(folder / RAW_NAME, mark) as fresh_raw,
        prepared(folder / SUMMARY_NAME, json_text(checked.full)) as fresh_summary,
        transaction.atomic(),
    ):
        path = relative(folder / SUMMARY_NAME)
        store_summary(paper, checked, now=timezone.now(), source_version=None, summary_path=path)
        Paper.objects.filter(pk=paper.pk).update(raw_output_path=relative(folder / RAW_NAME))
        states.succeed(claim, checked.quality)
        fresh_raw.replace(folder / RAW_NAME)
        fresh_summary.replace(folder / SUMMARY_NAME)


@pytest.fixture
def backups_under_load(data_dir, transactional_db, back_up) -> list[Path]:
    """Backups one after the other, while everything is being changed."""
    luck = random.Random(7)
    with transaction.atomic():
        for number in range(300):
            add_paper_rows(f"2505.{number:05d}", some_day(luck))
    write_meta_files(f"2505.{number:05d}" for number in range(300))
    load, made = Load(), []
    with load.running():
        for _number in range(BACKUPS):
            load.wait_for_more(20)
            made.append(back_up().path)
    assert load.errors == []
    assert {"crawl", "summarise", "note", "delete"} == set(load.done)
    return made


@pytest.mark.slow
def test_each_backup_under_load_is_of_one_moment(backups_under_load, tmp_path_factory, restore_into):
    """Restored elsewhere, each is row by row its snapshot, whole, and in order by every check there is."""
    seen = set()
    for archive in backups_under_load:
        folder = tmp_path_factory.mktemp("restored")
        restore_into(archive, folder)
        snapshot = tables_of(archived_database(archive, folder / "archived"))
        restored = tables_of(folder / DATABASE)
        told = {"papers", "paper_changes"}
        for table in sorted(snapshot.keys() - set(SETTLED) - told):
            assert restored[table] == snapshot[table], table
        assert_same_papers(restored["papers"], snapshot["papers"])
        assert_changes_told(restored, snapshot)
        assert len(restored["summary_status"]) == len(snapshot["summary_status"]) == len(snapshot["papers"])
        assert check_data(folder) == "All is well.\n"
        assert_whole(folder)
        seen.add(len(snapshot["papers"]) + len(snapshot["paper_summaries"]))
    assert len(seen) > 1, "nothing changed between the backups"


def assert_same_papers(restored, snapshot):
    """Only the note of an output may differ: of one that was replaced before it was read."""
    column = [field.column for field in Paper._meta.local_concrete_fields].index("raw_output_path")
    for ours, theirs in zip(restored, snapshot, strict=True):
        assert ours[:column] + ours[column + 1 :] == theirs[:column] + theirs[column + 1 :]
        assert ours[column] in (theirs[column], None)


def assert_changes_told(restored, snapshot):
    """Mirrors are told of the papers that the restore itself settled, as of any change, and of no other."""
    ids = {row[0]: row[1] for row in snapshot["papers"]}
    with connection.cursor() as cursor:
        columns = [column.name for column in connection.introspection.get_table_description(cursor, "summary_status")]
    paper, status = columns.index("paper_id"), columns.index("status")
    states = [{(row[paper], row[status]) for row in tables["summary_status"]} for tables in (restored, snapshot)]
    settled = {ids[paper_id] for paper_id, _status in states[0] - states[1]}
    newest = max(row[0] for row in snapshot["paper_changes"])
    fresh = set(restored["paper_changes"]) - set(snapshot["paper_changes"])
    assert {row[1] for row in fresh} == settled
    assert all(row[0] > newest and not row[3] for row in fresh)
    assert len(restored["paper_changes"]) == len(snapshot["paper_changes"])


def assert_whole(folder: Path) -> None:
    """No paper is half-written: a summary has its state, its tags, its index row, and the output it was made of."""
    with closing(sqlite3.connect(folder / DATABASE)) as database:
        assert database.execute("PRAGMA foreign_key_check").fetchall() == []
        rows = database.execute(
            "SELECT p.id, p.arxiv_id, s.full_json, t.status, p.raw_output_path FROM paper_summaries s "
            "JOIN papers p ON p.id = s.paper_id JOIN summary_status t ON t.paper_id = p.id"
        ).fetchall()
        assert len(rows) == database.execute("SELECT count(*) FROM paper_summaries").fetchone()[0] > 0
        for paper_id, arxiv_id, full, status, raw_path in rows:
            tags = database.execute("SELECT count(*) FROM paper_tags WHERE paper_id = ? AND source = 'ai'", [paper_id])
            assert (status, tags.fetchone()[0]) == ("done", 2)
            index = database.execute("SELECT summary_text FROM papers_fts WHERE rowid = ?", [paper_id]).fetchone()
            assert index and index[0]
            if raw_path:  # the very output of this summary, not of another run
                assert (folder / raw_path).read_text() == json.loads(full)["mark"], arxiv_id
    files = set(files_of(folder))
    assert {name for name in files if name.endswith(RAW_NAME)} == {row[4] for row in rows if row[4]}
    assert {name for name in files if name.endswith(SUMMARY_NAME)} == {
        f"papers/{row[1]}/{SUMMARY_NAME}" for row in rows
    }
    assert not [name for name in files if name.endswith("unusable")]
