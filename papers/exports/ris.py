"""RIS, a line for each field; every value is one line, so that none can end its reference."""

from collections.abc import Iterable
from typing import Any

from rispy import RisWriter

from papers.exports.reference import Reference


def ris(references: Iterable[Reference]) -> str:
    """Return the references as an RIS file, with the line ends that the format asks for."""
    return _Writer().formats([_fields(reference) for reference in references])


class _Writer(RisWriter):
    """Without the numbers that rispy puts before each reference, which are no part of the format."""

    NEWLINE = "\r\n"

    def set_header(self, count: int) -> str:
        """Write nothing before a reference."""
        return ""


def _fields(reference: Reference) -> dict[str, Any]:
    date = reference.date
    fields: dict[str, Any] = {
        "type_of_reference": "UNPB",
        "id": reference.key,
        "title": reference.title,
        "translated_title": reference.title_zh,
        "authors": [name.inverted for name in reference.authors],
        "year": str(date.year),
        "date": f"{date.year:04}/{date.month:02}/{date.day:02}/",
        "publisher": "arXiv",
        "type_of_work": "Preprint",
        "number": f"arXiv:{reference.arxiv_id}",
        "doi": reference.doi,
        "urls": [reference.url],
        "file_attachments1": reference.pdf_url,
        "keywords": list(reference.keywords),
        "abstract": reference.abstract,
        "notes": [reference.one_line] if reference.one_line else [],
    }
    return {name: value for name, value in fields.items() if value}
