"""The API of work that is asked for: crawls of a day, summaries. A worker does it; the answer says where to look."""

import datetime as dt
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Router, Schema, Status
from pydantic import AfterValidator, ConfigDict, Field, model_validator

from operations import maintenance, tasks
from operations.admin.audit import record, record_on, record_on_papers
from operations.crawl_plan import BadDates
from operations.feed import worker_is_alive
from operations.locks import LockHeld
from operations.models import CrawlLog
from operations.pauses import active_pauses
from operations.summarize import daily_limit_reached
from operations.summary_requests import (
    MOST_NAMED,
    AllInWork,
    RequestedSummaries,
    UnknownPapers,
    request_day,
    request_papers,
)
from papers.api_filters import PlainDate
from papers.api_schemas import ArxivId
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.models import Paper
from papersite.api_auth import REFUSALS, ApiActor, operate
from papersite.api_errors import ApiError, ErrorOut

router = Router(tags=["operations"], auth=operate)
LOGS = "/api/v1/operations/logs/"
_BAD_BODY = {**REFUSALS, 400: ErrorOut, 409: ErrorOut, 413: ErrorOut, 422: ErrorOut}
ALREADY_RUNNING = "already_running"


def _an_id(value: str) -> str:
    try:
        return split_arxiv_id(value)[0]
    except InvalidArxivId as error:
        raise ValueError(f"{value[:80]!r} is not an arXiv id") from error


class CrawlIn(Schema):
    """Which day."""

    model_config = ConfigDict(extra="forbid")

    date: PlainDate = Field(description="A day of Daily Papers, not after today by UTC.", examples=["2026-06-05"])


class SummarizeIn(Schema):
    """A day or papers, not both."""

    model_config = ConfigDict(extra="forbid")

    date: PlainDate | None = Field(
        None, description="What waits on this day, and what failed there once.", examples=["2026-06-05"]
    )
    arxiv_ids: list[Annotated[str, AfterValidator(_an_id)]] | None = Field(
        None,
        min_length=1,
        max_length=MOST_NAMED,
        description="These papers, in whatever state they are; their attempts are counted anew.",
        examples=[["2406.01234", "hep-th/9901001"]],
    )

    @model_validator(mode="after")
    def _one_of_both(self) -> "SummarizeIn":
        if (self.date is None) == (self.arxiv_ids is None):
            raise ValueError("give either date or arxiv_ids")
        return self


class _RunOut(Schema):
    log_id: int = Field(description="The log that tells how it went.", examples=[12])
    look_at: str = Field(description="Where that log is.", examples=[f"{LOGS}12"])
    notice: str | None = Field(
        description="Why it will not be begun at once; null where it will.",
        examples=["No worker is running; start `serve`."],
    )


class CrawlOut(_RunOut):
    """A crawl that was asked for."""

    date: dt.date
    job_id: int = Field(description="The job as the admin numbers it.", examples=[3])


class SummarizeOut(_RunOut):
    """Summaries that were asked for."""

    papers: int = Field(description="How many wait now, or waited already.", examples=[12])
    in_work: list[str] = Field(
        description="Papers that are being summarised already, and were left alone.", examples=[["2406.01234"]]
    )


@router.post(
    "operations/crawl",
    response={202: CrawlOut, **_BAD_BODY},
    summary="Crawl a day",
    operation_id="crawl",
)
def crawl(request: HttpRequest, wanted: CrawlIn) -> Status:
    """Ask for a day to be crawled; papers of it that were deleted on purpose come back.

    Asked for again while it waits, it is the same crawl with the same log. 409 while the day is being crawled.
    """
    actor: ApiActor = request.auth  # type: ignore[attr-defined]
    try:
        day = tasks.request_day_crawl(wanted.date, by=actor.name)
    except BadDates as error:
        raise ApiError(422, "invalid", f"date: {error}") from error
    except LockHeld as held:
        raise ApiError(409, ALREADY_RUNNING, str(held)) from held
    if actor.user is not None:
        record_on(request, [day.job], _("开始抓取 %(dates)s") % {"dates": day.date})
    body = {"date": day.date, "job_id": day.job_id, **_look_at(day.log), "notice": _why_it_waits()}
    return Status(202, body)


@router.post(
    "operations/summarize",
    response={202: SummarizeOut, **_BAD_BODY, 404: ErrorOut},
    summary="Summarise papers",
    operation_id="summarize",
)
def summarize(request: HttpRequest, wanted: SummarizeIn) -> Status:
    """Ask for summaries of a day or of papers; the log is open until each of them is done or has failed for good.

    409 where all papers that are named are being summarised already; 404 where one is not stored here, and then
    nothing is queued.
    """
    actor: ApiActor = request.auth  # type: ignore[attr-defined]
    if wanted.arxiv_ids is None:
        assert wanted.date is not None  # noqa: S101  (the schema wants one of both)
        requested = request_day(wanted.date, by=actor.name)
        if actor.user is not None:
            record(request, _("请求总结 %(date)s 的论文") % {"date": wanted.date})
        return _summaries(requested)
    return _summaries_of(request, actor, wanted.arxiv_ids)


@router.post(
    "papers/{path:arxiv_id}/retry",
    response={202: SummarizeOut, **REFUSALS, 404: ErrorOut, 409: ErrorOut},
    summary="Summarise one paper again",
    operation_id="retry_paper",
)
def retry_paper(request: HttpRequest, arxiv_id: ArxivId) -> Status:
    """Ask for one paper's summary, whatever its state, its attempts counted anew; a good one stays until then."""
    actor: ApiActor = request.auth  # type: ignore[attr-defined]
    return _summaries_of(request, actor, [arxiv_id])


def _summaries_of(request: HttpRequest, actor: ApiActor, arxiv_ids: list[str]) -> Status:
    try:
        requested = request_papers(arxiv_ids, by=actor.name)
    except InvalidArxivId as error:
        raise ApiError(404, "not_found", f"{arxiv_ids[0][:80]!r} is not an arXiv id.") from error
    except UnknownPapers as error:
        raise ApiError(404, "not_found", f"{error}.") from error
    except AllInWork as error:
        raise ApiError(409, ALREADY_RUNNING, str(error)) from error
    if actor.user is not None:
        wanted = {split_arxiv_id(arxiv_id)[0] for arxiv_id in arxiv_ids} - set(requested.in_work)
        keys = Paper.objects.filter(arxiv_id__in=wanted).values_list("pk", flat=True)
        record_on_papers(request, list(keys), _("重新运行总结"))
    return _summaries(requested)


def _summaries(requested: RequestedSummaries) -> Status:
    tasks.request_summaries()
    body: dict[str, Any] = {
        "papers": requested.papers,
        "in_work": list(requested.in_work),
        **_look_at(requested.log),
        "notice": _why_summaries_wait() if requested.papers else None,
    }
    return Status(202, body)


def _look_at(log: CrawlLog | None) -> dict[str, Any]:
    assert log is not None  # noqa: S101  (each request has one)
    return {"log_id": log.pk, "look_at": f"{LOGS}{log.pk}"}


def _why_it_waits() -> str | None:
    switch = maintenance.current()
    if switch is not None:
        return maintenance.describe(switch)
    return None if worker_is_alive() else "No worker is running; start `serve`."


def _why_summaries_wait() -> str | None:
    waits = _why_it_waits()
    causes = ", ".join(sorted(pause.cause for pause in active_pauses()))
    if waits is None and causes:
        return f"Summaries are paused: {causes} out of reach."
    if waits is None and daily_limit_reached():
        return "The limit of summaries for today is reached; the rest waits for tomorrow."
    return waits
