"""The API of papers: public, read only."""

from dataclasses import asdict
from typing import Any, Literal

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from papers.api_answers import json_answer, public_answer
from papers.api_cursor import asked_for, read_cursor, write_cursor
from papers.api_filters import PaperFilters
from papers.api_json import page_json, papers_json
from papers.api_schemas import ArxivId, PaperOut, PaperPageOut
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.exports import export
from papers.models import Paper
from papers.pages.exports import download
from papers.queries.listing import list_ids
from papers.queries.sql import rows
from papersite.api_errors import ApiError, ErrorOut
from papersite.api_parameters import refuse_unknown

router = Router(tags=["papers"])


class ExportChoice(Schema):
    """Which file is asked for."""

    format: Literal["bibtex", "ris", "csljson", "markdown"] = Field(
        description="The kind of file.", examples=["bibtex"]
    )


_TEXT = {"schema": {"type": "string"}}
EXPORT_ANSWERS: dict[str, Any] = {
    "responses": {
        200: {
            "description": "The file.",
            "content": {
                "application/x-bibtex": _TEXT,
                "application/x-research-info-systems": _TEXT,
                "application/vnd.citationstyles.csl+json": {"schema": {"type": "array", "items": {"type": "object"}}},
                "text/markdown": _TEXT,
            },
        }
    }
}


@router.get(
    "papers",
    response={200: PaperPageOut, 422: ErrorOut},
    summary="A list of papers",
    operation_id="list_papers",
)
@public_answer
def list_papers(request: HttpRequest, filters: Query[PaperFilters]) -> HttpResponse:
    """Return the papers that all filters let pass, newest day first, then by votes; of a search the best match first.

    Follow `next_cursor` to read on: papers that arrive meanwhile neither repeat others nor hide them. Where filters
    leave few papers of very many, a page may hold fewer than `limit`, or none, and still have a next one.
    """
    refuse_unknown(request, PaperFilters)
    if filters.cursor is not None and filters.offset:
        raise ApiError(422, "invalid", "offset: not together with cursor.")
    sort, wanted = filters.order, filters.filters
    asked = asked_for(sort=sort, **asdict(wanted))
    page = list_ids(
        wanted, sort=sort, limit=filters.limit, offset=filters.offset, after=read_cursor(filters.cursor, asked)
    )
    return json_answer(
        page_json(
            papers_json(page.ids),
            count=page.count,
            count_capped=page.count_capped,
            next_cursor=write_cursor(page.next_key, asked),
        )
    )


@router.get(
    "papers/{path:arxiv_id}/export",
    response={200: None, 404: ErrorOut, 422: ErrorOut},
    summary="One paper as a file",
    operation_id="export_paper",
    openapi_extra=EXPORT_ANSWERS,
)
@public_answer
def export_paper(request: HttpRequest, arxiv_id: ArxivId, chosen: Query[ExportChoice]) -> HttpResponse:
    """Return a paper for a reference manager or for notes."""
    refuse_unknown(request, ExportChoice)
    paper = Paper.objects.filter(pk=paper_id_of(arxiv_id)).first()
    if paper is None:
        raise ApiError(404, "not_found", f"There is no paper {arxiv_id[:80]}.")
    return download(export([paper], chosen.format, name=paper.arxiv_id))


@router.get(
    "papers/{path:arxiv_id}",
    response={200: PaperOut, 404: ErrorOut},
    summary="One paper",
    operation_id="get_paper",
)
@public_answer
def get_paper(request: HttpRequest, arxiv_id: ArxivId) -> HttpResponse:
    """Return a paper by its arXiv id, old ones with their slash; a version in the id makes no difference."""
    found = papers_json([paper_id_of(arxiv_id)])
    if not found:
        raise ApiError(404, "not_found", f"There is no paper {arxiv_id[:80]}.")
    return json_answer(found[0].encode("utf-8", "replace"))


def paper_id_of(arxiv_id: str) -> int:
    """Return the key of a paper.

    Raises:
        ApiError: 404.
    """
    try:
        plain, _version = split_arxiv_id(arxiv_id)
    except InvalidArxivId as error:
        raise ApiError(404, "not_found", f"{arxiv_id[:80]!r} is not an arXiv id.") from error
    found = rows("SELECT id FROM papers WHERE arxiv_id = %s", plain)
    if not found:
        raise ApiError(404, "not_found", f"There is no paper {plain}.")
    return found[0][0]
