"""Fetching a paper's files and taking the text out of them."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from operations.assets.errors import NoText
from operations.assets.kinds import Kind, content_of
from operations.assets.paper_text import PDF_FILE, SOURCE_FILE, PaperText, clear_files, text_of_pdf, text_of_source
from operations.http.client import PoliteClient
from operations.http.errors import CutShort, NotFound, SourceError, SourceUnavailable

Download = Callable[[PoliteClient, str, Path], Any]


def obtain_text(
    arxiv_id: str, folder: Path, client: PoliteClient, download_source: Download, download_pdf: Download
) -> PaperText:
    """Download a paper's source, or failing that its PDF, into `folder`, and return its text.

    Leftovers of an earlier run are removed first; the folder is the caller's to remove. A source that is a PDF is not
    asked for twice.

    Raises:
        PaperWithdrawn: the source says so.
        NoText: neither gives text; the reason names both.
        SourceUnavailable: arXiv cannot be reached now, which says nothing of the paper.
    """
    clear_files(folder)
    source, pdf = folder / SOURCE_FILE, folder / PDF_FILE
    try:
        _download("source", download_source, client, arxiv_id, source)
        return text_of_source(source)
    except NoText as error:
        if source.is_file() and content_of(source).kind is Kind.PDF:
            raise
        source_reason = error.reason
    try:
        _download("PDF", download_pdf, client, arxiv_id, pdf)
        return text_of_pdf(pdf)
    except NoText as error:
        raise NoText(f"{source_reason}; {error.reason}") from error


def _download(what: str, download: Download, client: PoliteClient, arxiv_id: str, path: Path) -> None:
    """Download one file; what only this file lacks becomes NoText, trouble of the source goes on as it is."""
    try:
        download(client, arxiv_id, path)
    except CutShort as error:
        raise NoText(f"the {what} is cut short each time") from error
    except SourceUnavailable:
        raise
    except NotFound as error:
        raise NoText(f"arXiv has no {what}") from error
    except SourceError as error:
        raise NoText(f"the {what} cannot be downloaded: {error}") from error
