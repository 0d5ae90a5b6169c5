"""Keeps `papers_fts`: one row for each paper, its rowid the paper's id, its text made from the tables.

Every function writes within the caller's transaction where there is one, so that a paper and its index row are
stored, or not stored, together. Bookmarks and notes never go in.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from django.db import connection, transaction
from django.db.utils import DatabaseError

from papers.models import Paper, PaperAuthor, PaperSummary, PaperTag
from papers.search.text import indexed

# Rows read or written at once: a write holds the only write lock for some tens of milliseconds.
CHUNK = 500

COLUMNS = ("title_en", "title_zh", "abstract", "authors", "tags", "summary_text")
_INSERT = f"INSERT INTO papers_fts(rowid, {', '.join(COLUMNS)}) VALUES (%s, %s, %s, %s, %s, %s, %s)"  # noqa: S608
_SELECT = f"SELECT rowid, {', '.join(COLUMNS)} FROM papers_fts WHERE rowid IN "  # noqa: S608
# The table of sizes has one small row for each row of the index; the index itself would drag in all its text.
_ORPHANS = "SELECT id FROM papers_fts_docsize WHERE id NOT IN (SELECT id FROM papers) ORDER BY id"

# As the migration makes it.
_CREATE = f"CREATE VIRTUAL TABLE papers_fts USING fts5({', '.join(COLUMNS)}, tokenize='unicode61')"
# What SQLite says of an index that is damaged or gone.
_DAMAGE = ("malformed", "no such table", "SQL logic error")

_PROSE = (
    "one_line",
    "prerequisites_json",
    "motivation_problem",
    "motivation_goal",
    "motivation_gap",
    "method_overview",
    "method_key_idea",
    "method_steps_json",
    "method_novelty",
    "results_main_json",
    "limitations_json",
    "weaknesses_json",
    "future_work_json",
    "reproducibility",
)

Row = tuple[str, str, str, str, str, str]


@dataclass(frozen=True)
class IndexProblems:
    """What is wrong with the index, by paper id."""

    missing: tuple[int, ...] = ()
    differing: tuple[int, ...] = ()
    orphans: tuple[int, ...] = ()
    damage: str = ""

    def __bool__(self) -> bool:
        """Tell whether there is any problem."""
        return bool(self.missing or self.differing or self.orphans or self.damage)


@dataclass(frozen=True)
class RebuildReport:
    """What a rebuild did: papers looked at, rows written, rows without a paper removed, damage mended."""

    papers: int
    written: int
    removed: int
    mended: bool


def index_papers(paper_ids: Iterable[int]) -> int:
    """Bring the index rows of these papers up to date with the tables; return how many rows were written.

    Rows that are right already are left alone. An id without a paper loses its row.
    """
    return sum(_index_chunk(chunk) for chunk in _chunks(paper_ids))


def remove_from_index(paper_ids: Iterable[int]) -> None:
    """Delete the index rows of these papers; ids without a row do no harm."""
    for chunk in _chunks(paper_ids):
        _delete(chunk)


def rebuild(progress: Callable[[int], None] | None = None) -> RebuildReport:
    """Make the whole index right again, in short transactions, with searches and other writers going on.

    It can be stopped at any moment and run again. `progress` is called with the number of papers done since the
    last call. An index that SQLite finds damaged is first built anew from its own text, or made anew where it has
    lost that too, in one transaction.
    """
    mended = bool(integrity_problem())
    if mended:
        _mend()
    papers = written = 0
    for chunk in _paper_id_chunks():
        written += _index_chunk(chunk)
        papers += len(chunk)
        if progress:
            progress(len(chunk))
    return RebuildReport(papers, written, _remove_orphans(), mended)


def index_problems() -> IndexProblems:
    """Let SQLite check the index against its own text, and compare it with the tables, a chunk at a time."""
    damage = integrity_problem()
    if damage:
        return IndexProblems(damage=damage)  # nothing that is read from it could be believed
    missing: list[int] = []
    differing: list[int] = []
    for chunk in _paper_id_chunks():
        suspects = _wrong(chunk)
        if not any(suspects):
            continue
        # Another process may have written between our reads: look again under the write lock.
        with transaction.atomic():
            absent, different = _wrong([*suspects[0], *suspects[1]])
        missing += absent
        differing += different
    return IndexProblems(tuple(missing), tuple(differing), tuple(_orphan_ids()))


def integrity_problem() -> str:
    """Return SQLite's complaint about the index, or nothing."""
    try:
        with transaction.atomic():
            _command("integrity-check")
    except DatabaseError as error:
        if not any(word in str(error) for word in _DAMAGE):
            raise
        return str(error)
    return ""


def paper_count() -> int:
    """Return how many papers a rebuild will look at."""
    return Paper.objects.count()


@transaction.atomic(savepoint=False)
def _index_chunk(paper_ids: list[int]) -> int:
    wanted = _rows(paper_ids)
    stored = _stored(paper_ids)
    stale = [paper_id for paper_id in paper_ids if stored.get(paper_id) != wanted.get(paper_id)]
    _delete([paper_id for paper_id in stale if paper_id in stored])
    fresh = [(paper_id, *wanted[paper_id]) for paper_id in stale if paper_id in wanted]
    if fresh:
        with connection.cursor() as cursor:
            cursor.executemany(_INSERT, fresh)
    return len(fresh)


def _wrong(paper_ids: list[int]) -> tuple[list[int], list[int]]:
    wanted = _rows(paper_ids)
    stored = _stored(paper_ids)
    missing = [paper_id for paper_id in wanted if paper_id not in stored]
    differing = [paper_id for paper_id, row in wanted.items() if stored.get(paper_id, row) != row]
    return missing, differing


def _rows(paper_ids: list[int]) -> dict[int, Row]:
    """Return what the index should hold for those of these papers that exist."""
    authors = _joined(PaperAuthor.objects.filter(paper__in=paper_ids).order_by("position", "id"), "name")
    tags = _joined(PaperTag.objects.filter(paper__in=paper_ids).order_by("id"), "tag")
    prose = dict(_summaries(paper_ids))
    papers = Paper.objects.filter(id__in=paper_ids).values_list("id", "title_en", "title_zh", "abstract")
    return {
        paper_id: (
            indexed(title_en),
            indexed(title_zh or ""),
            indexed(abstract or ""),
            indexed(authors.get(paper_id, "")),
            indexed(tags.get(paper_id, "")),
            indexed(prose.get(paper_id, "")),
        )
        for paper_id, title_en, title_zh, abstract in papers
    }


def _joined(rows, column: str) -> dict[int, str]:
    """Return the different values of `column` of each paper, in order, one a line."""
    values: dict[int, dict[str, None]] = {}
    for paper_id, value in rows.values_list("paper_id", column):
        values.setdefault(paper_id, {})[value] = None
    return {paper_id: "\n".join(each) for paper_id, each in values.items()}


def _summaries(paper_ids: list[int]) -> Iterator[tuple[int, str]]:
    for paper_id, *parts in PaperSummary.objects.filter(paper__in=paper_ids).values_list("paper_id", *_PROSE):
        texts = (text for column, part in zip(_PROSE, parts, strict=True) for text in _texts(column, part or ""))
        yield paper_id, "\n".join(text for text in texts if text.strip())


def _texts(column: str, value: str) -> list[str]:
    if not column.endswith("_json"):
        return [value]
    try:
        content = json.loads(value)
    except (ValueError, RecursionError):
        return [value]
    if isinstance(content, dict):  # prerequisites: the level is a grade, not prose
        content = content.get("concepts")
    items = content if isinstance(content, list) else [content]
    return [item for item in items if isinstance(item, str)]


def _stored(paper_ids: list[int]) -> dict[int, Row]:
    with connection.cursor() as cursor:
        cursor.execute(_SELECT + _placeholders(paper_ids), paper_ids)
        return {paper_id: tuple(row) for paper_id, *row in cursor.fetchall()}


def _delete(paper_ids: list[int]) -> None:
    if paper_ids:
        with connection.cursor() as cursor:
            cursor.execute(f"DELETE FROM papers_fts WHERE rowid IN {_placeholders(paper_ids)}", paper_ids)  # noqa: S608


def _orphan_ids() -> list[int]:
    with connection.cursor() as cursor:
        cursor.execute(_ORPHANS)
        return [row[0] for row in cursor.fetchall()]


def _remove_orphans() -> int:
    orphans = _orphan_ids()
    for chunk in _chunks(orphans):
        _index_chunk(chunk)  # looks once more whether the paper is really gone
    return len(orphans)


def _mend() -> None:
    try:
        with transaction.atomic():
            _command("rebuild")
            _command("integrity-check")
    except DatabaseError:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("DROP TABLE IF EXISTS papers_fts")
            cursor.execute(_CREATE)


def _command(name: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("INSERT INTO papers_fts(papers_fts) VALUES (%s)", [name])


def _placeholders(values: list[int]) -> str:
    return f"({', '.join(['%s'] * len(values))})"


def _chunks(paper_ids: Iterable[int]) -> Iterator[list[int]]:
    remaining = iter(dict.fromkeys(paper_ids))
    while chunk := list(islice(remaining, CHUNK)):
        yield chunk


def _paper_id_chunks() -> Iterator[list[int]]:
    last = 0
    while chunk := list(Paper.objects.filter(id__gt=last).order_by("id").values_list("id", flat=True)[:CHUNK]):
        yield chunk
        last = chunk[-1]
