"""A backup of an older Papersite comes back with today's tables; what belongs to nobody is left alone."""

import os
import time

import pytest
from django.core.management import call_command
from django.db import connection

from operations.backup.making import make_backup
from operations.backup.manifest import Origin
from operations.backup.staging import working_in
from operations.backup.workplace import remove_abandoned, workplace
from tests.backup.library import DATABASE, check_data, manifest_of, tables_of

# What was released before the admin console.
RELEASED = (("papers", "0002"), ("operations", "0001"), ("auth", None), ("sessions", None), ("django_q", None))


@pytest.fixture
def older(tmp_path_factory, transactional_db):
    """An archive with the tables of an older version, and a paper in them."""
    folder = tmp_path_factory.mktemp("older")
    (folder / "data").mkdir()
    with working_in(folder / "data"):
        for app, name in RELEASED:
            call_command("migrate", app, *([name] if name else []), verbosity=0)
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO papers (arxiv_id, title_en, paper_date, crawled_at, updated_at, categories, is_withdrawn) "
                "VALUES ('2605.00001', 'An Old Paper', '2026-05-01', '2026-05-01 00:00:00', '2026-05-01', '', 0)"
            )
            cursor.execute("INSERT INTO summary_status (paper_id, status) SELECT id, 'processing' FROM papers")
        made = make_backup(folder / "older.tar.gz", origin=Origin.COMMAND)
    return made.path


def test_an_older_backup_is_brought_to_the_present_tables(older, restore_into, elsewhere):
    assert "operations.0002_console" not in manifest_of(older)["migrations"]
    restored = restore_into(older, elsewhere)
    rows = tables_of(elsewhere / DATABASE)
    assert {"crawl_jobs", "maintenance", "schedule_times"} <= rows.keys()
    assert "operations.0002_console" in {f"{row[1]}.{row[2]}" for row in rows["django_migrations"]}
    assert [row[2] for row in rows["papers"]] == ["An Old Paper"]
    assert "papers given back" in restored.settled.swept
    assert (elsewhere / "papers/2605.00001/meta.json").exists()
    assert check_data(elsewhere) == "All is well.\n"


def test_the_workplace_of_another_backup_is_left_alone(tmp_path):
    with workplace(tmp_path / "a.tar.gz") as alive:
        remove_abandoned(tmp_path)
        assert alive.is_dir()
    assert not alive.exists()


def test_only_a_settled_workplace_without_its_lock_is_removed(tmp_path):
    young, old = tmp_path / ".a.papersite-backup", tmp_path / ".b.papersite-backup"
    young.mkdir(), old.mkdir()
    os.utime(old, (time.time() - 3600,) * 2)
    remove_abandoned(tmp_path)
    assert (young.exists(), old.exists()) == (True, False)
