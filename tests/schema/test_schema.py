"""The tables as they stand after all migrations."""

import pytest
from django.db import IntegrityError, connection, migrations, models, transaction
from django.db.migrations.state import ProjectState

from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db

NOT_NULL = True
# Column, whether it may be NULL is refused, and the database's default, as the data model writes them.
TABLES = {
    "papers": {
        "id": (NOT_NULL, None),
        "arxiv_id": (NOT_NULL, None),
        "title_en": (NOT_NULL, None),
        "title_zh": (False, None),
        "abstract": (False, None),
        "published_at": (False, None),
        "paper_date": (NOT_NULL, None),
        "crawled_at": (NOT_NULL, None),
        "upvotes": (False, "0"),
        "hf_url": (False, None),
        "arxiv_url": (False, None),
        "pdf_url": (False, None),
        "source_url": (False, None),
        "asset_status": (False, "'not_downloaded'"),
        "asset_error": (False, None),
        "meta_path": (False, None),
        "summary_path": (False, None),
        "raw_output_path": (False, None),
        "summary_quality": (False, None),
    },
    "paper_authors": {
        "id": (NOT_NULL, None),
        "paper_id": (NOT_NULL, None),
        "name": (NOT_NULL, None),
        "position": (False, "0"),
    },
    "paper_tags": {
        "id": (NOT_NULL, None),
        "paper_id": (NOT_NULL, None),
        "tag": (NOT_NULL, None),
        "source": (False, "'hf'"),
    },
    "paper_summaries": {
        "paper_id": (NOT_NULL, None),
        **dict.fromkeys(
            [
                "one_line",
                "difficulty",
                "prerequisites_json",
                "motivation_problem",
                "motivation_goal",
                "motivation_gap",
                "method_overview",
                "method_key_idea",
                "method_steps_json",
                "method_novelty",
                "results_main_json",
                "results_benchmarks_json",
                "limitations_json",
                "weaknesses_json",
                "future_work_json",
                "reproducibility",
            ],
            (False, None),
        ),
        "full_json": (NOT_NULL, None),
        "updated_at": (NOT_NULL, None),
    },
    "summary_status": {
        "id": (NOT_NULL, None),
        "paper_id": (NOT_NULL, None),
        "status": (NOT_NULL, None),
        "quality": (False, None),
        "error_type": (False, None),
        "error": (False, None),
        "retry_count": (False, "0"),
        "raw_output_saved": (False, "0"),
        "started_at": (False, None),
        "completed_at": (False, None),
    },
    "crawl_logs": {
        "id": (NOT_NULL, None),
        "task": (NOT_NULL, None),
        "status": (NOT_NULL, None),
        "date": (False, None),
        "papers_found": (False, None),
        "papers_new": (False, None),
        "error": (False, None),
        "started_at": (NOT_NULL, None),
        "completed_at": (False, None),
    },
    "task_locks": {
        "id": (NOT_NULL, None),
        "task": (NOT_NULL, None),
        "lock_key": (NOT_NULL, None),
        "status": (NOT_NULL, None),
        "owner": (False, None),
        "acquired_at": (NOT_NULL, None),
        "released_at": (False, None),
    },
    "user_bookmarks": {
        "id": (NOT_NULL, None),
        "paper_id": (NOT_NULL, None),
        "note": (False, None),
        "created_at": (NOT_NULL, None),
    },
    "user_reading_status": {
        "id": (NOT_NULL, None),
        "paper_id": (NOT_NULL, None),
        "status": (NOT_NULL, None),
        "updated_at": (NOT_NULL, None),
    },
    "user_notes": {
        "id": (NOT_NULL, None),
        "paper_id": (NOT_NULL, None),
        "content": (NOT_NULL, None),
        "created_at": (NOT_NULL, None),
        "updated_at": (NOT_NULL, None),
    },
    "data_delete_jobs": {
        "id": (NOT_NULL, None),
        "date_start": (NOT_NULL, None),
        "date_end": (NOT_NULL, None),
        "include_notes": (False, "1"),
        "paper_count": (False, "0"),
        "status": (NOT_NULL, None),
        "error": (False, None),
        "started_at": (NOT_NULL, None),
        "completed_at": (False, None),
    },
}
CHILDREN = [
    "paper_authors",
    "paper_tags",
    "paper_summaries",
    "summary_status",
    "user_bookmarks",
    "user_notes",
    "user_reading_status",
]


def rows(sql: str, *params: object) -> list[tuple]:
    with connection.cursor() as cursor:
        return cursor.execute(sql, params).fetchall()


def columns_of(table: str) -> dict[str, tuple[bool, str | None]]:
    return {name: (bool(not_null), default) for _, name, _, not_null, default, _ in rows(f"PRAGMA table_info({table})")}


@pytest.mark.parametrize("table", TABLES)
def test_every_column_of_the_data_model_is_there_with_its_constraint_and_default(table):
    actual = columns_of(table)
    assert {name: actual.get(name) for name in TABLES[table]} == TABLES[table]


@pytest.mark.parametrize("table", TABLES)
def test_added_columns_never_break_an_insert_that_does_not_know_them(table):
    added = {name: spec for name, spec in columns_of(table).items() if name not in TABLES[table]}
    assert [name for name, (not_null, default) in added.items() if not_null and default is None] == []


@pytest.mark.parametrize("table", CHILDREN)
def test_the_database_itself_cascades_from_a_paper(table):
    keys = {(row[2], row[3], row[6]) for row in rows(f"PRAGMA foreign_key_list({table})")}
    assert ("papers", "paper_id", "CASCADE") in keys


def test_raw_deletion_of_a_paper_takes_its_children_with_it():
    paper = make_paper(authors=["Ada Lovelace"], tags=["agents"])
    make_summary(paper)
    rows("DELETE FROM papers WHERE id = %s", paper.pk)
    left = {table: rows(f"SELECT COUNT(*) FROM {table} WHERE paper_id = %s", paper.pk)[0][0] for table in CHILDREN}
    assert set(left.values()) == {0}


def test_the_index_has_the_columns_and_tokenizer_of_the_data_model():
    [(sql,)] = rows("SELECT sql FROM sqlite_master WHERE name = 'papers_fts'")
    assert "tokenize='unicode61'" in sql
    assert list(columns_of("papers_fts")) == ["title_en", "title_zh", "abstract", "authors", "tags", "summary_text"]


def test_only_one_running_lock_of_a_task_and_key_can_exist():
    insert = (
        "INSERT INTO task_locks (task, lock_key, status, acquired_at) "
        "VALUES ('crawl', '2026-06-05', %s, '2026-06-05 09:00:00')"
    )
    rows(insert, "finished")
    rows(insert, "finished")
    rows(insert, "running")
    with pytest.raises(IntegrityError), transaction.atomic():
        rows(insert, "running")
    [(sql,)] = rows("SELECT sql FROM sqlite_master WHERE name = 'uq_task_locks_running'")
    assert "WHERE" in sql


@pytest.mark.parametrize(
    ("table", "column"),
    [
        ("papers", "asset_status"),
        ("papers", "summary_quality"),
        ("paper_tags", "source"),
        ("summary_status", "status"),
        ("summary_status", "quality"),
        ("summary_status", "error_type"),
    ],
)
def test_values_outside_the_list_are_refused_by_the_database(table, column):
    make_paper(tags=["agents"], state="pending")
    with pytest.raises(IntegrityError), transaction.atomic():
        rows(f"UPDATE {table} SET {column} = 'nonsense'")


def test_the_connection_is_set_up_as_documented():
    assert rows("PRAGMA foreign_keys") == [(1,)]
    assert rows("PRAGMA journal_mode") == [("wal",)]


@pytest.mark.django_db(transaction=True)
def test_a_later_migration_that_rebuilds_a_table_keeps_the_cascade():
    before = ProjectState()
    parent = migrations.CreateModel("Shelf", [("id", models.AutoField(primary_key=True))])
    child = migrations.CreateModel(
        "Book",
        [
            ("id", models.AutoField(primary_key=True)),
            ("title", models.CharField(max_length=10)),
            ("shelf", models.ForeignKey("papers.shelf", models.CASCADE)),
        ],
    )
    steps = [
        parent,
        child,
        migrations.AlterField("Book", "title", models.CharField(max_length=20, default="a, b")),
        migrations.AddField("Book", "second", models.ForeignKey("papers.shelf", models.CASCADE, null=True)),
    ]
    try:
        for step in steps:
            after = before.clone()
            step.state_forwards("papers", after)
            with connection.schema_editor() as editor:
                step.database_forwards("papers", editor, before, after)
            before = after
        actions = {(row[3], row[6]) for row in rows("PRAGMA foreign_key_list(papers_book)")}
        assert actions == {("shelf_id", "CASCADE"), ("second_id", "CASCADE")}
    finally:
        rows("DROP TABLE IF EXISTS papers_book")
        rows("DROP TABLE IF EXISTS papers_shelf")


def test_no_migration_is_missing(capsys):
    from django.core.management import call_command

    call_command("makemigrations", "--check", "--dry-run", verbosity=1)
