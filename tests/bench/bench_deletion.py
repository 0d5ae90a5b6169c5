"""Deletion of 6,500 papers, beside the same by bare SQL, and what another writer waits meanwhile, in one run.

`python -m tests.bench.bench_deletion [--library N] [--papers N] [--repeats N]`. The papers are real, with summaries,
15 tags and an index row each, in a library three times as large; each has three files. Bare SQL is one transaction of
a DELETE for each table and `rmtree` for each folder: it holds the write lock all the time, cannot be stopped or gone
on with, and waits for no summary.
"""

import argparse
import shutil
import sqlite3
import statistics
import threading
import time
from pathlib import Path
from typing import Any

from tests.bench.harness import (
    milliseconds,
    percentile,
    print_table,
    recorded,
    say,
    temporary_installation,
    write_results,
)

TAGS = 15
FILES = {"meta.json": 2_000, "summary.json": 4_000, "raw_output.txt": 5_000}
CHILDREN = (
    "user_bookmarks",
    "user_reading_status",
    "user_notes",
    "paper_summaries",
    "summary_status",
    "paper_authors",
    "paper_tags",
)


def build(papers: int, library: int) -> tuple[str, str]:
    """Fill the installation; return the first and the last day of a range that holds about so many papers."""
    from tests.bench.library import load_library

    load_library(recorded("scale"), library)
    first, last = spread_over_days(papers)
    add_tags()
    add_notes()
    from papers.search.index import rebuild

    rebuild()
    return first, last


def spread_over_days(papers: int) -> tuple[str, str]:
    """File papers out of the middle of the library, as they came, under days of their own, 250 a day."""
    import datetime as dt

    from papers.models import Paper

    ids = list(Paper.objects.order_by("pk").values_list("pk", flat=True))
    ids = ids[(len(ids) - papers) // 2 :][:papers]
    first = dt.date(2030, 1, 1)
    for start in range(0, papers, 250):
        day = first + dt.timedelta(days=start // 250)
        Paper.objects.filter(pk__in=ids[start : start + 250]).update(paper_date=day)
    return first.isoformat(), day.isoformat()


def add_tags() -> None:
    """Give each paper tags until it has as many as real ones."""
    from papers.models import Paper, PaperTag

    rows = [
        PaperTag(paper_id=paper_id, tag=f"topic {(paper_id * 31 + n * 977) % 5000}", folded=f"topic{n}", source="ai")
        for paper_id in Paper.objects.values_list("pk", flat=True)
        for n in range(TAGS - 2)
    ]
    PaperTag.objects.bulk_create(rows, batch_size=5000, ignore_conflicts=True)


def add_notes() -> None:
    """Let the owner have noted something on one paper of ten."""
    from django.utils import timezone

    from papers.models import Paper, UserNote, UserReadingStatus

    now = timezone.now()
    noted = list(Paper.objects.values_list("pk", flat=True))[::10]
    UserNote.objects.bulk_create(UserNote(paper_id=i, content="好", created_at=now, updated_at=now) for i in noted)
    UserReadingStatus.objects.bulk_create(
        UserReadingStatus(paper_id=i, status="skimmed", updated_at=now) for i in noted
    )


def write_files(folder: Path, first: str, last: str) -> list[Path]:
    """Give each paper of the range its files; return their folders."""
    from papers.models import Paper

    folders = []
    for arxiv_id in Paper.objects.filter(paper_date__range=(first, last)).values_list("arxiv_id", flat=True):
        place = folder / "papers" / arxiv_id
        place.mkdir(parents=True)
        for name, size in FILES.items():
            (place / name).write_bytes(b"x" * size)
        folders.append(place)
    return folders


class Waiter(threading.Thread):
    """Another writer: takes the write lock again and again, and notes for how long it waited each time."""

    def __init__(self, database: Path) -> None:
        super().__init__(daemon=True)
        self.database, self.waits, self.ended = database, [], threading.Event()

    def run(self) -> None:
        connection = sqlite3.connect(self.database, timeout=60, isolation_level=None)
        while not self.ended.wait(0.02):
            began = time.perf_counter()
            connection.execute("BEGIN IMMEDIATE")
            connection.execute("ROLLBACK")
            self.waits.append((time.perf_counter() - began) * 1000)
        connection.close()

    def __enter__(self) -> "Waiter":
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.ended.set()
        self.join()


def figures_of(seconds: list[float], cpu: list[float], waits: list[float], papers: int) -> dict[str, Any]:
    median = statistics.median(seconds)
    return {
        "seconds": round(median, 2),
        "cpu s": round(statistics.median(cpu), 2),
        "papers/s": round(papers / median),
        "wait p95 ms": round(percentile(waits, 95), 1),
        "wait max ms": round(max(waits), 1),
    }


def delete_bare(database: Path, folders: list[Path], first: str, last: str) -> float:
    connection = sqlite3.connect(database, isolation_level=None)
    for pragma in (
        "journal_mode=WAL",
        "synchronous=NORMAL",
        "temp_store=MEMORY",
        "cache_size=-20000",
        "foreign_keys=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")
    doomed = "(SELECT id FROM papers WHERE paper_date BETWEEN ? AND ?)"

    def delete() -> None:
        connection.execute("BEGIN IMMEDIATE")
        for table in CHILDREN:
            connection.execute(f"DELETE FROM {table} WHERE paper_id IN {doomed}", (first, last))
        connection.execute(f"DELETE FROM papers_fts WHERE rowid IN {doomed}", (first, last))
        connection.execute("DELETE FROM papers WHERE paper_date BETWEEN ? AND ?", (first, last))
        connection.execute("COMMIT")
        for folder in folders:
            shutil.rmtree(folder)

    took = milliseconds(delete) / 1000
    connection.close()
    return took


def delete_by_job(first: str, last: str) -> float:
    import datetime as dt

    from operations.deletion.run import delete_now
    from operations.models import DeletedPaper

    days = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
    began = time.perf_counter()
    job = delete_now(*days, include_notes=True, by=None)
    took = time.perf_counter() - began
    assert job.status == "success" and job.paper_count == DeletedPaper.objects.count(), job.error
    return took


def copy_database(source: Path, target: Path) -> None:
    for path in (target, target.with_name(f"{target.name}-wal"), target.with_name(f"{target.name}-shm")):
        path.unlink(missing_ok=True)
    with sqlite3.connect(source) as from_, sqlite3.connect(target) as to:
        from_.backup(to)
    to.close()
    from_.close()


def main() -> None:
    """Run the bench."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--library", type=int, default=20_000)
    parser.add_argument("--papers", type=int, default=6_500)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    recorded("scale")
    folder = temporary_installation()
    from django.db import connection

    from operations.deletion.counting import count_deletion

    database, pristine = folder / "papersite.sqlite3", folder / "pristine.sqlite3"
    first, last = build(options.papers, options.library)
    connection.close()
    copy_database(database, pristine)
    times: dict[str, list[float]] = {"bare SQL": [], "job": []}
    cpu: dict[str, list[float]] = {"bare SQL": [], "job": []}
    waits: dict[str, list[float]] = {"bare SQL": [], "job": []}
    counting = []
    for _ in range(options.repeats):
        for label in times:
            connection.close()
            copy_database(pristine, database)
            folders = write_files(folder, first, last)
            if label == "job":
                import datetime as dt

                days = dt.date.fromisoformat(first), dt.date.fromisoformat(last)
                counting.append(milliseconds(lambda days=days: count_deletion(*days, include_notes=False)))
            connection.close()
            began = time.process_time()
            with Waiter(database) as waiter:
                took = (
                    delete_bare(database, folders, first, last) if label == "bare SQL" else delete_by_job(first, last)
                )
            times[label].append(took)
            cpu[label].append(time.process_time() - began)
            waits[label] += waiter.waits
            assert not any(place.exists() for place in folders)
            say(f"{label}: {took:.2f} s")
    figures = {label: figures_of(times[label], cpu[label], waits[label], options.papers) for label in times}
    print_table(f"{options.papers} of {options.library} papers deleted", figures)
    say(f"counted before: {statistics.median(counting):.0f} ms")
    write_results("deletion", {"count_ms": round(statistics.median(counting)), **figures})


if __name__ == "__main__":
    main()
