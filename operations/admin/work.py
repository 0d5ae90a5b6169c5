"""Logs, locks, jobs, listings and pauses: what the work left behind, to be read."""

from django.contrib import admin

from operations.admin.access import ReadOnlyAdmin
from operations.models import (
    CrawlLog,
    DataDeleteJob,
    DayListing,
    DeletedPaper,
    Heartbeat,
    QueuePause,
    TaskLock,
)


@admin.register(CrawlLog)
class CrawlLogAdmin(ReadOnlyAdmin):
    """One row for each run of a task."""

    list_display = ("started_at", "task", "date", "status", "papers_found", "papers_new", "completed_at", "error")
    list_filter = ("task", "status")
    date_hierarchy = "started_at"
    ordering = ("-started_at", "-id")
    search_fields = ("error", "detail")


@admin.register(TaskLock)
class TaskLockAdmin(ReadOnlyAdmin):
    """Who holds or held which lock."""

    list_display = ("task", "lock_key", "status", "owner", "acquired_at", "released_at")
    list_filter = ("status", "task")
    ordering = ("-acquired_at", "-id")
    search_fields = ("lock_key",)


@admin.register(DataDeleteJob)
class DataDeleteJobAdmin(ReadOnlyAdmin):
    """Deletions by date range."""

    list_display = ("date_start", "date_end", "include_notes", "paper_count", "status", "started_at", "completed_at")
    list_filter = ("status",)
    ordering = ("-started_at", "-id")


@admin.register(DayListing)
class DayListingAdmin(ReadOnlyAdmin):
    """Which papers each day listed."""

    list_display = ("date", "entry_key", "arxiv_id", "skipped_reason", "first_seen_at")
    list_filter = (("skipped_reason", admin.EmptyFieldListFilter),)
    date_hierarchy = "date"
    ordering = ("-date", "id")
    search_fields = ("arxiv_id__startswith",)


@admin.register(DeletedPaper)
class DeletedPaperAdmin(ReadOnlyAdmin):
    """Papers that were deleted on purpose."""

    list_display = ("arxiv_id", "paper_date", "deleted_at")
    date_hierarchy = "deleted_at"
    ordering = ("-deleted_at", "-id")
    search_fields = ("arxiv_id__startswith",)


@admin.register(QueuePause)
class QueuePauseAdmin(ReadOnlyAdmin):
    """Why no summary is being started now."""

    list_display = ("cause", "message", "since", "until", "times")


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    """When each part of the site last showed itself alive."""

    list_display = ("name", "beat_at", "owner")
