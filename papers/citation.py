"""What reference managers read from a paper's page: Highwire tags, as Google Scholar does too, and COinS.

Followed here are Zotero's translators "Embedded Metadata" and "COinS", and
https://scholar.google.com/intl/en/scholar/inclusion.html#indexing.
"""

from urllib.parse import quote, urlencode

from papers.exports.names import PersonName
from papers.exports.reference import Reference

# A paper may have thousands, and every reader's page carries these.
_MOST_AUTHORS = 100
_LONGEST_ABSTRACT = 3_000


def highwire(reference: Reference, page: str) -> list[tuple[str, str]]:
    """Return names and contents of meta tags; `page` is the whole address of the paper's page here."""
    tags = [
        ("citation_title", reference.title),
        *(("citation_author", _author(name)) for name in reference.authors[:_MOST_AUTHORS]),
        ("citation_publication_date", reference.date.strftime("%Y/%m/%d")),
        ("citation_online_date", reference.date.strftime("%Y/%m/%d")),
        ("citation_publisher", "arXiv"),
        ("citation_arxiv_id", reference.arxiv_id),
        ("citation_doi", reference.doi),
        ("citation_language", "en"),
        ("citation_keywords", "; ".join(keyword.replace(";", ",") for keyword in reference.keywords)),
        ("citation_abstract", reference.abstract[:_LONGEST_ABSTRACT]),
        ("citation_pdf_url", reference.pdf_url),
        ("citation_public_url", reference.url),
        ("citation_abstract_html_url", page),
        # Zotero's own word, without which it would file a preprint as an article of a journal.
        ("z:itemType", "preprint"),
    ]
    return [(name, content) for name, content in tags if content]


def coins(reference: Reference) -> str:
    """Return the reference as an OpenURL context object: Dublin Core, where Zotero's type is understood."""
    fields = [
        ("ctx_ver", "Z39.88-2004"),
        ("rfr_id", "info:sid/papersite"),
        ("rft_val_fmt", "info:ofi/fmt:kev:mtx:dc"),
        ("rft_id", f"info:doi/{reference.doi}"),
        ("rft.type", "preprint"),
        ("rft.title", reference.title),
        ("rft.publisher", "arXiv"),
        ("rft.date", reference.date.isoformat()),
        ("rft.identifier", reference.url),
        ("rft.language", "en"),
        *(("rft.au", name.inverted) for name in reference.authors[:_MOST_AUTHORS]),
    ]
    return urlencode([(name, value) for name, value in fields if value], quote_via=quote)


def _author(name: PersonName) -> str:
    """Return a name as a reader of the tags takes it apart rightly.

    With blanks on both sides of a comma Zotero takes it for two authors.
    """
    family, _comma, given = name.inverted.partition(", ")
    return f"{given} {family}" if " " in family and " " in given else name.inverted
