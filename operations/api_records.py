"""The API of what was done and who holds what: logs and locks, for staff, or a token with the scope `operate`."""

import datetime as dt
from typing import Annotated, Any, Literal

from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from ninja import Path, Query, Router, Schema
from pydantic import Field

from operations.admin.access import VIEW_LOCKS, VIEW_WORK
from operations.models import CrawlLog, LockState, TaskLock
from operations.owners import Life, describe, life_of
from papers.api_filters import PlainDate
from papersite.api_auth import REFUSALS, needs
from papersite.api_errors import ApiError, ErrorOut
from papersite.api_parameters import PageOfRows, refuse_unknown
from papersite.models import TokenScope

LogId = Annotated[int, Path(description="The number of a log.", examples=[4])]
router = Router(tags=["operations"])
_sees_logs = needs(TokenScope.OPERATE, VIEW_WORK)
_sees_locks = needs(TokenScope.OPERATE, VIEW_LOCKS)
# Counts are exact up to here.
MOST_COUNTED = 10_000
_LIFE = {Life.ALIVE: True, Life.DEAD: False, Life.UNKNOWN: None}


class LogOut(Schema):
    """One run of a task."""

    id: int = Field(examples=[12])
    task: str = Field(description="`crawl`, `summarize`, `cleanup`, `delete` or `scheduler`.", examples=["crawl"])
    status: str = Field(
        description="`running` (without an owner: it waits), `success` or `failed`.", examples=["success"]
    )
    date: dt.date | None = Field(description="The day it was about, if it was about one.", examples=["2026-06-05"])
    papers_found: int | None = Field(examples=[25])
    papers_new: int | None = Field(examples=[3])
    error: str | None = Field(examples=["HTTP 503 from the source"])
    detail: str | None = Field(description="What was done, and what else is worth telling.", examples=["skipped x"])
    owner: str | None = Field(description="Who ran it; null while it waits.", examples=["process 12 on host"])
    started_at: dt.datetime
    completed_at: dt.datetime | None = Field(description="Null while it runs or waits.")
    duration: float = Field(description="Seconds that it took, or has taken so far.", examples=[3.2])


class LogPageOut(Schema):
    """A page of logs, the newest first."""

    items: list[LogOut]
    count: int = Field(description="How many there are in all, up to 10,000.", examples=[1])
    count_capped: bool = Field(description="Whether there are more than `count`.")


class LogFilters(PageOfRows):
    """Which logs."""

    task: Literal["crawl", "summarize", "cleanup", "delete", "scheduler"] | None = Field(
        None, description="Of this task only.", examples=["crawl"]
    )
    status: Literal["running", "success", "failed"] | None = Field(
        None, description="In this state only.", examples=["failed"]
    )
    date: PlainDate | None = Field(None, description="About this day only.", examples=["2026-06-05"])


class LockOut(Schema):
    """A lock."""

    id: int = Field(examples=[7])
    task: str = Field(examples=["crawl"])
    key: str = Field(description="A day, an arXiv id, or `all`.", examples=["2026-06-05"])
    status: str = Field(description="`running` (held), `finished` or `failed`.", examples=["running"])
    owner: str | None = Field(description="Who holds or held it.", examples=["process 12 on host"])
    is_alive: bool | None = Field(
        description="Whether the owner of a held lock is there; null where that cannot be told, or it is not held."
    )
    acquired_at: dt.datetime
    released_at: dt.datetime | None
    log_id: int | None = Field(description="The log of the work done under it.", examples=[12])


class LockPageOut(Schema):
    """A page of locks."""

    items: list[LockOut]
    count: int = Field(description="How many there are in all, up to 10,000.", examples=[1])
    count_capped: bool = Field(description="Whether there are more than `count`.")


class LockFilters(PageOfRows):
    """Which locks."""

    status: Literal["running", "finished", "failed"] = Field("running", description="In this state only.")


@router.get(
    "operations/logs",
    auth=_sees_logs,
    response={200: LogPageOut, **REFUSALS, 422: ErrorOut},
    summary="Logs of the work",
    operation_id="list_logs",
)
def list_logs(request: HttpRequest, filters: Query[LogFilters]) -> dict[str, Any]:
    """Return what was done and is being done, the newest first."""
    refuse_unknown(request, LogFilters)
    wanted = {"task": filters.task, "status": filters.status, "date": filters.date}
    logs = CrawlLog.objects.filter(**{name: value for name, value in wanted.items() if value is not None})
    page = logs.order_by("-started_at", "-id")[filters.offset : filters.offset + filters.limit]
    return {"items": [_log_out(log) for log in page], **_counted(logs)}


@router.get(
    "operations/logs/{log_id}",
    auth=_sees_logs,
    response={200: LogOut, **REFUSALS, 404: ErrorOut, 422: ErrorOut},
    summary="One log",
    operation_id="get_log",
)
def get_log(request: HttpRequest, log_id: LogId) -> dict[str, Any]:
    """Return how a piece of work went, or how far it is."""
    log = CrawlLog.objects.filter(pk=log_id).first() if 0 < log_id < 2**63 else None
    if log is None:
        raise ApiError(404, "not_found", f"There is no log {log_id}.")
    return _log_out(log)


@router.get(
    "operations/locks",
    auth=_sees_locks,
    response={200: LockPageOut, **REFUSALS, 422: ErrorOut},
    summary="Locks",
    operation_id="list_locks",
)
def list_locks(request: HttpRequest, filters: Query[LockFilters]) -> dict[str, Any]:
    """Return who holds what since when; with another `status`, who held it."""
    refuse_unknown(request, LockFilters)
    locks = TaskLock.objects.filter(status=filters.status)
    page = locks.order_by(F("acquired_at").desc(), "-id")[filters.offset : filters.offset + filters.limit]
    return {"items": [_lock_out(lock) for lock in page], **_counted(locks)}


def _counted(rows: QuerySet) -> dict[str, Any]:
    counted = rows.order_by()[: MOST_COUNTED + 1].count()
    return {"count": min(counted, MOST_COUNTED), "count_capped": counted > MOST_COUNTED}


def _log_out(log: CrawlLog) -> dict[str, Any]:
    columns = ("id", "task", "status", "date", "papers_found", "papers_new", "error", "detail", "started_at")
    took = (log.completed_at or timezone.now()) - log.started_at
    return {
        **{name: getattr(log, name) for name in columns},
        "owner": describe(log.owner) if log.owner else None,
        "completed_at": log.completed_at,
        "duration": round(max(took.total_seconds(), 0.0), 3),
    }


def _lock_out(lock: TaskLock) -> dict[str, Any]:
    is_held = lock.status == LockState.RUNNING
    return {
        "id": lock.pk,
        "task": lock.task,
        "key": lock.lock_key,
        "status": lock.status,
        "owner": describe(lock.owner) if lock.owner else None,
        "is_alive": _LIFE[life_of(lock.owner, lock.acquired_at)] if is_held else None,
        "acquired_at": lock.acquired_at,
        "released_at": lock.released_at,
        "log_id": lock.log_id,
    }
