"""`kill -9` at each step of a backup and of a restore: nothing is lost, and the next run puts all right."""

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from tests.backup.library import DATABASE, check_data, copy_of, files_of, litter_in, tables_of

PROJECT = Path(__file__).resolve().parents[2]


class Commands:
    """Commands over one DATA_DIR, in processes of their own."""

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = data_dir
        self.environment = {**os.environ, "PAPERSITE_DATA_DIR": str(data_dir)}

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        return self._run("manage.py", *command)

    def killed(self, step: str, number: int, *command: str) -> None:
        result = self._run("-m", "tests.backup.killing", step, str(number), *command)
        assert result.returncode == -signal.SIGKILL, result.stdout + result.stderr

    def _run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, *arguments],
            cwd=PROJECT,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )


@pytest.fixture(scope="module")
def source(tmp_path_factory, django_db_setup, django_db_blocker) -> Path:
    """A DATA_DIR with a small library."""
    from operations.backup.staging import working_in
    from operations.tables import migrate
    from tests.backup.library import add_summarised, add_waiting

    folder = tmp_path_factory.mktemp("source")
    with django_db_blocker.unblock(), working_in(folder):
        migrate()
        for number in range(1, 4):
            add_summarised(f"2605.0000{number}")
        add_waiting("hep-th/9901001")
    return folder


@pytest.fixture(scope="module")
def backup(source, tmp_path_factory) -> Path:
    """A backup of it."""
    path = tmp_path_factory.mktemp("backup") / "papersite.tar.gz"
    assert Commands(source).run("backup", str(path)).returncode == 0
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "number"),
    [
        ("snapshot", 1),
        ("file", 1),
        ("file", 5),
        ("database", 1),
        ("read back", 1),
        ("replace", 1),
    ],
)
def test_a_backup_that_is_killed_leaves_no_file_and_no_litter_for_long(source, tmp_path, step, number):
    commands, target = Commands(source), tmp_path / "backup.tar.gz"
    commands.killed(step, number, "backup", str(target))
    assert not target.exists()
    result = commands.run("backup", str(tmp_path / "another.tar.gz"))
    assert result.returncode == 0, result.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["another.tar.gz"]
    assert litter_in(tmp_path) == []


@pytest.mark.slow
def test_a_backup_that_is_killed_leaves_the_old_file_as_it_was(source, backup, tmp_path):
    target = tmp_path / "backup.tar.gz"
    target.write_bytes(backup.read_bytes())
    Commands(source).killed("replace", 1, "backup", "--force", str(target))
    assert target.read_bytes() == backup.read_bytes()


def write(database: Path, sql: str) -> None:
    """Change a database, made where there is none, and leave it closed."""
    with closing(sqlite3.connect(database)) as connection, connection:
        connection.execute(sql)


# Everything that moves: the old papers, the new ones, the old database, the new one.
RENAMES = [("rename", number) for number in range(1, 5)]


@pytest.fixture
def installed(source, tmp_path, django_db_blocker) -> Path:
    """An installation with other data than the backup's."""
    data_dir = copy_of(source, tmp_path / "data")
    write(data_dir / DATABASE, "UPDATE papers SET asset_error = 'older'")
    (data_dir / "papers/2605.00001/mine.txt").write_text("mine")
    return data_dir


@pytest.mark.slow
@pytest.mark.parametrize(
    ("step", "number", "again"),
    [
        ("unpack", 1, "restore"),
        ("tables", 1, "check_data"),
        ("settle", 1, "restore"),
        ("log", 1, "check_data"),
        ("ready", 1, "restore"),
        ("change", 1, "check_data"),
        *((*rename, "restore") for rename in RENAMES),
        *((*rename, "check_data") for rename in RENAMES),
        ("rename", 3, "rebuild_search"),
        ("unlink", 1, "restore"),
        ("unlink", 1, "check_data"),
    ],
)
def test_a_restore_that_is_killed_is_put_right_by_what_comes_next(
    installed, source, backup, step, number, again, django_db_blocker
):
    old_tables, old_files = tables_of(installed / DATABASE), files_of(installed)
    commands = Commands(installed)
    commands.killed(step, number, "restore", str(backup))
    result = commands.run(again, *([str(backup)] if again == "restore" else []))
    assert result.returncode == 0, result.stdout + result.stderr
    assert not (installed / "restore").exists()
    changed = again == "restore" or step in ("change", "rename", "unlink")
    assert_is(installed, source if changed else None, old_tables, old_files)
    if changed:
        assert_kept(installed, old_tables, old_files)
    with django_db_blocker.unblock():
        assert check_data(installed) == "All is well.\n"


def assert_is(installed, source, old_tables, old_files):
    """The data is the backup's, or (without `source`) still the old."""
    tables, files = tables_of(installed / DATABASE), files_of(installed)
    wanted = tables_of(source / DATABASE) if source else old_tables
    assert tables["papers"] == wanted["papers"]
    assert tables["paper_summaries"] == wanted["paper_summaries"]
    assert files == (files_of(source) if source else old_files)


def assert_kept(installed, old_tables, old_files):
    """The old data is whole in folders before the restore: after a kill in between, its two parts may be in two."""
    aside = sorted(installed.glob("before-restore-*"))
    assert any((folder / DATABASE).exists() and tables_of(folder / DATABASE) == old_tables for folder in aside)
    assert any((folder / "papers").exists() and files_of(folder) == old_files for folder in aside)


@pytest.mark.slow
def test_a_database_made_anew_after_a_kill_is_kept_too(installed, source, backup, django_db_blocker):
    commands = Commands(installed)
    commands.killed("rename", 4, "restore", str(backup))
    assert not (installed / DATABASE).exists()
    write(installed / DATABASE, "CREATE TABLE strange (id)")  # as Django's own commands make one
    assert commands.run("check_data").returncode == 0
    kept = [folder / DATABASE for folder in installed.glob("before-restore-*") if (folder / DATABASE).exists()]
    assert sorted("strange" in tables_of(path) for path in kept) == [False, True]


@pytest.mark.slow
def test_commands_wait_for_no_restore(installed, backup):
    from operations.backup.data_lock import alone_with_data

    with alone_with_data(installed):
        result = Commands(installed).run("summarize")
        assert (result.returncode, "being restored" in result.stderr) == (3, True)
        (installed / "restore").mkdir()
        assert Commands(installed).run("check_data").returncode == 3
