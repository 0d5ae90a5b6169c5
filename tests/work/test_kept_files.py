"""What is kept of an attempt is read safely, whatever lies in the folder, and shown as it is."""

import os

import pytest

from operations.files import RAW_NAME, paper_folder
from operations.kept_files import LONGEST_SHOWN, Reading, kept_file, shown

ID = "2406.01234"


@pytest.fixture
def folder(data_dir):
    folder = paper_folder(ID)
    folder.mkdir(parents=True)
    return folder


def test_a_file_is_read_with_its_time(folder):
    (folder / RAW_NAME).write_text("<think>你好</think>\r\n", "utf-8")
    os.utime(folder / RAW_NAME, (0, 0))
    file = kept_file(ID, RAW_NAME)
    assert (file.reading, file.shown.text, file.shown.left_out) == (Reading.READ, "<think>你好</think>\n", 0)
    assert file.written_at is not None and file.written_at.year == 1970


def test_what_is_not_there_is_said(folder):
    assert kept_file(ID, RAW_NAME).reading == Reading.MISSING
    assert kept_file("hep-th/9901001", RAW_NAME).reading == Reading.MISSING


def test_bytes_that_are_no_text_are_replaced(folder):
    (folder / RAW_NAME).write_bytes(b"a\xff\xfeb\xed\xa0\x80")
    assert kept_file(ID, RAW_NAME).shown.text == "a\ufffd\ufffdb\ufffd\ufffd\ufffd"


def test_a_link_is_not_followed_wherever_it_leads(folder, data_dir):
    for target in (data_dir / "secret_key", data_dir.parent / "elsewhere"):
        target.write_text("SECRET", "utf-8")
        (folder / RAW_NAME).unlink(missing_ok=True)
        (folder / RAW_NAME).symlink_to(target)
        file = kept_file(ID, RAW_NAME)
        assert (file.reading, file.shown.text) == (Reading.REFUSED, "")


@pytest.mark.parametrize("link", ["papers/2406.01234", "papers"])
def test_a_folder_that_lies_elsewhere_is_not_read(data_dir, tmp_path_factory, link):
    elsewhere = tmp_path_factory.mktemp("elsewhere")
    inside = elsewhere / "2406.01234" if link == "papers" else elsewhere
    inside.mkdir(exist_ok=True)
    (inside / RAW_NAME).write_text("SECRET", "utf-8")
    (data_dir / link).parent.mkdir(exist_ok=True)
    (data_dir / link).symlink_to(elsewhere, target_is_directory=True)
    assert kept_file(ID, RAW_NAME).reading == Reading.REFUSED


def test_a_data_folder_behind_a_link_is_read(tmp_path, settings):
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"data_dir": tmp_path / "link"})
    paper_folder(ID).mkdir(parents=True)
    (paper_folder(ID) / RAW_NAME).write_text("x", "utf-8")
    assert kept_file(ID, RAW_NAME).reading == Reading.READ


def test_a_pipe_is_not_waited_for_nor_a_folder_read(folder):
    os.mkfifo(folder / RAW_NAME)
    assert kept_file(ID, RAW_NAME).reading == Reading.REFUSED
    (folder / RAW_NAME).unlink()
    (folder / RAW_NAME).mkdir()
    assert kept_file(ID, RAW_NAME).reading == Reading.REFUSED


def test_a_long_text_is_cut_and_the_rest_counted(folder):
    (folder / RAW_NAME).write_text("文" * (LONGEST_SHOWN + 17), "utf-8")
    text = kept_file(ID, RAW_NAME).shown
    assert (len(text.text), text.left_out) == (LONGEST_SHOWN, 17)


@pytest.mark.parametrize(
    ("text", "visible"),
    [
        ("a\tb\nc", "a\tb\nc"),
        ("\x00\x1b[31m\x7f\r", "␀␛[31m␡␍"),
        ("\x85\u202eexe.txt\u200b\ufeff", "⟦U+0085⟧⟦U+202E⟧exe.txt⟦U+200B⟧⟦U+FEFF⟧"),
        ("\ud800", "⟦U+D800⟧"),
        ("\U000e0041", "⟦U+E0041⟧"),
    ],
    ids=["lines", "controls", "turned and hidden", "surrogate", "tags"],
)
def test_what_cannot_be_seen_is_made_visible(text, visible):
    assert shown(text).text == visible
