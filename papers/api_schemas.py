"""How the API names a paper, and what it tells of one."""

import datetime as dt
from typing import Annotated

from ninja import Path, Schema
from pydantic import Field

from papers.summary.schema import SummarySchema

ArxivId = Annotated[
    str, Path(description="With or without a version; old ids keep their slash.", examples=["hep-th/9901001"])
]


class TagOut(Schema):
    """A tag and who gave it."""

    tag: str = Field(examples=["稀疏注意力"])
    source: str = Field(description="`hf`, `ai` or `user`.", examples=["ai"])


class StatusOut(Schema):
    """The state of a paper's summary."""

    status: str = Field(
        description="`pending`, `processing`, `done`, `failed` (will be tried again) or `permanent_failure`.",
        examples=["done"],
    )
    quality: str | None = Field(description="`normal`, `degraded`, `low`, or null without a summary.")
    error_type: str | None = Field(
        description="Why the last attempt failed: `pdf_download_failed`, `timeout`, `process_error`, "
        "`json_not_found`, `json_invalid`, `field_missing`, `schema_error`, `unknown`, or null."
    )
    retry_count: int = Field(description="Automatic retries since the paper was last queued.", examples=[0])


class PaperOut(Schema):
    """A paper as readers may see it."""

    arxiv_id: str = Field(description="Without a version; old ids keep their slash.", examples=["2406.01234"])
    title_en: str = Field(examples=["Sparse Attention for Long Contexts"])
    title_zh: str | None = Field(description="From the summary.", examples=["面向长上下文的稀疏注意力"])
    abstract: str | None
    authors: list[str] = Field(description="In the paper's order.", examples=[["Ada Lovelace", "Alan Turing"]])
    tags: list[TagOut]
    published_at: dt.date | None = Field(description="arXiv's date.")
    paper_date: dt.date = Field(description="The first day on which Daily Papers listed it.")
    crawled_at: dt.datetime
    updated_at: dt.datetime = Field(description="When anything told here last changed, votes too.")
    upvotes: int | None
    version: int | None = Field(description="The newest known version on arXiv.")
    categories: list[str] = Field(description="Of arXiv, the primary one first.", examples=[["cs.CL", "cs.AI"]])
    arxiv_comment: str | None
    is_withdrawn: bool
    hf_url: str | None
    arxiv_url: str | None
    pdf_url: str | None
    source_url: str | None
    code_url: str | None
    code_stars: int | None
    project_url: str | None
    organization: str | None
    asset_status: str | None = Field(description="`not_downloaded`, `ready`, `failed` or `cleaned`.")
    summary_quality: str | None = Field(description="`normal`, `degraded`, `low`, or null without a summary.")
    status: StatusOut | None
    summary: SummarySchema | None = Field(description="The structured summary, or null.")


class PaperPageOut(Schema):
    """A page of a list of papers."""

    items: list[PaperOut]
    count: int = Field(description="How many there are in all, not on this page alone.", examples=[1])
    count_capped: bool = Field(description="Whether there may be more than `count`: it is exact up to 10,000.")
    next_cursor: str | None = Field(description="The `cursor` of the next page, or null on the last.")
