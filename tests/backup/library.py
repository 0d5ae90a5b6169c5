"""Papers as crawl and summary leave them, and comparison of whole installations."""

import io
import json
import shutil
import sqlite3
import tarfile
from contextlib import closing
from pathlib import Path
from typing import Any

from django.core.management import CommandError, call_command
from django.utils import timezone

from operations.backup.staging import working_in
from operations.files import RAW_NAME, SUMMARY_NAME, json_text, paper_folder, relative, write_atomically
from operations.meta_files import write_meta_files
from operations.models import DayListing
from papers.models import Paper
from tests.factories import SUMMARY, make_paper, make_summary

DATABASE = "papersite.sqlite3"
Rows = list[tuple[Any, ...]]


def add_waiting(arxiv_id: str) -> Paper:
    """Store a paper as a crawl does, its summary to be made."""
    paper = make_paper(arxiv_id=arxiv_id, tags=["agents"], meta_path=f"papers/{arxiv_id}/meta.json")
    DayListing.objects.create(
        date=paper.paper_date, entry_key=arxiv_id, arxiv_id=arxiv_id, first_seen_at=timezone.now()
    )
    write_meta_files([arxiv_id])
    return paper


def add_summarised(arxiv_id: str) -> Paper:
    """Store a paper with its summary and all its files."""
    paper = add_waiting(arxiv_id)
    make_summary(paper)
    folder = paper_folder(arxiv_id)
    write_atomically(folder / SUMMARY_NAME, json_text(SUMMARY))
    write_atomically(folder / RAW_NAME, f"raw output of {arxiv_id}")
    Paper.objects.filter(pk=paper.pk).update(
        summary_path=relative(folder / SUMMARY_NAME), raw_output_path=relative(folder / RAW_NAME)
    )
    paper.status.raw_output_saved = True
    paper.status.save()
    return Paper.objects.get(pk=paper.pk)


def tables_of(database: Path) -> dict[str, Rows]:
    """Every row of every table, those of the index too, in the order of their rowids.

    But for the number that pages are kept under: it is drawn anew with every write, so with those of a restore too.
    """
    with closing(sqlite3.connect(database)) as connection:
        names = [row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {
            name: connection.execute(f"SELECT * FROM {name} ORDER BY 1").fetchall()
            for name in names
            if not name.startswith(("sqlite_", "papers_fts_")) and name != "content_version"
        }


def files_of(data_dir: Path) -> dict[str, bytes]:
    """Every file below `papers/` by its name."""
    top = data_dir / "papers"
    return {path.relative_to(data_dir).as_posix(): path.read_bytes() for path in top.rglob("*") if path.is_file()}


def archived_database(archive: Path, folder: Path) -> Path:
    """Take the database out of an archive, by tar alone."""
    folder.mkdir(exist_ok=True)
    with tarfile.open(archive) as tar:
        (folder / DATABASE).write_bytes(tar.extractfile(DATABASE).read())
    return folder / DATABASE


def archived_files(archive: Path) -> dict[str, bytes]:
    """The papers' files of an archive."""
    with tarfile.open(archive) as tar:
        members = [member for member in tar if member.name.startswith("papers/")]
        return {member.name: tar.extractfile(member).read() for member in members}


def manifest_of(archive: Path) -> dict[str, Any]:
    """The manifest of an archive, by tar alone."""
    with tarfile.open(archive) as tar:
        return json.load(tar.extractfile("manifest.json"))


def check_data(data_dir: Path) -> str:
    """What `check_data` says of an installation."""
    out = io.StringIO()
    with working_in(data_dir):
        try:
            call_command("check_data", stdout=out, stderr=io.StringIO())
        except CommandError as error:
            out.write(str(error))
    return out.getvalue()


def litter_in(folder: Path) -> list[str]:
    """What a backup leaves beside its file: nothing, or it is litter."""
    return sorted(path.name for path in folder.iterdir() if path.name.startswith("."))


def copy_of(data_dir: Path, to: Path) -> Path:
    """Copy an installation."""
    shutil.copytree(data_dir, to, dirs_exist_ok=True)
    return to
