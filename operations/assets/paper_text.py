"""The text of a paper from the files that were downloaded."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from operations.assets.bounds import MIN_LETTERS, letters_in
from operations.assets.errors import AssetError, NoText, PaperWithdrawn
from operations.assets.isolation import ChildError, IsolationError, Limits, run_isolated
from operations.assets.kinds import Content, Kind, content_of
from operations.assets.streams import SourceStream, StreamTooLarge, copy_stream
from operations.assets.unpack import clear_folder
from papers.text import without_controls

logger = logging.getLogger(__name__)

# Names inside a paper's temporary folder.
SOURCE_FILE = "source.download"
SOURCE_FOLDER = "source"
PDF_FILE = "paper.pdf"
UNPACKED_PDF_FILE = "source.pdf"

_MIB = 1024 * 1024
MAX_PDF_BYTES = 200 * _MIB
# A thesis of 400 pages takes two seconds, a source of 60 MB three.
_LATEX_LIMITS = Limits(seconds=90, cpu_seconds=60, memory_bytes=1024 * _MIB)
# PDFium reads the whole file into memory, and pictures of its pages are never made.
_PDF_LIMITS = Limits(seconds=90, cpu_seconds=60, memory_bytes=2048 * _MIB)


@dataclass(frozen=True)
class TextPiece:
    """A part of a paper's text. `section` is its heading, maybe empty; `origin` the source's file, or `page N`."""

    section: str
    text: str
    origin: str


@dataclass(frozen=True)
class PaperText:
    """The text of a paper in its order. `is_cut` says that the end of a very long one is left out."""

    pieces: tuple[TextPiece, ...]
    source: Literal["latex", "pdf"]
    is_cut: bool = False

    def as_text(self) -> str:
        """Return the whole as one text, with a `## ` line for each heading."""
        lines: list[str] = []
        before = ""
        for piece in self.pieces:
            if piece.section and piece.section != before:
                lines.append(f"## {piece.section}")
            before = piece.section
            if piece.text:
                lines.append(piece.text)
        return "\n\n".join(lines)


def clear_files(folder: Path) -> None:
    """Make `folder` if need be, and remove what an earlier run of this package may have left in it."""
    folder.mkdir(parents=True, exist_ok=True)
    clear_folder(folder / SOURCE_FOLDER)
    (folder / SOURCE_FOLDER).rmdir()
    for name in (SOURCE_FILE, PDF_FILE, UNPACKED_PDF_FILE):
        (folder / name).unlink(missing_ok=True)


def text_of_files(folder: Path) -> PaperText:
    """Return the text of a paper whose files lie in `folder`: `source.download` as arXiv sent it, `paper.pdf`, or both.

    The source is tried first; one that is itself a PDF counts as such.

    Raises:
        PaperWithdrawn: the source says so.
        NoText: neither gives text; the reason names both.
    """
    reasons: list[str] = []
    for name, read in ((SOURCE_FILE, text_of_source), (PDF_FILE, text_of_pdf)):
        if not (folder / name).is_file():
            continue
        try:
            return read(folder / name)
        except NoText as error:
            reasons.append(error.reason)
    raise NoText("; ".join(reasons) or "there is neither source nor PDF")


def text_of_source(path: Path) -> PaperText:
    """Return the text of a source as arXiv sent it, unpacking it beside `path`.

    Raises:
        PaperWithdrawn, NoText: see their classes.
    """
    content = content_of(path)
    if content.kind is Kind.PDF:
        return text_of_pdf(_plain_pdf(path, content))
    if content.kind not in (Kind.TAR, Kind.TEX, Kind.WITHDRAWN):
        raise NoText(f"the source is {content.kind}")
    arguments = {"source": str(path), "folder": str(path.with_name(SOURCE_FOLDER))}
    answer = _ask_child("source", "operations.assets.latex_text:pieces_of_source", arguments, _LATEX_LIMITS)
    return _paper_text("latex", answer["pieces"], is_cut=answer["cut"])


def text_of_pdf(path: Path) -> PaperText:
    """Return the text of a PDF, a piece for each page that has some.

    Raises:
        NoText: it is none, or has no text that a machine can read.
    """
    kind = content_of(path).kind
    if kind is not Kind.PDF:
        raise NoText(f"what came as the PDF is {kind}")
    if path.stat().st_size > MAX_PDF_BYTES:
        raise NoText(f"the PDF is larger than {MAX_PDF_BYTES:,} bytes")
    answer = _ask_child("PDF", "operations.assets.pdf_text:pages_of_pdf", {"path": str(path)}, _PDF_LIMITS)
    pieces = [("", text, f"page {number}") for number, text in answer["pieces"]]
    try:
        return _paper_text("pdf", pieces, is_cut=answer["cut"])
    except NoText as error:
        raise NoText(f"{error.reason} on its {answer['pages']} pages (a scan?)") from error


def _plain_pdf(path: Path, content: Content) -> Path:
    """Return the path of a PDF that came as source, unpacked where it was gzipped."""
    if not content.gzipped:
        return path
    target = path.with_name(UNPACKED_PDF_FILE)
    target.unlink(missing_ok=True)
    try:
        with SourceStream(path, MAX_PDF_BYTES) as stream:
            copy_stream(stream, target)
    except StreamTooLarge as error:
        raise NoText(f"the source, a gzipped PDF, is refused: {error}") from error
    return target


def _ask_child(what: str, function: str, arguments: dict[str, str], limits: Limits) -> dict:
    """Run the conversion of untrusted files elsewhere, and give its failures their names."""
    try:
        return run_isolated(function, arguments, limits)
    except ChildError as error:
        raise _named(what, error) from error
    except IsolationError as error:
        raise NoText(f"reading the {what} {error}") from error


def _named(what: str, error: ChildError) -> AssetError:
    if error.kind == "PaperWithdrawn":
        return PaperWithdrawn(error.message)
    if error.kind == "NoText":
        return NoText(error.message)
    if error.kind == "MemoryError":
        return NoText(f"reading the {what} took more memory than allowed")
    logger.warning("reading a %s failed: %s\n%s", what, error, error.traceback)
    return NoText(f"reading the {what} failed: {error}")


def _paper_text(source: Literal["latex", "pdf"], parts: Iterable[Sequence[str]], *, is_cut: bool) -> PaperText:
    """Clean the parts once more, whatever the child made of them, and see that there is enough."""
    cleaned = (TextPiece(section, without_controls(text).strip(), origin) for section, text, origin in parts)
    pieces = tuple(piece for piece in cleaned if piece.text or (piece.section and source == "latex"))
    letters = sum(letters_in(piece.text) for piece in pieces)
    if letters < MIN_LETTERS:
        name = "source" if source == "latex" else "PDF"
        raise NoText(f"the {name} holds no more than {letters} letters of text")
    return PaperText(pieces, source, is_cut)
