"""How much room is taken and left."""

from collections import namedtuple

import pytest

from operations import disk_use as disk_use_module
from operations.disk_use import LOW_FREE_BYTES, disk_use, file_sizes, folder_bytes, measure_folders
from operations.models import Measurement
from operations.tasks import cleaning

Disk = namedtuple("Disk", "total used free")


@pytest.fixture
def papers(data_dir):
    folder = data_dir / "papers" / "hep-th" / "9901001"
    folder.mkdir(parents=True)
    (folder / "summary.json").write_bytes(b"x" * 700)
    (data_dir / "papers" / "meta.json").write_bytes(b"x" * 50)
    return data_dir / "papers"


def test_files_of_all_levels_are_added_up_and_links_are_not_followed(papers, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "large").write_bytes(b"x" * 9000)
    (papers / "link").symlink_to(tmp_path / "elsewhere")
    assert 750 <= folder_bytes(papers) < 1000
    assert folder_bytes(papers / "absent") == 0


def test_a_file_that_goes_meanwhile_hides_none_beside_it(papers, monkeypatch):
    (papers / "gone").write_bytes(b"x")
    (papers / "stays").write_bytes(b"x" * 9)
    entry_size = disk_use_module._entry_size
    monkeypatch.setattr(
        disk_use_module, "_entry_size", lambda entry: None if entry.name == "gone" else entry_size(entry)
    )
    assert sorted(file_sizes(papers)) == [9, 50, 700]


@pytest.mark.django_db
def test_the_nightly_cleaning_measures_the_folders(papers):
    assert "papers/ 750 bytes" in cleaning()
    folders = {folder.name: folder for folder in disk_use().folders}
    assert folders["papers"].bytes == 750 and folders["papers"].measured_at
    assert folders["backups"].bytes == 0
    (papers / "more").write_bytes(b"x" * 50)
    measure_folders()
    assert Measurement.objects.get(name="bytes of papers/").value == 800


@pytest.mark.django_db
def test_what_was_never_measured_is_unknown_and_not_nothing(data_dir):
    assert [folder.bytes for folder in disk_use().folders] == [None, None]


@pytest.mark.django_db
def test_the_database_counts_with_what_is_still_to_be_written_into_it(data_dir):
    (data_dir / "papersite.sqlite3").write_bytes(b"x" * 4096)
    (data_dir / "papersite.sqlite3-wal").write_bytes(b"x" * 100)
    assert disk_use().database == 4196


@pytest.mark.django_db
@pytest.mark.parametrize(("free", "is_low"), [(LOW_FREE_BYTES - 1, True), (LOW_FREE_BYTES, False)])
def test_little_room_is_said_early(data_dir, monkeypatch, free, is_low):
    monkeypatch.setattr(disk_use_module.shutil, "disk_usage", lambda path: Disk(10**12, 0, free))
    assert disk_use().is_low is is_low


@pytest.mark.django_db
def test_a_disk_that_cannot_be_read_is_told(data_dir):
    data_dir.rmdir()
    use = disk_use()
    assert (use.total, use.free, use.is_low) == (None, None, True)
