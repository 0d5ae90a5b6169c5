"""The API of the site's state, for monitors: public, without paths, names of processes, or texts of errors."""

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema, Status
from prometheus_client import CONTENT_TYPE_LATEST
from pydantic import AwareDatetime, Field

from operations.health import Details, site_health
from operations.metrics import metrics_text
from operations.models import CrawlLog
from papersite.api_errors import ApiError, ErrorOut

router = Router(tags=["operations"])


class CheckOut(Schema):
    """One part of the site."""

    name: str = Field(description="`database`, `worker`, `feed`, `summaries`, `disk` or `agent`.", examples=["worker"])
    ok: bool
    message: str = Field(examples=["A worker is running."])


class QueueOut(Schema):
    """The summaries that are still to be made."""

    waiting: int = Field(examples=[3])
    processing: int = Field(examples=[1])
    failed: int = Field(description="Those that will be tried once more.", examples=[0])
    permanent_failures: int = Field(examples=[2])
    due_since: AwareDatetime | None = Field(description="Since when the one that waits longest could be begun with.")


class LastCrawlOut(Schema):
    """A crawl of a day that ended."""

    date: str | None = Field(examples=["2026-06-05"])
    status: str = Field(description="`success` or `failed`.", examples=["success"])
    papers_found: int | None = Field(examples=[25])
    papers_new: int | None = Field(examples=[3])
    started_at: AwareDatetime
    completed_at: AwareDatetime | None


class DiskOut(Schema):
    """The disk that holds the data; null where it cannot be read."""

    free_bytes: int | None = Field(examples=[53_000_000_000])
    total_bytes: int | None = Field(examples=[252_000_000_000])
    database_bytes: int = Field(examples=[700_000_000])


class AgentOut(Schema):
    """The program that writes summaries."""

    ok: bool
    problem: str | None = Field(description="What is missing, in one word.", examples=["key_missing"])


class HealthOut(Schema):
    """Whether the site is well, and the figures behind it; those of the database are null without one."""

    status: str = Field(description="`ok`, or `degraded` where any part is not well.", examples=["ok"])
    reasons: list[str] = Field(description="What is not well; empty when all is.", examples=[[]])
    checks: list[CheckOut]
    queue: QueueOut | None
    last_crawl: LastCrawlOut | None = Field(description="Null before the first one ended.")
    newest_day: str | None = Field(description="The newest day that has papers.", examples=["2026-06-05"])
    last_beat: AwareDatetime | None = Field(description="When a worker last showed itself.")
    disk: DiskOut
    agent: AgentOut


_METRICS: dict[str, Any] = {
    "responses": {
        200: {
            "description": "Text for Prometheus.",
            "content": {CONTENT_TYPE_LATEST: {"schema": {"type": "string"}}},
        }
    }
}


@router.get(
    "health",
    response={200: HealthOut, 503: HealthOut},
    summary="Whether the site is well",
    operation_id="get_health",
)
def health(request: HttpRequest, response: HttpResponse) -> Status:
    """Return the state of every part; 200 while pages can be served, 503 without the database."""
    response["Cache-Control"] = "no-store"
    found = site_health()
    body: dict[str, Any] = {
        "status": found.status,
        "reasons": [check.message for check in found.checks if not check.ok],
        "checks": [vars(check) for check in found.checks],
        **_details_out(found.details),
    }
    return Status(200 if found.is_up else 503, body)


@router.get(
    "metrics",
    response={200: None, 404: ErrorOut},
    summary="Figures for Prometheus",
    operation_id="get_metrics",
    openapi_extra=_METRICS,
)
def metrics(request: HttpRequest) -> HttpResponse:
    """Return the site's figures in Prometheus' text form, where the setting METRICS is on."""
    if not settings.PAPERSITE.metrics:
        raise ApiError(404, "not_found", "There are no metrics: the setting PAPERSITE_METRICS is off.")
    return HttpResponse(metrics_text(), content_type=CONTENT_TYPE_LATEST, headers={"Cache-Control": "no-store"})


def _details_out(details: Details) -> dict[str, Any]:
    queue = details.queue
    return {
        "queue": queue
        and {
            "waiting": queue.waiting,
            "processing": queue.processing,
            "failed": queue.failed,
            "permanent_failures": queue.permanent,
            "due_since": queue.due_since,
        },
        "last_crawl": details.last_crawl and _crawl_out(details.last_crawl),
        "newest_day": details.newest_day and details.newest_day.isoformat(),
        "last_beat": details.last_beat,
        "disk": {
            "free_bytes": details.disk_free,
            "total_bytes": details.disk_total,
            "database_bytes": details.database_bytes,
        },
        "agent": {"ok": details.agent_problem is None, "problem": details.agent_problem},
    }


def _crawl_out(log: CrawlLog) -> dict[str, Any]:
    columns = ("status", "papers_found", "papers_new", "started_at", "completed_at")
    return {"date": log.date and log.date.isoformat(), **{name: getattr(log, name) for name in columns}}
