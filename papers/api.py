"""The API of papers: public, read only."""

import datetime as dt
import re
from typing import Annotated, Any

from django.http import HttpRequest
from ninja import Path, Query, Router, Schema
from pydantic import BeforeValidator, Field

from papers.api_schemas import PaperOut, PaperPageOut, paper_out
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.selection import find_whole_paper, select_papers
from papersite.api_errors import ApiError, ErrorOut

router = Router(tags=["papers"])
# Beyond this nobody reads on; SQLite would have to walk over every row before it.
MAX_OFFSET = 1_000_000
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)


def _plain_date(value: Any) -> Any:
    """Refuse what pydantic would take for a date besides YYYY-MM-DD, such as a number of seconds."""
    if isinstance(value, str) and not _DATE.fullmatch(value):
        raise ValueError("write a date as YYYY-MM-DD")
    return value


PlainDate = Annotated[dt.date, BeforeValidator(_plain_date)]

ArxivId = Annotated[
    str, Path(description="With or without a version; old ids keep their slash.", examples=["hep-th/9901001"])
]


class PaperFilters(Schema):
    """Which papers are asked for."""

    date: PlainDate | None = Field(None, description="The day they are filed under.", examples=["2026-05-14"])
    q: str | None = Field(
        None,
        max_length=1000,
        description='Words, `"phrases"`, `-excluded`, `title:`, `author:`, `tag:`; best matches come first. '
        "Blank: as if left out.",
        examples=["稀疏注意力 -vision"],
    )
    limit: int = Field(50, ge=1, le=200, description="Papers on a page.")
    offset: int = Field(0, ge=0, le=MAX_OFFSET, description="Papers before this page.")


@router.get(
    "papers",
    response={200: PaperPageOut, 422: ErrorOut},
    summary="A list of papers",
    operation_id="list_papers",
)
def list_papers(request: HttpRequest, filters: Query[PaperFilters]) -> dict[str, Any]:
    """Return papers of one day or all, newest day first, then by votes; or what a search finds."""
    refuse_unknown(request, PaperFilters)
    page = select_papers(date=filters.date, query=filters.q or "", limit=filters.limit, offset=filters.offset)
    return {
        "items": [paper_out(paper) for paper in page.papers],
        "count": page.count,
        "count_capped": page.count_capped,
    }


@router.get(
    "papers/{path:arxiv_id}",
    response={200: PaperOut, 404: ErrorOut},
    summary="One paper",
    operation_id="get_paper",
)
def get_paper(request: HttpRequest, arxiv_id: ArxivId) -> dict[str, Any]:
    """Return a paper by its arXiv id, old ones with their slash; a version in the id makes no difference."""
    try:
        plain, _version = split_arxiv_id(arxiv_id)
    except InvalidArxivId as error:
        raise ApiError(404, "not_found", f"{arxiv_id[:80]!r} is not an arXiv id.") from error
    paper = find_whole_paper(plain)
    if paper is None:
        raise ApiError(404, "not_found", f"There is no paper {plain}.")
    return paper_out(paper)


def refuse_unknown(request: HttpRequest, known: type[Schema]) -> None:
    """Refuse parameters that mean nothing here: a misspelt filter would otherwise give everything.

    Raises:
        ApiError: 422, naming them.
    """
    unknown = sorted(set(request.GET) - set(known.model_fields))
    if unknown:
        names = ", ".join(repr(name[:40]) for name in unknown[:5])
        raise ApiError(422, "unknown_parameter", f"Unknown parameters: {names}.")
