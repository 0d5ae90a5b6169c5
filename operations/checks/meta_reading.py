"""Reads `meta.json` back into the tables; what a file says is checked like anything else from outside."""

import datetime as dt
from typing import Annotated, Any

from django.utils import timezone
from pydantic import AfterValidator, BaseModel, Field, ValidationError, field_validator

from operations.day_store import author_rows
from operations.meta_files import COLUMNS
from operations.models import DayListing
from papers.models import Paper, PaperAuthor, PaperTag, SummaryState, SummaryStatus, TagSource
from papers.search.index import index_papers
from papers.text import fold, one_line, without_controls

Line = Annotated[str, AfterValidator(one_line)]
Text = Annotated[str, AfterValidator(without_controls)]


class _Tag(BaseModel):
    tag: Line = Field(min_length=1)
    source: TagSource


class MetaFile(BaseModel):
    """The object of `operations.meta_files.meta_of`."""

    arxiv_id: str
    title_en: Line
    abstract: Text | None = None
    published_at: dt.date | None = None
    paper_date: dt.date
    crawled_at: dt.datetime
    upvotes: int | None = 0
    hf_url: Line | None = None
    arxiv_url: Line | None = None
    pdf_url: Line | None = None
    source_url: Line | None = None
    version: int | None = Field(None, ge=1)
    categories: Line = ""
    arxiv_comment: Text | None = None
    is_withdrawn: bool = False
    code_url: Line | None = None
    code_stars: int | None = Field(None, ge=0)
    project_url: Line | None = None
    organization: Line | None = None
    authors: list[Line] = []
    tags: list[_Tag] = []
    listed_on: list[dt.date] = []

    @field_validator("crawled_at")
    @classmethod
    def _aware(cls, value: dt.datetime) -> dt.datetime:
        return value if timezone.is_aware(value) else value.replace(tzinfo=dt.UTC)


def read_meta(arxiv_id: str, content: dict[str, Any] | None) -> MetaFile | None:
    """Return what a file says of the paper `arxiv_id`; None where it cannot be used or is another's."""
    try:
        meta = MetaFile.model_validate(content or {})
    except ValidationError:
        return None
    return meta if meta.arxiv_id == arxiv_id and meta.title_en else None


def store_meta(meta: MetaFile) -> Paper:
    """Store a paper that is not there, waiting for its summary, with the days that listed it; in a transaction."""
    columns = {name: getattr(meta, name) for name in COLUMNS}
    paper = Paper.objects.create(**columns, meta_path=f"papers/{meta.arxiv_id}/meta.json")
    names = [name for name in meta.authors if name]
    PaperAuthor.objects.bulk_create(author_rows(paper, names))
    tags = {(fold(tag.tag), tag.source): tag for tag in meta.tags}
    PaperTag.objects.bulk_create(
        PaperTag(paper=paper, tag=tag.tag, source=tag.source, folded=folded) for (folded, _), tag in tags.items()
    )
    _list_again(meta)
    SummaryStatus.objects.create(paper=paper, status=SummaryState.PENDING)
    index_papers([paper.pk])
    return paper


def _list_again(meta: MetaFile) -> None:
    rows = [
        DayListing(date=date, entry_key=meta.arxiv_id, arxiv_id=meta.arxiv_id, first_seen_at=meta.crawled_at)
        for date in sorted(set(meta.listed_on))
    ]
    DayListing.objects.bulk_create(rows, ignore_conflicts=True)
