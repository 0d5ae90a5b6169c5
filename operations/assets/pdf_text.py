"""The text of a PDF, page by page. Runs in a child process: see `isolation`."""

import re
from pathlib import Path

import pypdfium2
from pypdfium2 import raw

from operations.assets.bounds import MAX_TEXT_CHARACTERS
from operations.assets.errors import NoText

MAX_PAGES = 1000
MAX_PAGE_CHARACTERS = 60_000
# PDFium gives U+0002 or U+FFFE for the hyphen of a word that is broken over two lines.
_BROKEN_WORD = re.compile("[\x02\ufffe\xad]\\s*\r?\n?")
# Control and private-use characters: glyphs of a font that does not say which letters they show.
_UNMAPPED = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ue000-\uf8ff\ufffd]")
# A page of formulas has a few of them; a page set in such a font has nothing else.
_MOST_UNMAPPED = 0.3


def pages_of_pdf(path: str) -> dict[str, object]:
    """Return `pieces` of (number of the page from 1, text), the number of `pages`, and whether text was `cut`.

    Raises:
        NoText: the PDF is encrypted, damaged, without pages, or for the most part not readable as letters.
    """
    document = _open(Path(path))
    pieces: list[tuple[int, str]] = []
    left, unreadable = MAX_TEXT_CHARACTERS, 0
    count = len(document)
    if not count:
        raise NoText("the PDF has no pages")
    for index in range(min(count, MAX_PAGES)):
        if left <= 0:
            break
        text = _page_text(document, index)[:left]
        if _is_unreadable(text):
            unreadable += 1
            continue
        left -= len(text)
        pieces.append((index + 1, text))
    if unreadable > len(pieces):
        raise NoText(f"the fonts of the PDF do not say which letters they show, on {unreadable} of its {count} pages")
    return {"pieces": pieces, "pages": count, "cut": left <= 0 or count > MAX_PAGES}


def _is_unreadable(text: str) -> bool:
    return len(_UNMAPPED.findall(text)) > _MOST_UNMAPPED * len(text)


def _open(path: Path) -> pypdfium2.PdfDocument:
    try:
        return pypdfium2.PdfDocument(path)
    except pypdfium2.PdfiumError as error:
        if getattr(error, "err_code", None) == raw.FPDF_ERR_PASSWORD or "password" in str(error).lower():
            raise NoText("the PDF is encrypted") from error
        raise NoText(f"the PDF is damaged: {error}") from error


def _page_text(document: pypdfium2.PdfDocument, index: int) -> str:
    """Return the text of one page, nothing for a page that PDFium cannot read."""
    try:
        page = document[index]
    except pypdfium2.PdfiumError:
        return ""
    try:
        words = page.get_textpage()
        text = words.get_text_range(0, min(words.count_chars(), MAX_PAGE_CHARACTERS), errors="ignore")
    except pypdfium2.PdfiumError:
        return ""
    finally:
        page.close()
    return _BROKEN_WORD.sub("", text)
