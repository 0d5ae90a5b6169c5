"""Backup and restore of a library, beside what they cannot be quicker than: SQLite's copy, tar and gzip alone.

`python -m tests.bench.bench_backup [PAPERS]`, by default 6,500 papers, each with a summary and three files.
"""

import os
import shutil
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from tests.bench.harness import print_table, recorded, say, temporary_installation, write_results

folder = temporary_installation()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.db.models import F, Value  # noqa: E402
from django.db.models.functions import Concat  # noqa: E402

from operations.backup.archive import read_archive  # noqa: E402
from operations.backup.making import make_backup  # noqa: E402
from operations.backup.manifest import Origin  # noqa: E402
from operations.backup.restoring import restore_backup  # noqa: E402
from operations.checks import CHECKS  # noqa: E402
from operations.files import RAW_NAME, SUMMARY_NAME, paper_folder  # noqa: E402
from operations.meta_files import write_meta_files  # noqa: E402
from papers.models import Paper, PaperSummary, SummaryStatus  # noqa: E402
from papers.search.index import rebuild  # noqa: E402
from tests.bench.library import load_library  # noqa: E402


def fill(papers: int) -> None:
    """Store the papers with their summaries, index rows and files."""
    load_library(recorded("scale"), papers)
    rebuild()
    write_meta_files(Paper.objects.values_list("arxiv_id", flat=True))
    for arxiv_id, full in PaperSummary.objects.values_list("paper__arxiv_id", "full_json").iterator():
        (paper_folder(arxiv_id) / SUMMARY_NAME).write_text(full, "utf-8")
        (paper_folder(arxiv_id) / RAW_NAME).write_text(f"```json\n{full}\n```\n", "utf-8")
    beginning = Concat(Value("papers/"), F("arxiv_id"), Value("/"))
    Paper.objects.update(
        meta_path=Concat(beginning, Value("meta.json")),
        summary_path=Concat(beginning, Value(SUMMARY_NAME)),
        raw_output_path=Concat(beginning, Value(RAW_NAME)),
    )
    SummaryStatus.objects.update(raw_output_saved=True)


def seconds(work: Callable[[], Any]) -> dict[str, float]:
    """Return how long one call takes, by the clock and by this process's and its children's processors."""
    began, used = time.perf_counter(), os.times()
    work()
    now = os.times()
    processors = sum(now[:4]) - sum(used[:4])
    return {"seconds": round(time.perf_counter() - began, 2), "cpu": round(processors, 2)}


def copy_database(target: Path) -> None:
    """Copy the database as SQLite's own shell would."""
    with closing(sqlite3.connect(folder / "papersite.sqlite3")) as source, closing(sqlite3.connect(target)) as copy:
        source.backup(copy)


def shell(command: str) -> Callable[[], Any]:
    """Return a call of a shell command in the data folder."""
    return lambda: subprocess.run(command, shell=True, cwd=folder, check=True)


def restore_into(archive: Path, data_dir: Path) -> None:
    """Restore into another data folder."""
    outside = settings.PAPERSITE
    settings.PAPERSITE = outside.model_copy(update={"data_dir": data_dir})
    try:
        restore_backup(archive)
    finally:
        settings.PAPERSITE = outside


def check(data_dir: Path) -> None:
    """Say how much is wrong with a restored library, the accounts of days aside: the bench has no listings."""
    from operations.backup.staging import working_in

    with working_in(data_dir):
        wrong = [str(problem) for check in CHECKS.values() for problem in check.problems()]
    say(f"{len(wrong)} problems after the restore" + "".join(f"\n  {line}" for line in wrong[:3]))


def measure(papers: int) -> dict[str, dict[str, float]]:
    """Fill a library and measure on it."""
    with_filling = seconds(lambda: fill(papers))
    say(f"A library of {Paper.objects.count()} papers, made in {with_filling['seconds']} s")
    connection.close()
    work = folder / "backups"  # where a backup may lie among the data
    work.mkdir()
    archive, restored, unpacked = work / "backup.tar.gz", work / "restored", work / "unpacked"
    restored.mkdir()
    unpacked.mkdir()
    rows = {
        "SQLite's copy alone": seconds(lambda: copy_database(work / "copy.sqlite3")),
        "tar of papers/ alone": seconds(shell("tar -cf backups/papers.tar papers")),
        "tar of both | gzip -1": seconds(shell("tar -c papersite.sqlite3 papers | gzip -1 > backups/plain.tar.gz")),
        "backup": seconds(lambda: make_backup(archive, origin=Origin.COMMAND)),
        "  of it reading back": seconds(lambda: read_archive(archive)),
        "tar -xzf and sync": seconds(shell("tar -xzf backups/backup.tar.gz -C backups/unpacked && sync")),
        "restore": seconds(lambda: restore_into(archive, restored)),
    }
    check(restored)
    sizes(archive, restored)
    shutil.rmtree(work)
    return rows


def sizes(archive: Path, restored: Path) -> None:
    """Say how large everything is."""
    database = (restored / "papersite.sqlite3").stat().st_size
    files = [path.stat().st_size for path in (restored / "papers").rglob("*") if path.is_file()]
    packed = archive.stat().st_size
    say(
        f"database {database / 1e6:.1f} MB, {len(files)} files of {sum(files) / 1e6:.1f} MB, "
        f"archive {packed / 1e6:.1f} MB ({packed / (database + sum(files)):.0%})"
    )


def main() -> None:
    """Measure, print, keep."""
    papers = int(sys.argv[1]) if len(sys.argv) > 1 else 6_500
    rows = measure(papers)
    print_table(f"{papers} papers", rows)
    write_results("backup", {"papers": papers, **rows})


if __name__ == "__main__":
    main()
