"""What a file is, by its content."""

from pathlib import Path

import pytest

from operations.assets.kinds import Kind, content_of
from tests.assets.files import document, gz, pdf, tar


def _old_tar() -> bytes:
    """A tar of the nineties: no `ustar`, another check sum."""
    header = bytearray(tar(("paper.tex", document())))
    header[257:265] = b"\0" * 8
    header[148:156] = b" " * 8
    header[148:156] = b"%06o\0 " % sum(header[:512])
    return bytes(header)


KINDS = [
    (tar(("a.tex", document())), Kind.TAR),
    (_old_tar(), Kind.TAR),
    (document(), Kind.TEX),
    (b"\xef\xbb\xbf" + document(), Kind.TEX),
    (b"\\magnification=1200 \\centerline{A plain paper} \\bye", Kind.TEX),
    (b"% a comment\n\\input harvmac\n", Kind.TEX),
    (pdf("Hello"), Kind.PDF),
    (b"junk before\n" * 20 + pdf("Hello"), Kind.PDF),
    (b"x" * 2000 + pdf("Hello"), Kind.UNKNOWN),
    (b"%!PS-Adobe-2.0\n%%Title: x", Kind.POSTSCRIPT),
    (b"\x04%!PS-Adobe-3.0\n", Kind.POSTSCRIPT),
    (b"<!DOCTYPE html><html><body>reCAPTCHA</body></html>", Kind.HTML),
    (b"\n\n<HTML><HEAD>", Kind.HTML),
    (b"<?xml version='1.0'?>\n<!-- made by hand -->\n<html xmlns='x'>", Kind.HTML),
    (b"%auto-ignore", Kind.WITHDRAWN),
    (b"\n %AUTO-IGNORE\nThis paper has been withdrawn.", Kind.WITHDRAWN),
    (b"", Kind.EMPTY),
    (b" \r\n\0\0\0", Kind.EMPTY),
    (b"\x89PNG\r\n\x1a\n", Kind.UNKNOWN),
    (b"plain words, no commands", Kind.UNKNOWN),
    (b"\0" * 50 + b"\\documentclass", Kind.UNKNOWN),
]


@pytest.mark.parametrize(("data", "kind"), KINDS)
@pytest.mark.parametrize("gzipped", [False, True])
def test_a_file_is_judged_by_its_content(tmp_path: Path, data: bytes, kind: Kind, gzipped: bool):
    path = tmp_path / "misleading.pdf"
    path.write_bytes(gz(data) if gzipped else data)
    content = content_of(path)
    assert (content.kind, content.gzipped) == (kind, gzipped)


@pytest.mark.parametrize("data", [b"\x1f\x8b", b"\x1f\x8b\x08\0\0", gz(b"a few words" * 50)[:25], b"\x1f\x8bnonsense"])
def test_a_gzip_that_is_cut_short_or_rubbish_is_called_damaged(tmp_path: Path, data: bytes):
    (tmp_path / "file").write_bytes(data)
    assert content_of(tmp_path / "file").kind is Kind.DAMAGED


def test_a_gzip_inside_a_gzip_is_of_no_known_kind(tmp_path: Path):
    (tmp_path / "file").write_bytes(gz(gz(document())))
    assert content_of(tmp_path / "file").kind is Kind.UNKNOWN
