"""The text of a paper from its files, with conversions in a child process as in production."""

import random
from pathlib import Path

import pytest

from operations.assets import paper_text
from operations.assets.errors import NoText, PaperWithdrawn
from operations.assets.isolation import Limits
from operations.assets.paper_text import PaperText, TextPiece, text_of_files
from tests.assets.files import PROSE, document, gz, pdf, tar, tar_gz

SOURCE = tar_gz(("main.tex", document(f"\\section{{Intro}}{PROSE}\\section{{Method}}\\subsection{{Steps}}{PROSE}")))


def _text(folder: Path, source: bytes | None = None, paper: bytes | None = None) -> PaperText:
    if source is not None:
        (folder / "source.download").write_bytes(source)
    if paper is not None:
        (folder / "paper.pdf").write_bytes(paper)
    return text_of_files(folder)


def test_a_source_gives_pieces_with_heading_and_file(tmp_path: Path):
    text = _text(tmp_path, SOURCE, pdf("not used"))
    assert (text.source, text.is_cut) == ("latex", False)
    assert [(piece.section, piece.origin) for piece in text.pieces] == [
        ("Intro", "main.tex"),
        ("Method", "main.tex"),
        ("Steps", "main.tex"),
    ]
    assert text.as_text() == f"## Intro\n\n{PROSE.strip()}\n\n## Method\n\n## Steps\n\n{PROSE.strip()}"


def test_a_single_gzipped_file_is_a_source(tmp_path: Path):
    assert _text(tmp_path, gz(document())).source == "latex"


@pytest.mark.parametrize("data", [pdf(PROSE, PROSE), gz(pdf(PROSE, PROSE))])
def test_a_source_that_is_a_pdf_is_read_as_one(tmp_path: Path, data: bytes):
    text = _text(tmp_path, data)
    assert (text.source, [piece.origin for piece in text.pieces]) == ("pdf", ["page 1", "page 2"])


@pytest.mark.parametrize(
    "source",
    [b"<html>", b"%!PS", b"", SOURCE[:80], gz(document("Too short.")), tar_gz(("readme.txt", b"x"))],
)
def test_where_the_source_gives_nothing_the_pdf_does(tmp_path: Path, source: bytes):
    assert _text(tmp_path, source, pdf(PROSE)).source == "pdf"


@pytest.mark.parametrize(
    ("source", "paper", "reason"),
    [
        (b"<html>captcha", b"<html>captcha", "the source is an HTML page; what came as the PDF is an HTML page"),
        (None, b"<!doctype html>", "what came as the PDF is an HTML page"),
        (b"%!PS-Adobe", b"", "the source is PostScript; what came as the PDF is empty"),
        (None, None, "there is neither source nor PDF"),
        (None, pdf("Scan", ""), "the PDF holds no more than 4 letters of text on its 2 pages (a scan?)"),
        (gz(document("Short.")), None, "the source holds no more than 5 letters of text"),
        (tar_gz(("a.png", b"x")), None, "the source holds no TeX"),
    ],
)
def test_without_text_the_reason_names_what_there_was(
    tmp_path: Path, source: bytes | None, paper: bytes | None, reason: str
):
    with pytest.raises(NoText) as caught:
        _text(tmp_path, source, paper)
    assert caught.value.reason == reason


def test_a_withdrawal_does_not_fall_back_to_the_pdf(tmp_path: Path):
    with pytest.raises(PaperWithdrawn, match="error in Lemma 2"):
        _text(tmp_path, gz(b"%auto-ignore\nwithdrawn: an error in Lemma 2"), pdf(PROSE))


def test_running_again_over_leftovers_changes_nothing(tmp_path: Path):
    first = _text(tmp_path, SOURCE)
    (tmp_path / "source" / "main.tex").write_text("other")
    assert _text(tmp_path, SOURCE) == first


def test_a_child_that_takes_too_long_is_named(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(paper_text, "_LATEX_LIMITS", Limits(seconds=0.01))
    with pytest.raises(NoText, match=r"reading the source took longer than 0\.01 s"):
        _text(tmp_path, SOURCE)


def test_a_child_that_grows_too_much_is_named(tmp_path: Path, monkeypatch):
    monkeypatch.setattr(paper_text, "_LATEX_LIMITS", Limits(memory_bytes=24 * 1024 * 1024))
    with pytest.raises(NoText, match="reading the source"):
        _text(tmp_path, SOURCE)


def test_a_single_line_of_50_mb_is_left_out(tmp_path: Path):
    line = random.Random(1).randbytes(1_000_000).hex().encode() * 25
    source = tar(("huge.tex", b"\\documentclass{article}\\begin{document}" + line), ("main.tex", document()))
    assert {piece.origin for piece in _text(tmp_path, source).pieces} == {"main.tex"}


def test_text_is_clean_whatever_the_source_holds(tmp_path: Path):
    body = PROSE.encode() + b"nul\0 bell\7 esc\x1b[31m \xed\xa0\x80 \xff\r\nend \x01" + b"9\x02"
    text = _text(tmp_path, document().replace(PROSE.encode(), body)).as_text()
    assert not any(ord(character) < 32 and character != "\n" for character in text)
    text.encode("utf-8")


def test_headings_stand_once_over_pieces_that_share_them():
    text = PaperText((TextPiece("", "a", "x"), TextPiece("H", "b", "x"), TextPiece("H", "c", "y")), "latex")
    assert text.as_text() == "a\n\n## H\n\nb\n\nc"
