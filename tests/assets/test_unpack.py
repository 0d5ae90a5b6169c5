"""Unpacking archives that mean harm, or came to harm."""

import random
import tarfile
from pathlib import Path

import pytest

from operations.assets import unpack
from operations.assets.errors import NoText
from operations.assets.unpack import Unpacked, unpack_source
from tests.assets.files import document, gz, member, tar, tar_gz

MAIN = ("main.tex", document())


def _unpack(tmp_path: Path, data: bytes) -> Unpacked:
    source = tmp_path / "outer" / "source.download"
    source.parent.mkdir(exist_ok=True)
    source.write_bytes(data)
    result = unpack_source(source, source.parent / "source")
    _assert_nothing_outside(tmp_path)
    return result


def _assert_nothing_outside(tmp_path: Path) -> None:
    assert {path.name for path in tmp_path.iterdir()} == {"outer"}
    assert {path.name for path in (tmp_path / "outer").iterdir()} == {"source.download", "source"}
    for path in (tmp_path / "outer" / "source").rglob("*"):
        assert not path.is_symlink()
        assert path.is_dir() or path.is_file()


def test_only_what_text_needs_is_kept(tmp_path: Path):
    result = _unpack(
        tmp_path,
        tar_gz(
            MAIN,
            ("./sections/intro.tex", b"Words."),
            ("sections/noending", b"\\section{X} Words."),
            ("main.bbl", b"\\begin{thebibliography}"),
            ("00README.json", b"{}"),
            ("figure.png", b"\x89PNG"),
            ("picture.tex", b"%PDF-1.4 "),
            ("plot.eps", b"%!PS \\documentclass"),
            ("data", b"\0\1\2"),
            ("refs.bib", b"@misc{x}"),
        ),
    )
    assert result.files == ["main.tex", "sections/intro.tex", "sections/noending", "main.bbl", "00README.json"]
    assert not result.truncated
    assert (tmp_path / "outer/source/sections/intro.tex").read_bytes() == b"Words."


@pytest.mark.parametrize(
    "name",
    [
        "/tmp/papersite-escape.tex",
        "../escape.tex",
        "a/../../escape.tex",
        "..",
        "a\\..\\escape.tex",
        "C:escape.tex",
        "new\nline.tex",
        "bell\a.tex",
        "bidi\u202etxet.tex",
        "a" * 250 + ".tex",
        "d/" * 20 + "deep.tex",
        "long/" * 90 + "x.tex",
    ],
)
def test_a_member_with_a_dangerous_name_is_left_out_and_the_rest_kept(tmp_path: Path, name: str):
    result = _unpack(tmp_path, tar_gz((name, document()), MAIN))
    assert result.files == ["main.tex"]
    assert len(result.left_out) == 1
    assert result.left_out[0][0].isprintable()
    assert not Path("/tmp/papersite-escape.tex").exists()


@pytest.mark.parametrize(
    ("kind", "target"),
    [
        (tarfile.SYMTYPE, "/etc/passwd"),
        (tarfile.SYMTYPE, "main.tex"),
        (tarfile.LNKTYPE, "../../x"),
        (tarfile.LNKTYPE, "main.tex"),
        (tarfile.FIFOTYPE, ""),
        (tarfile.CHRTYPE, ""),
        (tarfile.BLKTYPE, ""),
        (b"Z", ""),
    ],
)
def test_links_devices_and_pipes_are_never_made(tmp_path: Path, kind: bytes, target: str):
    result = _unpack(tmp_path, tar_gz(member("trap.tex", kind, target), MAIN))
    assert "main.tex" in result.files
    trap = tmp_path / "outer/source/trap.tex"
    assert not trap.exists() or trap.read_bytes() == b""  # an unknown type is a plain file, as for tar


def test_a_file_cannot_be_written_through_a_link_or_below_a_file(tmp_path: Path):
    result = _unpack(
        tmp_path,
        tar_gz(
            member("dir", tarfile.SYMTYPE, "/tmp"),
            ("dir/papersite-escape.tex", document()),
            MAIN,
            ("main.tex/x.tex", b"x"),
        ),
    )
    assert result.files == ["dir/papersite-escape.tex", "main.tex"]
    assert not Path("/tmp/papersite-escape.tex").exists()


def test_of_two_members_with_one_name_the_later_counts(tmp_path: Path):
    result = _unpack(tmp_path, tar_gz(("a.tex", b"first"), ("./a.tex", b"second"), ("A.tex", b"other")))
    assert result.files == ["a.tex", "A.tex"]
    assert (tmp_path / "outer/source/a.tex").read_bytes() == b"second"


def test_leftovers_of_an_earlier_run_do_no_harm(tmp_path: Path):
    outside = tmp_path / "outer" / "keep"
    for _ in range(2):
        assert _unpack(tmp_path, tar_gz(MAIN)).files == ["main.tex"]
    source = tmp_path / "outer" / "source"
    (source / "old.tex").write_text("old")
    assert _unpack(tmp_path, tar_gz(MAIN)).files == ["main.tex"]
    assert not (source / "old.tex").exists()
    outside.mkdir()
    (outside / "precious").write_text("x")
    source.rename(tmp_path / "outer" / "moved")
    source.symlink_to(outside, target_is_directory=True)
    unpack.clear_folder(source)
    assert not source.is_symlink()
    assert (outside / "precious").exists()


@pytest.mark.parametrize(
    ("limit", "value", "files"),
    [
        ("MAX_MEMBERS", 3, [(f"{number}.tex", b"x") for number in range(4)]),
        ("MAX_KEPT_BYTES", 1000, [("a.tex", b"x" * 600), ("b.tex", b"x" * 600)]),
        ("MAX_STREAM_BYTES", 100_000, [("a.png", random.Random(1).randbytes(200_000))]),
    ],
)
def test_an_archive_over_a_limit_is_refused(tmp_path: Path, monkeypatch, limit: str, value: int, files: list):
    monkeypatch.setattr(unpack, limit, value)
    with pytest.raises(NoText, match="refused"):
        _unpack(tmp_path, tar_gz(*files))


def test_a_member_that_is_too_large_is_left_out(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(unpack, "MAX_FILE_BYTES", 1000)
    assert _unpack(tmp_path, tar_gz(("plot.tex", b"x" * 1001), MAIN)).files == ["main.tex"]


def test_a_bomb_stops_at_the_ratio(tmp_path: Path):
    bomb = gz(b"\\documentclass" + b" " * (64 * 1024 * 1024))
    with pytest.raises(NoText, match="refused"):
        _unpack(tmp_path, bomb)
    header = member("main.tex", size=64 * 1024 * 1024).tobuf()
    with pytest.raises(NoText, match="refused: unpacks to more than"):
        _unpack(tmp_path, gz(header + b"x" * (64 * 1024 * 1024)))


@pytest.mark.parametrize("kind", [tarfile.XHDTYPE, tarfile.XGLTYPE, tarfile.GNUTYPE_LONGNAME])
def test_a_header_that_claims_to_be_huge_is_refused(tmp_path: Path, kind: bytes):
    header = member("header", kind, size=2**33).tobuf(tarfile.GNU_FORMAT)
    with pytest.raises(NoText, match="refused: unpacks to more than"):
        _unpack(tmp_path, gz(header + b"1" * (40 * 1024 * 1024)))


@pytest.mark.parametrize("keep", [0.3, 0.6, 0.95])
def test_a_truncated_archive_says_so_and_leaves_no_half_file(tmp_path: Path, keep: float):
    files = [(f"{number}.tex", document(random.Random(number).randbytes(3000).hex())) for number in range(5)]
    whole = tar_gz(*files)
    result = _unpack(tmp_path, whole[: int(len(whole) * keep)])
    assert result.truncated
    for name in result.files:
        assert (tmp_path / "outer/source" / name).read_bytes() == dict(files)[name]


@pytest.mark.parametrize("cut", [600, 1024, 2000])
def test_a_plain_tar_that_is_cut_says_so(tmp_path: Path, cut: int):
    whole = tar(("a.tex", b"x" * 400), ("b.tex", b"y" * 700))
    assert _unpack(tmp_path, whole[:cut]).truncated


def test_damage_in_the_middle_is_noticed(tmp_path: Path):
    data = bytearray(tar(("a.tex", b"\\section{x}"), ("b.tex", b"y")))
    data[1024:1400] = b"\xff" * 376
    result = _unpack(tmp_path, bytes(data))
    assert result.truncated
    assert result.files == ["a.tex"]


def test_rubbish_after_the_end_of_an_archive_is_no_damage(tmp_path: Path):
    result = _unpack(tmp_path, gz(tar(MAIN) + b"left in the buffer" * 100))
    assert (result.files, result.truncated) == (["main.tex"], False)


@pytest.mark.parametrize("data", [b"", b"<html>", gz(b"<html>"), b"\x89PNG", gz(b"")])
def test_what_is_no_source_is_named(tmp_path: Path, data: bytes):
    with pytest.raises(NoText, match="the source is"):
        _unpack(tmp_path, data)
