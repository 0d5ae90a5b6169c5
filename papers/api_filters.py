"""The parameters of lists of papers."""

import datetime as dt
import re
from typing import Annotated, Any, Literal

from ninja import Schema
from pydantic import AfterValidator, AwareDatetime, BeforeValidator, Field

from papers.api_cursor import LONGEST as LONGEST_CURSOR
from papers.models import SummaryQuality, SummaryState
from papers.queries.listing import Filters, Sort
from papers.text import fold, one_line, without_controls
from papersite.api_errors import ApiError
from papersite.api_parameters import MAX_OFFSET

MOST_TAGS = 10
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}", re.ASCII)
_MOMENT = re.compile(r"\d{4}-\d{2}-\d{2}[Tt ]\d{2}:\d{2}:\d{2}(\.\d{1,9})?([Zz]|[+-]\d{2}:\d{2})", re.ASCII)


def _plain_date(value: Any) -> Any:
    """Refuse what pydantic would take for a date besides YYYY-MM-DD, such as a number of seconds."""
    if not isinstance(value, str) or not _DATE.fullmatch(value):
        raise ValueError("write a date as YYYY-MM-DD")
    return value


def _plain_moment(value: Any) -> Any:
    """Refuse what pydantic would take for a moment besides RFC 3339; in an address a plus may have become a blank."""
    if isinstance(value, str):
        value = re.sub(r" (\d{2}:\d{2})$", r"+\1", value)
        if not _MOMENT.fullmatch(value):
            raise ValueError("write a moment as 2026-05-14T08:00:00Z")
    return value


PlainDate = Annotated[dt.date, BeforeValidator(_plain_date)]
Moment = Annotated[AwareDatetime, BeforeValidator(_plain_moment)]


def _not_blank(value: str) -> str:
    """Refuse a name of nothing, which would be no filter: everything is not what was asked for."""
    if not one_line(value):
        raise ValueError("must not be blank")
    return value


Name = Annotated[str, Field(min_length=1, max_length=300), AfterValidator(_not_blank)]


class PaperFilters(Schema):
    """Which papers are asked for: all filters hold together."""

    date: PlainDate | None = Field(None, description="The day they are filed under.", examples=["2026-05-14"])
    first: PlainDate | None = Field(
        None, alias="from", description="Filed under this day or a later one.", examples=["2026-05-01"]
    )
    last: PlainDate | None = Field(
        None, alias="to", description="Filed under this day or an earlier one.", examples=["2026-05-31"]
    )
    q: str | None = Field(
        None,
        max_length=1000,
        description='Words, `"phrases"`, `-excluded`, `title:`, `author:`, `tag:`; best matches come first. '
        "Blank: as if left out.",
        examples=["稀疏注意力 -vision"],
    )
    tag: list[Name] = Field(
        [],
        max_length=MOST_TAGS,
        description="With this tag, whoever gave it; case, width and spaces make no difference. "
        "May be repeated: with all of them.",
        examples=[["稀疏注意力"]],
    )
    author: Name | None = Field(None, description="Of this author, written as in `authors`.", examples=["Ada Lovelace"])
    status: SummaryState | None = Field(None, description="Whose summary is in this state.")
    quality: SummaryQuality | None = Field(None, description="Whose summary was graded so.")
    difficulty: Name | None = Field(None, description="Whose summary says so.", examples=["中等"])
    code: bool | None = Field(None, description="Only those with (`true`) or without (`false`) a link to code.")
    withdrawn: bool | None = Field(None, description="Only those withdrawn (`true`), or not (`false`).")
    updated_since: Moment | None = Field(
        None,
        description="Of which anything told here changed then or later: RFC 3339 with its zone.",
        examples=["2026-05-14T08:00:00Z"],
    )
    sort: Literal["paper_date", "upvotes", "published_at", "relevance"] | None = Field(
        None,
        description="Highest first. `paper_date`: newest day first, then by votes. `relevance` needs `q`, and is what "
        "comes without `sort` where there is one; else `paper_date`.",
    )
    limit: int = Field(50, ge=1, le=200, description="Papers on a page.")
    offset: int = Field(0, ge=0, le=MAX_OFFSET, description="Papers before this page; not together with `cursor`.")
    cursor: str | None = Field(
        None,
        max_length=LONGEST_CURSOR,
        description="`next_cursor` of the page before, with the same filters and order.",
    )

    @property
    def filters(self) -> Filters:
        """What the papers have in common."""
        return Filters(
            query=without_controls(self.q or "").strip(),
            date=self.date,
            first=self.first,
            last=self.last,
            tags=tuple(dict.fromkeys(map(fold, self.tag))),
            author=one_line(self.author or ""),
            status=self.status or "",
            quality=self.quality or "",
            difficulty=one_line(self.difficulty or ""),
            has_code=self.code,
            is_withdrawn=self.withdrawn,
            updated_since=self.updated_since,
        )

    @property
    def order(self) -> Sort:
        """The order that is meant.

        Raises:
            ApiError: 422; by relevance, without a search.
        """
        searches = bool(self.filters.query)
        if self.sort == "relevance" and not searches:
            raise ApiError(422, "invalid", "sort: relevance needs q.")
        return self.sort or ("relevance" if searches else "paper_date")
