"""When what is told of a paper last changed, and that it was deleted, in `paper_changes`: for mirrors.

Every row that is written counts, also one of a paper's authors, tags, summary and status; `papers.updated_at` moves
with the paper's own row alone. An entry is taken away and put at the end, so that its number is always a new one.
"""

_NOW = "strftime('%Y-%m-%d %H:%M:%f', 'now')"
# Columns that are shown of a paper's own row.
_OWN = (
    *("arxiv_id", "title_en", "title_zh", "abstract", "published_at", "paper_date", "crawled_at", "upvotes"),
    *("hf_url", "arxiv_url", "pdf_url", "source_url", "asset_status", "summary_quality", "version", "categories"),
    *("arxiv_comment", "is_withdrawn", "code_url", "code_stars", "project_url", "organization"),
)
# Columns that are shown of the rows that hang on a paper. A lease that is renewed changes nothing for anybody.
_CHILDREN = {
    "paper_authors": ("paper_id", "name", "position"),
    "paper_tags": ("paper_id", "tag", "source"),
    "paper_summaries": ("paper_id", "full_json", "difficulty"),
    "summary_status": ("paper_id", "status", "quality", "error_type", "retry_count"),
}


def _differs(columns: tuple[str, ...]) -> str:
    return " OR ".join(f"OLD.{column} IS NOT NEW.{column}" for column in columns)


def _note(arxiv_id: str, *, deleted: bool = False) -> str:
    # Two statements: of INSERT OR REPLACE an INSERT OR IGNORE that set the trigger off would make its own kind.
    return (
        f"DELETE FROM paper_changes WHERE arxiv_id = {arxiv_id};"  # noqa: S608
        " INSERT INTO paper_changes (arxiv_id, changed_at, is_deleted)"
        f" SELECT {arxiv_id}, {_NOW}, {int(deleted)} WHERE {arxiv_id} IS NOT NULL;"
    )


def _note_paper(row: str) -> str:
    # Nothing where the paper is gone already: its deletion has been noted.
    return _note(f"(SELECT arxiv_id FROM papers WHERE id = {row}.paper_id)")  # noqa: S608


def _triggers() -> dict[str, str]:
    events = {
        "papers_insert": f"AFTER INSERT ON papers BEGIN {_note('NEW.arxiv_id')} END",
        "papers_update": (
            f"AFTER UPDATE OF {', '.join(_OWN)} ON papers WHEN {_differs(_OWN)} BEGIN {_note('NEW.arxiv_id')} END"
        ),
        "papers_rename": (
            "AFTER UPDATE OF arxiv_id ON papers WHEN OLD.arxiv_id <> NEW.arxiv_id"
            f" BEGIN {_note('OLD.arxiv_id', deleted=True)} END"
        ),
        "papers_delete": f"AFTER DELETE ON papers BEGIN {_note('OLD.arxiv_id', deleted=True)} END",
    }
    for table, columns in _CHILDREN.items():
        events[f"{table}_insert"] = f"AFTER INSERT ON {table} BEGIN {_note_paper('NEW')} END"
        events[f"{table}_delete"] = f"AFTER DELETE ON {table} BEGIN {_note_paper('OLD')} END"
        events[f"{table}_update"] = (
            f"AFTER UPDATE OF {', '.join(columns)} ON {table} WHEN {_differs(columns)}"
            f" BEGIN {_note_paper('OLD')} {_note_paper('NEW')} END"
        )
    return {f"paper_changes_{name}": f"CREATE TRIGGER paper_changes_{name} {event}" for name, event in events.items()}


TRIGGERS = _triggers()
# What was written while the triggers were missing. A paper's own row tells when it was; an earlier deletion stays.
FILL = (
    "INSERT OR REPLACE INTO paper_changes (arxiv_id, changed_at, is_deleted)"  # noqa: S608
    f" SELECT papers.arxiv_id, coalesce(papers.updated_at, {_NOW}), 0 FROM papers"
    " LEFT JOIN paper_changes AS known ON known.arxiv_id = papers.arxiv_id"
    " WHERE known.id IS NULL OR known.is_deleted OR known.changed_at < papers.updated_at"
    " ORDER BY papers.updated_at, papers.id",
    "INSERT OR REPLACE INTO paper_changes (arxiv_id, changed_at, is_deleted)"  # noqa: S608
    f" SELECT arxiv_id, {_NOW}, 1 FROM paper_changes AS known WHERE NOT is_deleted"
    " AND NOT EXISTS (SELECT 1 FROM papers WHERE papers.arxiv_id = known.arxiv_id)",
)
# What it should hold, and what it does, of papers that are there.
RECOUNTS = {
    "paper_changes": (
        "SELECT arxiv_id FROM papers",
        "SELECT arxiv_id FROM paper_changes WHERE NOT is_deleted",
    )
}
