"""The backfill of all recorded days through the whole crawl, beside the same rows put in by bare SQL.

`python -m tests.bench.bench_crawl [DAYS]`
"""

import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.bench.harness import (
    RECORDED,
    milliseconds,
    print_table,
    recorded,
    say,
    spread,
    temporary_installation,
    write_results,
)

TABLES = ("papers", "paper_authors", "paper_tags", "summary_status", "day_listings", "crawl_logs", "task_locks")


@contextmanager
def replayed() -> Iterator[str]:
    """Play the recorded sources back and yield their address."""
    program = RECORDED.parent / "tools" / "replay" / "replay.py"
    process = subprocess.Popen(
        [sys.executable, str(program), "--port", "0", "--today", "2026-08-21"], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout
        yield process.stdout.readline().split()[0]
    finally:
        process.kill()
        process.communicate()


def rows_of(database: Path) -> dict[str, tuple[str, list[tuple]]]:
    """Return each table's INSERT statement and rows."""
    with sqlite3.connect(database) as connection:
        found = {}
        for table in TABLES:
            names = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            places = ", ".join("?" * len(names))
            found[table] = (
                f"INSERT INTO {table} ({', '.join(names)}) VALUES ({places})",
                connection.execute(f"SELECT {', '.join(names)} FROM {table}").fetchall(),
            )
        index = ("title_en", "title_zh", "abstract", "authors", "tags", "summary_text")
        found["papers_fts"] = (
            f"INSERT INTO papers_fts (rowid, {', '.join(index)}) VALUES (?, ?, ?, ?, ?, ?, ?)",
            connection.execute(f"SELECT rowid, {', '.join(index)} FROM papers_fts").fetchall(),
        )
    return found


def insert_bare(source: Path, target: Path, days: int) -> float:
    """Put the rows of `source` into an empty database with the same tables, in as many transactions as days."""
    tables = rows_of(source)
    with sqlite3.connect(source) as connection:
        schema = [
            sql
            for (sql,) in connection.execute(
                "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%' "
                "AND name NOT LIKE 'papers_fts_%' ORDER BY type = 'index'"
            )
        ]
    connection = sqlite3.connect(target, isolation_level=None)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=NORMAL")
    for sql in schema:
        connection.execute(sql)

    def insert() -> None:
        for day in range(days):
            connection.execute("BEGIN IMMEDIATE")
            for statement, rows in tables.values():
                connection.executemany(statement, rows[day::days])
            connection.execute("COMMIT")

    took = milliseconds(insert)
    connection.close()
    return took


def main() -> None:
    """Run the bench."""
    days = sorted(path.stem for path in recorded("hf_daily").glob("*.json"))
    days = days[: int(sys.argv[1])] if len(sys.argv) > 1 else days
    with replayed() as address:
        folder = temporary_installation(
            hf_url=f"{address}/hf", arxiv_url=f"{address}/arxiv", arxiv_api_url=f"{address}/arxiv"
        )
        import datetime as dt

        from operations.crawl import crawl_day
        from operations.models import DayListing
        from papers.models import Paper

        took, again = [], []
        for label, times in (("first", took), ("again", again)):
            began = time.perf_counter()
            for day in days:
                times.append(milliseconds(lambda day=day: crawl_day(dt.date.fromisoformat(day))))
            say(f"{label}: {len(days)} days in {time.perf_counter() - began:.1f} s")
        papers, listings = Paper.objects.count(), DayListing.objects.count()
        bare = insert_bare(folder / "papersite.sqlite3", folder / "bare.sqlite3", len(days))
        figures = {
            "crawl": {"seconds": round(sum(took) / 1000, 1), **spread(took)},
            "crawl again": {"seconds": round(sum(again) / 1000, 1), **spread(again)},
            "bare SQL": {"seconds": round(bare / 1000, 1), **spread([bare / len(days)])},
        }
        print_table(f"{len(days)} days, {papers} papers, {listings} entries; milliseconds a day", figures)
        write_results("crawl", {"days": len(days), "papers": papers, "entries": listings, **figures})


if __name__ == "__main__":
    main()
