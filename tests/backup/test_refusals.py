"""`restore` refuses what it cannot read, in one sentence, and changes nothing."""

import gzip
import os
import sqlite3
import tarfile
import zlib

import pytest

from operations.backup.errors import ArchiveRefused, BackupFailed, DataInUse, NotEnoughSpace
from operations.serving.lock import AlreadyServing, serving_alone
from tests.backup.forging import forge, manifest_for, members_of, packed, plain, special, with_bytes
from tests.backup.library import DATABASE, check_data, manifest_of


@pytest.fixture(scope="module")
def genuine(tmp_path_factory, django_db_setup, django_db_blocker):
    """A genuine archive, made once: its manifest, its members, its bytes."""
    from django.conf import settings

    from operations.backup.making import make_backup
    from operations.backup.manifest import Origin
    from operations.backup.staging import working_in
    from operations.tables import migrate
    from tests.backup.library import add_summarised, add_waiting

    folder = tmp_path_factory.mktemp("genuine")
    (folder / "data").mkdir()
    with django_db_blocker.unblock(), working_in(folder / "data"):
        migrate()
        add_summarised("2605.00001")
        add_waiting("hep-th/9901001")
        made = make_backup(folder / "genuine.tar.gz", origin=Origin.COMMAND)
        assert settings.PAPERSITE.data_dir == folder / "data"
    return made.path


@pytest.fixture
def installed(elsewhere):
    """A DATA_DIR with something in it."""
    with sqlite3.connect(elsewhere / DATABASE) as database:
        database.execute("CREATE TABLE kept (id)")
    (elsewhere / "papers/2605.00077").mkdir(parents=True)
    (elsewhere / "papers/2605.00077/meta.json").write_text("kept")
    return elsewhere


def state_of(folder):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.parent.name != "locks"
    }


@pytest.fixture
def refused(installed, restore_into, django_db_blocker):
    """Restore an archive and return why that was refused; nothing may be changed."""

    def refuse(archive, reason: type[Exception] = ArchiveRefused) -> str:
        before = state_of(installed)
        with django_db_blocker.unblock(), pytest.raises(reason) as caught:
            restore_into(archive, installed)
        assert state_of(installed) == before
        assert not (installed / "restore").exists()
        return str(caught.value)

    return refuse


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "truncated"),
        (b"rubbish", "no backup"),
        (b"\x00" * 100_000, "no backup"),
        (packed(b""), "truncated"),
        (packed(b"not a tar" * 1000), "no backup"),
        (packed(bytes(10_240)), "does not begin with a manifest"),
        (b"\x1f\x8b\x08\x00" + b"\xff" * 100, "no backup"),
    ],
    ids=["empty", "rubbish", "zeros", "empty-gzip", "no-tar", "empty-tar", "bad-gzip"],
)
def test_rubbish(refused, tmp_path, content, reason):
    path = tmp_path / "rubbish"
    path.write_bytes(content)
    assert reason in refused(path)


def test_a_file_that_is_not_there(refused, tmp_path):
    assert "No such file" in refused(tmp_path / "none", BackupFailed)


def test_a_folder(refused, tmp_path):
    assert "directory" in refused(tmp_path, BackupFailed)


@pytest.mark.parametrize("part", [0.0001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99, 0.9999])
def test_truncated(refused, genuine, tmp_path, part):
    content = genuine.read_bytes()
    path = tmp_path / "cut.tar.gz"
    path.write_bytes(content[: int(len(content) * part)])
    assert "truncated" in refused(path) or "manifest" in refused(path)


def test_truncated_between_the_manifest_and_the_rest(refused, genuine, tmp_path):
    content = genuine.read_bytes()
    second = content.index(b"\x1f\x8b\x08", 10)
    path = tmp_path / "cut.tar.gz"
    path.write_bytes(content[:second])
    assert "truncated" in refused(path)


@pytest.mark.parametrize("part", [0.05, 0.2, 0.35, 0.5, 0.65, 0.8, 0.95, 0.999])
def test_a_tampered_byte(refused, genuine, tmp_path, part):
    path = tmp_path / "tampered.tar.gz"
    path.write_bytes(tampered(genuine.read_bytes(), part))
    assert refused(path)


def tampered(content: bytes, part: float) -> bytes:
    """Change a byte at `part` of the whole, or the next that matters: gzip has bits that mean nothing."""
    for place in range(int(len(content) * part), len(content)):
        changed = content[:place] + bytes([content[place] ^ 0x20]) + content[place + 1 :]
        try:
            if gzip.decompress(changed) == gzip.decompress(content):
                continue
        except (OSError, EOFError, zlib.error):
            pass
        return changed
    raise AssertionError("no byte matters")


def test_bytes_after_the_end(refused, genuine, tmp_path):
    path = tmp_path / "longer.tar.gz"
    path.write_bytes(genuine.read_bytes() + packed(b"more"))
    assert "after its end" in refused(path)


def test_an_archive_that_was_not_finished(refused, genuine, tmp_path):
    members = members_of(genuine)
    assert "not finished" in refused(forge(tmp_path / "a", b" " * 16384, members))


# ---------------------------------------------------------------- members


PAPER = "papers/2605.00001/"


@pytest.mark.parametrize(
    "member",
    [
        plain("../evil"),
        plain("/tmp/evil"),
        plain("papers/../../evil"),
        plain("papers/2605.00001/../../../evil"),
        plain("papers/evil"),
        plain("papers/2605.00001/.hidden"),
        plain("papers/2605.00001/a/b"),
        plain("papers/2605.00001v2/meta.json"),
        plain("papers/ 2605.00001/meta.json"),
        plain("papers//meta.json"),
        plain("papers/2605.00001/"),
        plain("secret_key"),
        plain("locks/serve.lock"),
        plain("restore/ready"),
        plain("papersite.sqlite3-wal"),
        plain("./papersite.sqlite3"),
        plain("PAPERS/2605.00001/meta.json"),
        plain("manifest.json"),
        plain(f"{PAPER}{'x' * 200}"),
        special(f"{PAPER}link", tarfile.SYMTYPE),
        special(f"{PAPER}hard", tarfile.LNKTYPE, "papersite.sqlite3"),
        special(f"{PAPER}device", tarfile.CHRTYPE),
        special(f"{PAPER}pipe", tarfile.FIFOTYPE),
        special("papers", tarfile.SYMTYPE, "/tmp"),
        special("papers/2605.00099", tarfile.DIRTYPE),
        special(f"{PAPER}extended", tarfile.XHDTYPE),
    ],
    ids=lambda member: f"{member[0].type.decode()}-{member[0].name[:40]}",
)
def test_a_member_that_no_backup_has(refused, genuine, tmp_path, member):
    members = [member, *members_of(genuine)]
    path = forge(tmp_path / "evil.tar.gz", manifest_for(manifest_of(genuine), members), members)
    assert refused(path)
    assert not (tmp_path / "evil").exists()
    assert not list(tmp_path.parent.glob("evil"))


def test_a_file_twice(refused, genuine, tmp_path):
    members = [*members_of(genuine), plain(f"{PAPER}meta.json")]
    path = forge(tmp_path / "a", manifest_for(manifest_of(genuine), members), members)
    assert "twice" in refused(path)


def test_no_database(refused, genuine, tmp_path):
    members = [member for member in members_of(genuine) if member[0].name != DATABASE]
    assert "no database" in refused(forge(tmp_path / "a", manifest_for(manifest_of(genuine), members), members))


# ---------------------------------------------------------------- manifests


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"format": 2}, "update Papersite"),
        ({"format": "1"}, "manifest cannot be read"),
        ({"migrations": ["papers.9999_from_the_future"]}, "newer Papersite"),
        ({"migrations": ["chat.0001_initial"]}, "newer Papersite"),
        ({"migrations": []}, "not the one"),
        ({"migrations": "all"}, "manifest cannot be read"),
        ({"rows": {}}, "not the one"),
        ({"made_at": "yesterday"}, "manifest cannot be read"),
        ({"origin": "elsewhere"}, "manifest cannot be read"),
        ({"files": {"count": 4, "size": 10**6, "sha256": "0" * 64, "left_out": 0}}, "checksum of its files"),
        ({"files": {"count": 4, "size": 10, "sha256": "0" * 64, "left_out": 0}}, "larger than its manifest"),
        ({"files": {"count": -1, "size": 10, "sha256": "0" * 64, "left_out": 0}}, "manifest cannot be read"),
        ({"database": {"size": 100, "sha256": "0" * 64}}, "larger than its manifest"),
        ({"database": {"size": 10**7, "sha256": "0" * 64}}, "checksum of its database"),
        ({"database": None}, "manifest cannot be read"),
    ],
    ids=lambda value: str(value)[:60] if isinstance(value, dict) else "",
)
def test_a_wrong_manifest(refused, genuine, tmp_path, changes, reason):
    members = members_of(genuine)
    path = forge(tmp_path / "a", manifest_for(manifest_of(genuine), members, **changes), members)
    assert reason in refused(path)


@pytest.mark.parametrize("content", [b"[]", b"{}", b"[" * 5000, b"\xff\xfe", b"null"], ids=repr)
def test_a_manifest_that_is_none(refused, genuine, tmp_path, content):
    members = members_of(genuine)
    assert "manifest cannot be read" in refused(forge(tmp_path / "a", content.ljust(16384), members))


def test_more_than_fits_on_the_disk(refused, genuine, tmp_path):
    members = members_of(genuine)
    database = {"size": 10**18, "sha256": "0" * 64}
    path = forge(tmp_path / "a", manifest_for(manifest_of(genuine), members, database=database), members)
    assert "are needed" in refused(path, NotEnoughSpace)


# ---------------------------------------------------------------- databases


def forged_database(genuine, tmp_path, change):
    """A genuine archive with another database, its manifest put right."""
    members = [
        (plain(DATABASE, change(content)) if info.name == DATABASE else (info, content))
        for info, content in members_of(genuine)
    ]
    return forge(tmp_path / "a", manifest_for(manifest_of(genuine), members), members)


def damaged(content):
    return content[:20_000] + b"\x55" * 40_000 + content[60_000:]


@pytest.mark.parametrize("change", [damaged, lambda _content: b"no database" * 1000], ids=["damaged", "no-database"])
def test_a_damaged_database(refused, genuine, tmp_path, change):
    assert "database" in refused(forged_database(genuine, tmp_path, change))


def test_a_database_without_its_tables(refused, genuine, tmp_path):
    def without_papers(content):
        path = tmp_path / "other.sqlite3"
        path.write_bytes(content)
        with sqlite3.connect(path) as database:
            database.execute("DROP TABLE summary_status")
            database.commit()
        return path.read_bytes()

    assert "not the one" in refused(forged_database(genuine, tmp_path, without_papers))


# ---------------------------------------------------------------- the data in use


def test_while_the_site_is_served(refused, installed, genuine):
    with serving_alone(installed):
        assert f"process {os.getpid()}" in refused(genuine, AlreadyServing)


def test_while_a_command_works(refused, installed, genuine):
    from operations.backup.data_lock import using_data

    with using_data(installed):
        assert "another command" in refused(genuine, DataInUse)


def test_while_someone_has_the_database_open(refused, installed, genuine):
    other = sqlite3.connect(installed / DATABASE)
    other.execute("PRAGMA journal_mode = WAL")
    other.execute("SELECT * FROM kept").fetchall()
    try:
        assert "open" in refused(genuine, DataInUse)
    finally:
        other.close()


def test_the_genuine_archive_is_not_refused(genuine, elsewhere, restore_into, django_db_blocker):
    with django_db_blocker.unblock():
        restore_into(genuine, elsewhere)
        assert check_data(elsewhere) == "All is well.\n"


def test_a_forgery_that_is_right_is_not_refused(genuine, tmp_path, elsewhere, restore_into, django_db_blocker):
    members = members_of(genuine)
    path = forge(tmp_path / "a", manifest_for(manifest_of(genuine), members), members)
    with django_db_blocker.unblock():
        restore_into(with_bytes(path, lambda content: content), elsewhere)
