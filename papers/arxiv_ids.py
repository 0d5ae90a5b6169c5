"""Identifiers of arXiv papers.

Forms: `2406.01234` (five digits since 2015), `0704.0156` (four digits until 2014), `hep-th/9901001` and
`math.GT/0309136` (before April 2007), each with an optional version `vN`.
Source: https://info.arxiv.org/help/arxiv_identifier.html
"""

import re

_NEW = r"\d{4}\.\d{4,5}"
_OLD = r"[a-z]+(?:-[a-z]+)*(?:\.[A-Z]{2})?/\d{7}"
_FULL = re.compile(rf"({_NEW}|{_OLD})(?:v([1-9]\d{{0,3}}))?", re.ASCII)


class InvalidArxivId(ValueError):
    """A text that is no arXiv id."""

    def __init__(self, text: str) -> None:
        """Keep the text, shortened, in the message."""
        super().__init__(f"not an arXiv id: {text[:80]!r}")


def split_arxiv_id(text: str) -> tuple[str, int | None]:
    """Return the id without its version, and the version if there is one.

    Accepts what people paste: `arXiv:2406.01234v2`, an arXiv or Hugging Face address, an id with blanks round it.

    Raises:
        InvalidArxivId: `text` is none of these.
    """
    bare = re.sub(r"^(?:https?://[^/\s]+/(?:abs|pdf|papers|e-print|src|html)/|arxiv:)", "", text.strip(), flags=re.I)
    match = _FULL.fullmatch(bare.removesuffix("/").removesuffix(".pdf"))
    if not match:
        raise InvalidArxivId(text)
    return match[1], int(match[2]) if match[2] else None


def is_arxiv_id(text: str) -> bool:
    """Tell whether `text` is an id as it is stored: without a version, and nothing round it."""
    try:
        return split_arxiv_id(text) == (text, None)
    except InvalidArxivId:
        return False


def hf_address(arxiv_id: str) -> str:
    """Return the public Hugging Face page."""
    return f"https://huggingface.co/papers/{arxiv_id}"


def abstract_address(arxiv_id: str) -> str:
    """Return the public arXiv page."""
    return f"https://arxiv.org/abs/{arxiv_id}"


def pdf_address(arxiv_id: str) -> str:
    """Return the public address of the PDF."""
    return f"https://arxiv.org/pdf/{arxiv_id}"


def source_address(arxiv_id: str) -> str:
    """Return the public address of the source."""
    return f"https://arxiv.org/e-print/{arxiv_id}"
