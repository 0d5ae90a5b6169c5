"""The API of the work."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from ninja import Router, Schema, Status
from pydantic import Field

from operations.health import site_health

router = Router(tags=["operations"])


class CheckOut(Schema):
    """One part of the site."""

    name: str = Field(description="`database`, `worker`, `feed`, `summaries`, `disk` or `agent`.", examples=["worker"])
    ok: bool
    message: str = Field(examples=["A worker is running."])


class HealthOut(Schema):
    """Whether the site is well."""

    status: str = Field(description="`ok`, or `degraded` where any part is not well.", examples=["ok"])
    reasons: list[str] = Field(description="What is not well; empty when all is.", examples=[[]])
    checks: list[CheckOut]


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
    }
    return Status(200 if found.is_up else 503, body)
