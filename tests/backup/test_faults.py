"""Faults of the disk and of the database: nothing half done, and a sentence with what can be done."""

import errno
import io
import os
import shutil
import signal
import sqlite3
import threading
import time
from collections import namedtuple

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from operations.backup import making, space
from operations.backup.archive import ArchiveWriter
from operations.backup.data_lock import backing_up
from operations.backup.errors import BackupFailed, DataInUse, NotEnoughSpace, TargetRefused
from operations.backup.making import make_backup
from operations.backup.manifest import Origin
from tests.backup.library import DATABASE, archived_database, files_of, tables_of

Usage = namedtuple("Usage", "total used free")


def backup(target, **options):
    return make_backup(target, origin=Origin.COMMAND, **options)


@pytest.fixture
def target(tmp_path_factory):
    return tmp_path_factory.mktemp("target") / "backup.tar.gz"


def nothing_but(target):
    return [path.name for path in target.parent.iterdir()]


def test_too_little_room_is_said_at_once(library, target, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**9, 10**9, 5_000_000))
    with pytest.raises(NotEnoughSpace, match=r"about [\d.]+ MB are needed, 5\.0 MB are free"):
        backup(target)
    assert nothing_but(target) == []


def full_disk(*_args, **_options):
    raise OSError(errno.ENOSPC, "No space left on device")


@pytest.mark.parametrize("step", ["add_file", "add_database", "finish"])
def test_a_disk_that_fills_up_leaves_nothing(library, target, monkeypatch, step):
    monkeypatch.setattr(ArchiveWriter, step, full_disk)
    with pytest.raises(BackupFailed, match=r"No space left on device \([\d,]+ MB are free"):
        backup(target)
    assert nothing_but(target) == []


def test_a_disk_that_fills_up_leaves_the_old_file(library, target, monkeypatch):
    target.write_text("the old one")
    monkeypatch.setattr(ArchiveWriter, "finish", full_disk)
    with pytest.raises(BackupFailed):
        backup(target, force=True)
    assert target.read_text() == "the old one"
    assert nothing_but(target) == [target.name]


def test_a_disk_that_fills_up_during_a_restore_changes_nothing(library, archive, restore_into, elsewhere, monkeypatch):
    restore_into(archive, elsewhere)
    before = tables_of(elsewhere / DATABASE), files_of(elsewhere)
    monkeypatch.setattr("operations.backup.unpacking.os.utime", full_disk)
    with pytest.raises(BackupFailed, match="No space left"):
        restore_into(archive, elsewhere)
    assert (tables_of(elsewhere / DATABASE), files_of(elsewhere)) == before
    assert not (elsewhere / "restore").exists()


def test_an_archive_that_reads_back_otherwise_is_no_backup(library, target, monkeypatch):
    whole = ArchiveWriter.finish

    def on_a_bad_disk(archive, manifest):
        whole(archive, manifest)
        archive._file.seek(-2000, io.SEEK_END)
        archive._file.write(b"\0" * 100)

    monkeypatch.setattr(ArchiveWriter, "finish", on_a_bad_disk)
    with pytest.raises(BackupFailed, match="does not read back"):
        backup(target)
    assert nothing_but(target) == []


def test_a_damaged_database_is_not_backed_up(library, target, monkeypatch):
    whole = making.take_snapshot

    def damaged(*args):
        snapshot = whole(*args)
        content = snapshot.path.read_bytes()
        snapshot.path.write_bytes(content[:100_000] + b"\x55" * 40_000 + content[140_000:])
        return snapshot

    monkeypatch.setattr(making, "take_snapshot", damaged)
    with pytest.raises(BackupFailed, match="database"):
        backup(target)
    assert nothing_but(target) == []


def test_a_file_that_is_there_is_left_alone(library, target):
    target.write_text("mine")
    with pytest.raises(TargetRefused, match="--force"):
        backup(target)
    assert target.read_text() == "mine"
    backup(target, force=True)
    assert archived_database(target, target.parent / "out").exists()


def test_a_file_made_meanwhile_is_left_alone(library, target, monkeypatch):
    whole = making._check

    def meanwhile(*args):
        target.write_text("mine")
        whole(*args)

    monkeypatch.setattr(making, "_check", meanwhile)
    with pytest.raises(TargetRefused):
        backup(target)
    assert (target.read_text(), nothing_but(target)) == ("mine", [target.name])


@pytest.mark.parametrize("name", ["no/such/folder.tar.gz", "."])
def test_a_place_that_cannot_be(library, target, name):
    with pytest.raises(TargetRefused):
        backup(target.parent / name)


@pytest.mark.parametrize("name", [DATABASE, f"{DATABASE}-wal", "papers/new.tar.gz", "locks/serve.lock"])
def test_no_backup_takes_the_place_of_the_data_it_is_made_of(library, data_dir, name):
    (data_dir / "locks").mkdir(exist_ok=True)
    before = tables_of(data_dir / DATABASE) if (data_dir / DATABASE).exists() else None
    with pytest.raises(TargetRefused, match="the site's own data"):
        backup(data_dir / name, force=True)
    assert not (data_dir / "papers" / "new.tar.gz").exists()
    assert before is None or tables_of(data_dir / DATABASE) == before


def test_the_folder_of_the_sites_own_backups_takes_others_too(library, data_dir):
    (data_dir / "backups").mkdir()
    assert backup(data_dir / "backups" / "mine.tar.gz").path.is_file()


def test_no_backup_takes_the_place_of_a_device(library, target):
    os.mkfifo(target)
    with pytest.raises(TargetRefused, match="device"):
        backup(target, force=True)
    assert target.is_fifo()


def test_a_link_to_nothing_is_left_alone(library, target):
    target.symlink_to("nowhere")
    with pytest.raises(TargetRefused, match="--force"):
        backup(target)


def test_one_backup_at_a_time(library, target, data_dir):
    with backing_up(data_dir), pytest.raises(DataInUse):
        backup(target)


def test_whatever_stops_it_leaves_nothing(library, target):
    def stop(_done, _total):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        backup(target, progress=stop)
    assert nothing_but(target) == []
    backup(target)


def test_progress_is_told_up_to_the_end(library, target):
    told = []
    backup(target, progress=lambda done, total: told.append((done, total)))
    assert told == sorted(told)
    assert told[-1][0] <= told[-1][1]


def test_a_writer_keeps_the_backup_waiting_no_longer_than_its_transaction(library, target):
    other = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    threading.Timer(0.5, lambda: other.execute("ROLLBACK")).start()
    began = time.monotonic()
    backup(target)
    assert time.monotonic() - began > 0.4
    other.close()


def test_writers_are_not_kept_waiting(library, target, monkeypatch):
    """While the database is copied and the archive written, others write."""
    waited = []
    whole = making.read_contents

    def write_meanwhile(path):
        began = time.monotonic()
        with connection.cursor() as cursor:
            cursor.execute("UPDATE papers SET upvotes = 1")
        waited.append(time.monotonic() - began)
        return whole(path)

    monkeypatch.setattr(making, "read_contents", write_meanwhile)
    backup(target)
    assert waited[0] < 1


def test_room_is_counted_for_both_copies():
    assert space.for_backup(100_000_000, 10_000_000) > 166_000_000
    assert space.for_restore(100_000_000, 10_000_000, 1000) > 160_000_000


# ---------------------------------------------------------------- the commands


def run(*command):
    out = io.StringIO()
    try:
        call_command(*command, stdout=out, stderr=io.StringIO())
    except CommandError as error:
        return error.returncode, str(error)
    return 0, out.getvalue()


def test_the_command_says_what_it_made(library, target):
    code, text = run("backup", str(target))
    assert (code, "3 papers, 7 files" in text, "read back" in text) == (0, True, True)


def test_the_command_ends_with_2_where_the_file_is_there(library, target):
    target.write_text("mine")
    assert run("backup", str(target))[0] == 2
    assert run("backup", "--force", str(target))[0] == 0


def test_the_command_ends_with_3_beside_another(library, target, data_dir):
    with backing_up(data_dir):
        assert run("backup", str(target))[0] == 3


def test_the_command_ends_with_1_where_there_is_no_room(library, target, monkeypatch):
    monkeypatch.setattr(shutil, "disk_usage", lambda _path: Usage(10**9, 10**9, 5))
    assert run("backup", str(target))[0] == 1


@pytest.mark.parametrize("number", ["SIGINT", "SIGTERM"])
def test_the_command_ends_with_130_when_it_is_stopped(library, target, monkeypatch, number):
    monkeypatch.setattr(making, "read_contents", lambda _path: os.kill(os.getpid(), getattr(signal, number)))
    code, text = run("backup", str(target))
    assert (code, nothing_but(target)) == (130, []), text


def test_restore_says_what_it_did(library, archive, data_dir):
    code, text = run("restore", str(archive))
    assert code == 0
    assert "3 papers, 7 files" in text and f"old data is in {data_dir}/before-restore-" in text


def test_restore_says_what_is_wrong(library, tmp_path):
    (tmp_path / "rubbish").write_text("rubbish")
    code, text = run("restore", str(tmp_path / "rubbish"))
    assert (code, "cannot be restored: it is no backup" in text) == (1, True)


def test_restore_ends_with_3_while_the_site_is_served(library, archive, data_dir):
    from operations.serving.lock import serving_alone

    with serving_alone(data_dir):
        assert run("restore", str(archive))[0] == 3


@pytest.mark.parametrize(("answer", "code"), [("yes", 0), ("no", 1), ("", 1)], ids=["yes", "no", "nothing"])
def test_a_person_at_a_terminal_is_asked(library, archive, monkeypatch, answer, code):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: answer)
    assert run("restore", str(archive))[0] == code


def test_a_person_who_ends_the_input_has_not_said_yes(library, archive, monkeypatch):
    def end(_question: str) -> str:
        raise EOFError

    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", end)
    code, text = run("restore", str(archive))
    assert (code, "nothing was changed" in text) == (1, True)


def test_nobody_is_asked_twice(library, archive, monkeypatch):
    monkeypatch.setattr("sys.stdin.isatty", lambda: True, raising=False)
    monkeypatch.setattr("builtins.input", lambda _question: pytest.fail("asked"))
    assert run("restore", "--yes", str(archive))[0] == 0
