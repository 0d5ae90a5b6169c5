"""The text of PDFs, page by page."""

from pathlib import Path

import pytest

from operations.assets import pdf_text
from operations.assets.errors import NoText
from operations.assets.pdf_text import pages_of_pdf
from tests.assets.files import PROSE, pdf


def _write(tmp_path: Path, data: bytes) -> str:
    (tmp_path / "paper.pdf").write_bytes(data)
    return str(tmp_path / "paper.pdf")


def test_each_page_gives_its_text(tmp_path: Path):
    answer = pages_of_pdf(_write(tmp_path, pdf("First page.", "", "Third page.")))
    assert answer == {"pieces": [(1, "First page."), (2, ""), (3, "Third page.")], "pages": 3, "cut": False}


def test_text_and_pages_are_bounded(tmp_path: Path, monkeypatch):
    path = _write(tmp_path, pdf(*[PROSE] * 5))
    monkeypatch.setattr(pdf_text, "MAX_TEXT_CHARACTERS", 700)
    answer = pages_of_pdf(path)
    assert answer["cut"]
    assert sum(len(text) for _, text in answer["pieces"]) == 700
    monkeypatch.setattr(pdf_text, "MAX_TEXT_CHARACTERS", 100_000)
    monkeypatch.setattr(pdf_text, "MAX_PAGES", 2)
    assert [number for number, _ in pages_of_pdf(path)["pieces"]] == [1, 2]
    monkeypatch.setattr(pdf_text, "MAX_PAGE_CHARACTERS", 10)
    assert [text for _, text in pages_of_pdf(path)["pieces"]] == [PROSE[:10]] * 2


@pytest.mark.parametrize("text", ["\x04\x05\x06\x04 a", "\ue012\ue013\ue014 \ue015", "\ufffd" * 9])
def test_glyphs_that_are_no_letters_are_not_taken_for_text(tmp_path: Path, monkeypatch, text: str):
    path = _write(tmp_path, pdf("One", "Two", "Three"))
    monkeypatch.setattr(pdf_text, "_page_text", lambda document, index: text if index else "Title page")
    with pytest.raises(NoText, match="do not say which letters they show, on 2 of its 3 pages"):
        pages_of_pdf(path)
    monkeypatch.setattr(pdf_text, "_page_text", lambda document, index: "Words." if index else text)
    assert pages_of_pdf(path)["pieces"] == [(2, "Words."), (3, "Words.")]


@pytest.mark.parametrize("data", [b"%PDF-1.4\n", b"%PDF-1.7\n" + b"\xff" * 5000, pdf("Hello")[:100], pdf()])
def test_a_damaged_pdf_is_named(tmp_path: Path, data: bytes):
    with pytest.raises(NoText, match=r"the PDF (is damaged|has no pages)"):
        pages_of_pdf(_write(tmp_path, data))


@pytest.mark.parametrize(
    ("raw", "want"), [("aligh\x02\r\nment", "alighment"), ("a\ufffe\nb", "ab"), ("a-\r\nb", "a-\r\nb")]
)
def test_words_broken_over_lines_are_joined(raw: str, want: str):
    assert pdf_text._BROKEN_WORD.sub("", raw) == want
