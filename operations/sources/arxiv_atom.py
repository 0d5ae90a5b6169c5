"""arXiv's Atom feed, read by namespace: the order, the prefixes and the links have changed, and may again.

The fields: https://info.arxiv.org/help/api/user-manual.html#52-details-of-atom-results-returned
"""

import re
from dataclasses import dataclass
from datetime import date, datetime
from xml.etree.ElementTree import Element, ParseError

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from operations.http.errors import SourceUnavailable, UnexpectedAnswer
from operations.sources.fields import day, line, moment, names, prose
from operations.sources.withdrawal import says_withdrawn
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id

_ATOM = "{http://www.w3.org/2005/Atom}"
_ARXIV = "{http://arxiv.org/schemas/atom}"
_ERROR_ID = re.compile(r"/api/errors\b")
_MALFORMED = re.compile(r"incorrect_id_format_for_(.+)$")
_CATEGORY = re.compile(r"[a-z-]+(?:\.[A-Za-z-]+)?")
# arXiv says this with status 200 too.
_RATE_EXCEEDED = b"Rate exceeded"
_TITLE, _ABSTRACT, _COMMENT, _NAME, _TERM = 1000, 20_000, 4000, 200, 100
# The largest known collaborations have about 5,000 names.
_MOST_AUTHORS, _MOST_CATEGORIES = 10_000, 50
# Characters that XML 1.0 has no place for, as such and as references; a title may hold one all the same.
_NO_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_REFERENCE = re.compile(r"&#(x[0-9a-f]{1,8}|[0-9]{1,8});", re.I)


class ErrorEntry(UnexpectedAnswer):
    """The feed holds an error in place of papers; `malformed` is the id it complains about, if it names one."""

    def __init__(self, message: str, malformed: str | None) -> None:
        """Keep what the entry says."""
        super().__init__(message)
        self.malformed = malformed


@dataclass(frozen=True)
class ArxivRecord:
    """What arXiv says of a paper's newest version. Texts are clean; empty ones stand for absent ones.

    `published_at` is the day of the first version, by UTC; `categories` begin with the primary one.
    """

    arxiv_id: str
    version: int | None
    title: str
    abstract: str = ""
    authors: tuple[str, ...] = ()
    published_at: date | None = None
    updated: datetime | None = None
    categories: tuple[str, ...] = ()
    comment: str = ""
    journal_ref: str = ""
    doi: str = ""
    is_withdrawn: bool = False


def read_feed(body: bytes) -> list[ArxivRecord]:
    """Return the papers of a feed, in its order; entries without a usable id or a title are left out.

    Raises:
        ErrorEntry: the feed holds an error.
        SourceUnavailable: arXiv says that it was asked too often.
        UnexpectedAnswer: this is no Atom feed.
    """
    if body.lstrip().startswith(_RATE_EXCEEDED):
        raise SourceUnavailable("arXiv says: Rate exceeded", status=429, is_temporary=True)
    root = _parse(body)
    if root.tag != f"{_ATOM}feed":
        raise UnexpectedAnswer(f"no Atom feed came, but <{line(str(root.tag), 80)}>", is_temporary=True)
    entries = root.findall(f"{_ATOM}entry")
    for entry in entries:
        _refuse_error(entry)
    return [record for entry in entries if (record := _record(entry))]


def _parse(body: bytes) -> Element:
    try:
        return fromstring(body)
    except (ParseError, ValueError, LookupError):
        pass  # one character that XML forbids must not cost the other papers of the feed
    try:
        return fromstring(_NO_XML.sub("", _REFERENCE.sub(_allowed, body.decode("utf-8-sig", "replace"))).encode())
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        glimpse = line(body[:200].decode("utf-8", "replace"), 80)
        raise UnexpectedAnswer(f"no XML came, but {glimpse!r}", is_temporary=True) from error


def _allowed(reference: re.Match[str]) -> str:
    digits = reference[1]
    code = int(digits[1:], 16) if digits[0] in "xX" else int(digits)
    return reference[0] if code < 0x110000 and not _NO_XML.match(chr(code)) else ""


def _refuse_error(entry: Element) -> None:
    found = _text(entry, f"{_ATOM}id")
    if _ERROR_ID.search(found):
        malformed = _MALFORMED.search(found)
        raise ErrorEntry(f"arXiv says: {line(_text(entry, f'{_ATOM}summary'), 300)}", malformed and malformed[1])


def _record(entry: Element) -> ArxivRecord | None:
    try:
        arxiv_id, version = split_arxiv_id(_text(entry, f"{_ATOM}id"))
    except InvalidArxivId:
        return None
    title = line(_text(entry, f"{_ATOM}title"), _TITLE)
    if not title:
        return None
    comment = line(_text(entry, f"{_ARXIV}comment"), _COMMENT)
    abstract = prose(_text(entry, f"{_ATOM}summary"), _ABSTRACT)
    authors = (_text(author, f"{_ATOM}name") for author in entry.iterfind(f"{_ATOM}author"))
    return ArxivRecord(
        arxiv_id=arxiv_id,
        version=version,
        title=title,
        abstract=abstract,
        authors=names(authors, _NAME, _MOST_AUTHORS),
        published_at=day(_text(entry, f"{_ATOM}published")),
        updated=moment(_text(entry, f"{_ATOM}updated")),
        categories=_categories(entry),
        comment=comment,
        journal_ref=line(_text(entry, f"{_ARXIV}journal_ref"), _COMMENT),
        doi=line(_text(entry, f"{_ARXIV}doi"), _COMMENT),
        is_withdrawn=says_withdrawn(comment, abstract),
    )


def _categories(entry: Element) -> tuple[str, ...]:
    """Return arXiv's own terms; the numbers of other classifications (MSC, ACM) stand among them."""
    primary = entry.iterfind(f"{_ARXIV}primary_category")
    terms = [element.get("term") for element in (*primary, *entry.iterfind(f"{_ATOM}category"))]
    return tuple(term for term in names(terms, _TERM, _MOST_CATEGORIES) if _CATEGORY.fullmatch(term))


def _text(element: Element, tag: str) -> str:
    found = element.find(tag)
    return "".join(found.itertext()) if found is not None else ""
