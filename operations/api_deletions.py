"""The API of deletions by date range: counted, asked for, followed. A worker runs them; nothing else deletes papers."""

import datetime as dt
from typing import Annotated, Any

from django.http import HttpRequest
from django.utils.translation import gettext as _
from ninja import Path, Query, Router, Schema, Status
from pydantic import ConfigDict, Field

from operations import tasks
from operations.admin.access import DELETE, PERSONAL, VIEW_DELETIONS
from operations.admin.audit import record_on
from operations.deletion.counting import count_deletion
from operations.deletion.jobs import DeletionRunning
from operations.deletion.selection import RangeReversed
from operations.locks import LockHeld
from operations.maintenance import MaintenanceOn
from operations.models import DataDeleteJob
from papers.api_filters import PlainDate
from papersite.api_auth import REFUSALS, ApiActor, needs
from papersite.api_errors import ApiError, ErrorOut
from papersite.api_parameters import PageOfRows, refuse_unknown
from papersite.models import TokenScope

JobId = Annotated[int, Path(description="The number of a deletion.", examples=[4])]
router = Router(tags=["operations"])
DELETION_JOBS = "/api/v1/operations/delete-jobs/"
_sees = needs(TokenScope.OPERATE, VIEW_DELETIONS)
_deletes = needs(TokenScope.OPERATE, DELETE)


class DeletionIn(Schema):
    """A range of days, both ends included."""

    model_config = ConfigDict(extra="forbid")

    date_start: PlainDate = Field(description="The first day.", examples=["2026-06-01"])
    date_end: PlainDate = Field(description="The last day.", examples=["2026-06-07"])
    include_notes: bool = Field(True, description="False keeps papers that carry a note or a bookmark.")
    dry_run: bool = Field(False, description="True only counts, and stores nothing.")


class DeletionCountOut(Schema):
    """What a deletion would take; what is null would tell of a single paper of the owner's."""

    dry_run: bool = Field(examples=[True])
    papers: int | None = Field(description="Papers that would be deleted.", examples=[25])
    kept: int | None = Field(description="Papers that would stay, for their note or bookmark.", examples=[2])
    notes: int | None = Field(examples=[1])
    bookmarks: int | None = Field(examples=[3])
    reading_statuses: int | None = Field(examples=[4])
    files: int | None = Field(description="Readable copies and downloads.", examples=[75])
    bytes: int | None = Field(description="Bytes of these files; the database does not shrink.", examples=[1_200_000])
    in_work: int = Field(description="Of the papers, how many are being summarised now.", examples=[0])


class DeletionJobOut(Schema):
    """A deletion."""

    id: int = Field(examples=[4])
    date_start: dt.date
    date_end: dt.date
    include_notes: bool
    status: str = Field(
        description="`running` (it may wait for a worker), `success` or `failed`.", examples=["running"]
    )
    paper_count: int = Field(description="Papers that are deleted by now.", examples=[200])
    total: int | None = Field(description="Papers that it is about.", examples=[6500])
    kept: int | None = Field(description="Papers that stay, for their note or bookmark.", examples=[2])
    error: str | None = Field(examples=["stopped at 200 of 6500"])
    requested_by: str | None = Field(examples=["token nightly"])
    started_at: dt.datetime
    completed_at: dt.datetime | None
    log_id: int | None = Field(description="The log of its last run; null until a worker began.", examples=[12])
    look_at: str = Field(description="Where it can be followed.", examples=[f"{DELETION_JOBS}4"])


class DeletionJobPageOut(Schema):
    """A page of deletions, the newest first."""

    items: list[DeletionJobOut]
    count: int = Field(description="How many there are in all.", examples=[1])


@router.post(
    "operations/delete-jobs",
    auth=_deletes,
    response={
        200: DeletionCountOut,
        202: DeletionJobOut,
        **REFUSALS,
        400: ErrorOut,
        409: ErrorOut,
        413: ErrorOut,
        422: ErrorOut,
    },
    summary="Delete papers by date",
    operation_id="create_delete_job",
)
def create_delete_job(request: HttpRequest, wanted: DeletionIn) -> Status:
    """Ask for the papers filed under a range of days to be deleted for good, with all that belongs to them.

    200 with the counts of a dry run; 202 with the job, which a worker runs; 409 while there is another one, or
    during maintenance.
    """
    actor: ApiActor = request.auth  # type: ignore[attr-defined]
    days = (wanted.date_start, wanted.date_end)
    try:
        if wanted.dry_run:
            return Status(200, _count(actor, *days, include_notes=wanted.include_notes))
        job = tasks.request_deletion(*days, include_notes=wanted.include_notes, by=actor.name)
    except RangeReversed as error:
        raise ApiError(422, "invalid", f"date_start: {error}") from error
    except (DeletionRunning, LockHeld) as error:
        raise ApiError(409, "already_running", _since(error)) from error
    except MaintenanceOn as error:
        raise ApiError(409, "maintenance", str(error)) from error
    if actor.user is not None:
        text = (
            _("开始删除 %(range)s 的论文，连同有笔记或收藏的")
            if wanted.include_notes
            else _("开始删除 %(range)s 的论文，保留有笔记或收藏的")
        )
        record_on(request, [job], text % {"range": str(job)})
    return Status(202, _job_out(job))


@router.get(
    "operations/delete-jobs",
    auth=_sees,
    response={200: DeletionJobPageOut, **REFUSALS, 422: ErrorOut},
    summary="Deletions",
    operation_id="list_delete_jobs",
)
def list_delete_jobs(request: HttpRequest, filters: Query[PageOfRows]) -> dict[str, Any]:
    """Return the deletions, the newest first."""
    refuse_unknown(request, PageOfRows)
    jobs = DataDeleteJob.objects.order_by("-id")[filters.offset : filters.offset + filters.limit]
    return {"items": [_job_out(job) for job in jobs], "count": DataDeleteJob.objects.count()}


@router.get(
    "operations/delete-jobs/{job_id}",
    auth=_sees,
    response={200: DeletionJobOut, **REFUSALS, 404: ErrorOut, 422: ErrorOut},
    summary="One deletion",
    operation_id="get_delete_job",
)
def get_delete_job(request: HttpRequest, job_id: JobId) -> dict[str, Any]:
    """Return how far a deletion is."""
    job = DataDeleteJob.objects.filter(pk=job_id).first() if 0 < job_id < 2**63 else None
    if job is None:
        raise ApiError(404, "not_found", f"There is no deletion {job_id}.")
    return _job_out(job)


def _count(actor: ApiActor, first: dt.date, last: dt.date, *, include_notes: bool) -> dict[str, Any]:
    """Return the counts; of a single paper nothing that tells what the owner noted, unless it is the owner who asks."""
    count = count_deletion(first, last, include_notes=include_notes)
    private = {
        "kept": count.kept,
        "notes": count.notes,
        "bookmarks": count.bookmarks,
        "reading_statuses": count.reading_statuses,
    }
    public = {"papers": count.papers, "files": count.files, "bytes": count.bytes}
    is_owner = actor.user is not None and actor.user.has_perm(PERSONAL)  # type: ignore[attr-defined]
    if count.papers + count.kept == 1 and not is_owner:
        private = dict.fromkeys(private)  # type: ignore[assignment]
        if not include_notes:
            public = dict.fromkeys(public)  # type: ignore[assignment]
    return {"dry_run": True, **public, **private, "in_work": count.busy}


def _since(error: DeletionRunning | LockHeld) -> str:
    since = f" since {error.job.started_at:%Y-%m-%d %H:%M:%S} UTC" if isinstance(error, DeletionRunning) else ""
    return f"{error}{since}"


def _job_out(job: DataDeleteJob) -> dict[str, Any]:
    columns = ("id", "date_start", "date_end", "status", "total", "kept", "error", "requested_by", "started_at")
    return {
        **{name: getattr(job, name) for name in columns},
        "include_notes": job.include_notes is not False,
        "paper_count": job.paper_count or 0,
        "completed_at": job.completed_at,
        "log_id": job.log_id,
        "look_at": f"{DELETION_JOBS}{job.pk}",
    }
