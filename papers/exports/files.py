"""Papers as a file in one of five formats."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import prefetch_related_objects

from papers.exports.bibtex import bibtex
from papers.exports.csljson import csljson
from papers.exports.markdown import markdown
from papers.exports.reference import Reference, reference
from papers.exports.ris import ris
from papers.exports.table import table
from papers.models import Paper

# Of one file: what a reference manager takes in at once, and a page's time allows.
MOST_PAPERS = 1_000


class TooManyPapers(ValueError):
    """More papers than one file holds."""


class UnknownFormat(ValueError):
    """A format that is none of the five."""


@dataclass(frozen=True, slots=True)
class ExportFile:
    """A file to be sent: `name` is ASCII."""

    name: str
    content_type: str
    content: bytes


@dataclass(frozen=True, slots=True)
class _Format:
    suffix: str
    content_type: str
    write: Callable[[Sequence[Paper]], str]


def _of_references(write: Callable[[Iterable[Reference]], str]) -> Callable[[Sequence[Paper]], str]:
    return lambda papers: write(reference(paper) for paper in papers)


_FORMATS = {
    "bibtex": _Format("bib", "application/x-bibtex; charset=utf-8", _of_references(bibtex)),
    "ris": _Format("ris", "application/x-research-info-systems; charset=utf-8", _of_references(ris)),
    "csljson": _Format("json", "application/vnd.citationstyles.csl+json; charset=utf-8", _of_references(csljson)),
    "markdown": _Format("md", "text/markdown; charset=utf-8", markdown),
    "csv": _Format("csv", "text/csv; charset=utf-8", table),
}
FORMATS = tuple(_FORMATS)


def export(papers: Iterable[Paper], export_format: str, *, name: str = "papers") -> ExportFile:
    """Return `papers` in their order as a file, in a bounded number of queries.

    `name` is what the file is called, without the suffix; what is not plain ASCII in it becomes a hyphen.

    Raises:
        UnknownFormat: `export_format` is none of `FORMATS`.
        TooManyPapers: there are more than `MOST_PAPERS`.
    """
    chosen = _FORMATS.get(export_format)
    if chosen is None:
        raise UnknownFormat(export_format[:40])
    listed = list(papers)
    if len(listed) > MOST_PAPERS:
        raise TooManyPapers(f"{len(listed)} papers; one file holds {MOST_PAPERS}")
    prefetch_related_objects(listed, "authors", "tags", "summary")
    return ExportFile(f"{_plain_name(name)}.{chosen.suffix}", chosen.content_type, chosen.write(listed).encode("utf-8"))


def _plain_name(name: str) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", name).strip("-.")[:80] or "papers"
