"""The API of what papers have in common: days, tags, authors, totals; public, read only."""

import datetime as dt
import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Query, Router, Schema
from pydantic import Field

from papers.api_answers import json_answer, public_answer
from papers.queries.counted import CountPage
from papers.queries.counted_search import authors_like, tags_like
from papers.queries.sql import rows
from papers.queries.totals import dates, number_of_days, totals
from papersite.api_errors import ErrorOut
from papersite.api_parameters import refuse_unknown

router = Router(tags=["papers"])
# Names are counted exactly up to here, and found by a part up to so many.
MOST_COUNTED = 10_000
MAX_OFFSET = 100_000


class PageChoice(Schema):
    """Which page is asked for."""

    limit: int = Field(100, ge=1, le=1000, description="Items on a page.")
    offset: int = Field(0, ge=0, le=MAX_OFFSET, description="Items before this page.")


class NameChoice(PageChoice):
    """Which names are asked for."""

    q: str | None = Field(
        None,
        max_length=200,
        description="Only names that hold this, of the newest 1,000 papers that have it. Blank: as if left out.",
        examples=["lovelace"],
    )


class DateCountOut(Schema):
    """A day that has papers."""

    date: dt.date
    papers: int = Field(examples=[25])


class DatesOut(Schema):
    """A page of days, newest first."""

    items: list[DateCountOut]
    count: int = Field(description="How many there are in all.")


class TagCountOut(Schema):
    """A tag in the spelling that came first."""

    tag: str = Field(examples=["稀疏注意力"])
    papers: int = Field(examples=[25])


class AuthorCountOut(Schema):
    """An author."""

    name: str = Field(examples=["Ada Lovelace"])
    papers: int = Field(examples=[25])


class TagsOut(Schema):
    """A page of tags, those with most papers first."""

    items: list[TagCountOut]
    count: int = Field(description="How many there are in all.")
    count_capped: bool = Field(description="Whether there are more than `count`, which goes up to 10,000.")


class AuthorsOut(Schema):
    """A page of authors, those with most papers first."""

    items: list[AuthorCountOut]
    count: int = Field(description="How many there are in all.")
    count_capped: bool = Field(description="Whether there are more than `count`, which goes up to 10,000.")


class StatsOut(Schema):
    """What the library holds."""

    papers: int
    days: int = Field(description="Days that have papers.")
    newest_day: dt.date | None
    oldest_day: dt.date | None
    states: dict[str, int] = Field(description="Papers by the state of their summary.", examples=[{"done": 9}])
    qualities: dict[str, int] = Field(description="Papers by the grade of their summary.", examples=[{"normal": 9}])


@router.get("dates", response={200: DatesOut, 422: ErrorOut}, summary="Days with papers", operation_id="list_dates")
@public_answer
def list_dates(request: HttpRequest, page: Query[PageChoice]) -> HttpResponse:
    """Return the days that have papers, newest first, and how many papers each has."""
    refuse_unknown(request, PageChoice)
    items = [{"date": day, "papers": papers} for day, papers in dates(page.limit, page.offset)]
    return _answer({"items": items, "count": number_of_days()})


@router.get("tags", response={200: TagsOut, 422: ErrorOut}, summary="Tags", operation_id="list_tags")
@public_answer
def list_tags(request: HttpRequest, choice: Query[NameChoice]) -> HttpResponse:
    """Return tags by the number of their papers, whoever gave them."""
    refuse_unknown(request, NameChoice)
    return _names(
        choice, "tag", "SELECT tag, papers FROM tag_counts ORDER BY papers DESC, folded", "tag_counts", tags_like
    )


@router.get("authors", response={200: AuthorsOut, 422: ErrorOut}, summary="Authors", operation_id="list_authors")
@public_answer
def list_authors(request: HttpRequest, choice: Query[NameChoice]) -> HttpResponse:
    """Return authors by the number of their papers, as papers name them."""
    refuse_unknown(request, NameChoice)
    return _names(
        choice,
        "name",
        "SELECT name, papers FROM author_counts ORDER BY papers DESC, name",
        "author_counts",
        authors_like,
    )


@router.get("stats", response={200: StatsOut, 422: ErrorOut}, summary="Totals", operation_id="get_stats")
@public_answer
def get_stats(request: HttpRequest) -> HttpResponse:
    """Return how much the library holds."""
    refuse_unknown(request, Schema)
    return _answer(asdict(totals()))


def _names(choice: NameChoice, shown: str, statement: str, table: str, like: Callable[..., CountPage]) -> HttpResponse:
    text = (choice.q or "").replace("\x00", "").strip()
    if text:
        found = like(text, limit=MOST_COUNTED)
        named = [(counted.name, counted.papers) for counted in found.items]
        counted, capped = len(named), found.has_next
        named = named[choice.offset : choice.offset + choice.limit]
    else:
        named = rows(f"{statement} LIMIT %s OFFSET %s", choice.limit, choice.offset)  # type: ignore[assignment]
        all_of_them = rows(f"SELECT count(*) FROM (SELECT 1 FROM {table} LIMIT {MOST_COUNTED + 1})")[0][0]  # noqa: S608
        counted, capped = min(all_of_them, MOST_COUNTED), all_of_them > MOST_COUNTED
    items = [{shown: name, "papers": papers} for name, papers in named]
    return _answer({"items": items, "count": counted, "count_capped": capped})


def _answer(body: dict[str, Any]) -> HttpResponse:
    return json_answer(json.dumps(body, ensure_ascii=False).encode("utf-8", "replace"))
