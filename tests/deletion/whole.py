"""What must hold of an installation after a deletion, however often that was cut off."""

from pathlib import Path

from django.db import connection

from operations.checks import CHECKS

# Where a deleted paper may be named: what the days listed, what was asked of arXiv, what keeps a refresh away, and
# what tells mirrors that it is gone.
HISTORY = {"day_listings", "deleted_papers", "arxiv_requests", "paper_changes"}


def rows(sql: str, parameters: tuple = ()) -> list[tuple]:
    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)
        return cursor.fetchall()


def tables_naming_papers() -> list[str]:
    """Return every table with a column of arXiv ids, of history not."""
    tables = [
        row[0] for row in rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%%'")
    ]
    naming = [t for t in tables if any(column[1] == "arxiv_id" for column in rows(f"PRAGMA table_info({t})"))]
    return sorted(set(naming) - HISTORY)


def traces(arxiv_ids: set[str], folder: Path) -> list[str]:
    """Return every trace of deleted papers: orphan rows, index rows, names in tables, folders."""
    found = [f"orphan in {table}" for table, *_ in rows("PRAGMA foreign_key_check")]
    told = {row[0] for row in rows("SELECT arxiv_id FROM paper_changes WHERE is_deleted")}
    found += [f"{arxiv_id} untold to mirrors" for arxiv_id in arxiv_ids - told]
    found += [f"index row {row[0]}" for row in rows("SELECT rowid FROM papers_fts EXCEPT SELECT id FROM papers")]
    found += [f"no index row {row[0]}" for row in rows("SELECT id FROM papers EXCEPT SELECT rowid FROM papers_fts")]
    for table in tables_naming_papers():
        found += [f"{row[0]} in {table}" for row in rows(f"SELECT arxiv_id FROM {table}") if row[0] in arxiv_ids]
    for top in ("papers", "tmp"):
        names = {path.relative_to(folder / top).as_posix() for path in (folder / top).rglob("*") if path.is_dir()}
        found += [f"{top}/{name}" for name in names if name in arxiv_ids or name.startswith(".deleted")]
    return found


def problems() -> list[str]:
    """Return what `check_data` finds."""
    return [str(problem) for check in CHECKS.values() for problem in check.problems()]


def files_under(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def contents(arxiv_ids: set[str]) -> dict[str, list[tuple]]:
    """Return every row of these papers in every table, index rows too."""
    papers = {row[0]: row for row in rows("SELECT * FROM papers") if row[1] in arxiv_ids}
    found = {"papers": sorted(papers.values())}
    for table in ("paper_authors", "paper_tags", "paper_summaries", "summary_status", "user_notes", "user_bookmarks"):
        names = [column[1] for column in rows(f"PRAGMA table_info({table})")]
        place = names.index("paper_id")
        found[table] = sorted((row for row in rows(f"SELECT * FROM {table}") if row[place] in papers), key=str)
    found["papers_fts"] = [row for row in rows("SELECT rowid, * FROM papers_fts") if row[0] in papers]
    return found
