"""What a downloaded file is, judged by its content alone."""

import enum
import re
import tarfile
from dataclasses import dataclass
from pathlib import Path

from operations.assets.streams import head_of

_HEAD_BYTES = 64 * 1024
# Readers of PDF accept its mark within the first KB (ISO 32000-1, annex H, note 13).
_PDF_MARK_WITHIN = 1024
_BOM = b"\xef\xbb\xbf"
_TEX_COMMAND = re.compile(
    rb"\\(?:documentclass|documentstyle|begin\s*\{|section|chapter|title|input|include|magnification|def|newcommand"
    rb"|bye|font|usepackage|centerline|author|abstract|par\b|item\b|cite|label|emph|textbf|caption|hsize|vskip|noindent|eject|halign)"
)
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.{0,2000}?-->\s*)*<(?:!doctype\s+html|html|head|body)\b", re.I | re.S
)


class Kind(enum.StrEnum):
    """The kinds of file that arXiv's doors have been seen to give."""

    TAR = "a tar archive"
    TEX = "TeX"
    PDF = "a PDF"
    POSTSCRIPT = "PostScript"
    HTML = "an HTML page"
    WITHDRAWN = "the note of a withdrawal"
    EMPTY = "empty"
    DAMAGED = "damaged or cut short"
    UNKNOWN = "of no known kind"


@dataclass(frozen=True)
class Content:
    """What a file holds, and whether it is packed with gzip."""

    kind: Kind
    gzipped: bool


def content_of(path: Path) -> Content:
    """Look at the first bytes of `path`, through gzip."""
    head = head_of(path, _HEAD_BYTES)
    kind = kind_of_bytes(head.data)
    if head.damaged and kind in (Kind.EMPTY, Kind.UNKNOWN):
        kind = Kind.DAMAGED
    return Content(kind, head.gzipped)


def kind_of_bytes(head: bytes) -> Kind:
    """Judge by the first 64 KB of a file (fewer may do)."""
    text = head.removeprefix(_BOM)
    if not text.strip(b"\0 \t\r\n"):
        return Kind.EMPTY
    if _HTML.match(text):
        return Kind.HTML
    if b"%PDF-" in head[:_PDF_MARK_WITHIN]:
        return Kind.PDF
    if text.removeprefix(b"\x04").startswith(b"%!PS"):
        return Kind.POSTSCRIPT
    if _is_tar(head):
        return Kind.TAR
    if is_auto_ignored(text):
        return Kind.WITHDRAWN
    return Kind.TEX if looks_like_tex(text) else Kind.UNKNOWN


def is_auto_ignored(head: bytes) -> bool:
    """Tell whether a TeX file begins with arXiv's mark "do not process this"."""
    return head.removeprefix(_BOM).lstrip().lower().startswith(b"%auto-ignore")


def looks_like_tex(head: bytes) -> bool:
    """Tell whether the head of a file is text that holds commands of TeX."""
    return head.count(b"\0") * 100 <= len(head) and bool(_TEX_COMMAND.search(head))


def _is_tar(head: bytes) -> bool:
    """Check the sum in the first header, since tars of the nineties carry no `ustar`."""
    try:
        tarfile.TarInfo.frombuf(head[: tarfile.BLOCKSIZE], tarfile.ENCODING, "surrogateescape")
    except tarfile.HeaderError:
        return False
    return True
