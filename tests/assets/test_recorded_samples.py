"""Every recorded source and PDF ends in text or in an error with a name, and nothing lies outside its folder."""

import shutil
from pathlib import Path

import pytest

from operations.assets.errors import AssetError, NoText, PaperWithdrawn
from operations.assets.latex_main import main_file
from operations.assets.paper_text import PaperText, text_of_files
from operations.assets.unpack import unpack_source

ESCAPED = Path("/tmp/papersite-escape.tex")


def _text(tmp_path: Path, sample: Path, name: str) -> PaperText:
    folder = tmp_path / "folder"
    folder.mkdir()
    shutil.copyfile(sample, folder / name)
    try:
        return text_of_files(folder)
    finally:
        assert not ESCAPED.exists()
        assert [path.name for path in tmp_path.iterdir()] == ["folder"]
        assert {path.name for path in folder.iterdir()} <= {name, "source"}
        assert not any(path.is_symlink() for path in folder.rglob("*"))


LATEX = [
    ("browse_2101.10016.gz", PaperWithdrawn, "nothing but the mark"),
    ("browse_2403.10561.html.gz", NoText, "an HTML page"),
    ("browse_9901011.tar.gz", NoText, "no TeX"),
    ("derived_absolute.tar.gz", NoText, "letters of text"),
    ("derived_device.tar.gz", NoText, "letters of text"),
    ("derived_html-instead.tar.gz", NoText, "an HTML page"),
    ("derived_no-tex.tar.gz", NoText, "no TeX"),
    ("derived_symlink.tar.gz", NoText, "letters of text"),
    ("derived_truncated.tar.gz", NoText, "damaged or cut short"),
    ("derived_two-mains.tar.gz", NoText, "letters of text"),
    ("derived_withdrawn.gz", PaperWithdrawn, "due to an error in Lemma 2"),
]
PAPERS = [
    ("derived_1707.08043_single-tex.gz", 20_000, {"Introduction", "Preliminary facts", "Main Result"}),
    ("engrafo_1707.08043.tar.gz", 20_000, {"Introduction", "Preliminary facts", "Main Result"}),
    ("engrafo_1803.07574.tar.gz", 40_000, {"Introduction", "Synthetic Data", "Real Data", "Conclusion"}),
    ("latex-cleaner_test-project.tar.gz", 300, set()),
]


@pytest.mark.parametrize(("name", "error", "reason"), LATEX)
def test_a_source_without_text_says_why(tmp_path: Path, recorded: Path, name: str, error: type, reason: str):
    with pytest.raises(error, match=reason):
        _text(tmp_path, recorded / "latex_samples" / name, "source.download")


@pytest.mark.parametrize(("name", "characters", "sections"), PAPERS)
def test_a_real_source_gives_its_text(tmp_path: Path, recorded: Path, name: str, characters: int, sections: set[str]):
    text = _text(tmp_path, recorded / "latex_samples" / name, "source.download")
    assert text.source == "latex"
    assert len(text.as_text()) > characters
    assert {piece.section for piece in text.pieces} >= sections
    assert "\\cite" not in text.as_text()


def test_no_recorded_source_is_forgotten_here(recorded: Path):
    names = {path.name for path in (recorded / "latex_samples").iterdir()}
    assert names == {row[0] for row in LATEX} | {row[0] for row in PAPERS}


def test_of_two_main_files_the_named_one_is_the_paper(tmp_path: Path, recorded: Path):
    unpack_source(recorded / "latex_samples" / "derived_two-mains.tar.gz", tmp_path / "source")
    assert main_file(tmp_path / "source").name == "paper.tex"


def test_no_text_of_the_cleaned_project_was_meant_to_be_gone(tmp_path: Path, recorded: Path):
    text = _text(
        tmp_path, recorded / "latex_samples" / "latex-cleaner_test-project.tar.gz", "source.download"
    ).as_text()
    assert "Expect me (else block of iffalse)!" in text
    assert "shall be gone" not in text
    assert "omment" not in text


def test_every_real_paper_in_pdf_gives_text(tmp_path: Path, recorded: Path):
    for sample in sorted((recorded / "pdf_samples" / "arxiv").iterdir()):
        folder = tmp_path / sample.stem
        folder.mkdir()
        text = _text(folder, sample, "paper.pdf")
        assert len(text.as_text()) > 15_000, sample.name


def test_every_awkward_pdf_ends_in_text_or_a_named_error(tmp_path: Path, recorded: Path):
    failed = {}
    for sample in sorted((recorded / "pdf_samples" / "odd").iterdir()):
        folder = tmp_path / sample.stem
        folder.mkdir()
        try:
            _text(folder, sample, "paper.pdf")
        except AssetError as error:
            failed[sample.stem] = error.reason
    assert failed["pypdf_r6-user-password"] == "the PDF is encrypted"
    assert "a scan" in failed["pdfjs_scan-bad"]
    assert "damaged" in failed["pdfjs_poppler-395-0-fuzzed"]
    assert "do not say which letters" in failed["pdfjs_TAMReview"]
    assert "pdfjs_tracemonkey" not in failed
    assert "pypdf_Seige_of_Vicksburg_Sample_OCR" not in failed
