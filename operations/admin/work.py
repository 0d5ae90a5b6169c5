"""Jobs, listings and pauses: what the work left behind, to be read."""

from django.contrib import admin
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from operations.admin.access import ReadOnlyAdmin
from operations.models import (
    DataDeleteJob,
    DayListing,
    DeletedPaper,
    Heartbeat,
    QueuePause,
)


@admin.register(DataDeleteJob)
class DataDeleteJobAdmin(ReadOnlyAdmin):
    """Deletions by date range."""

    list_display = (
        "id",
        "date_start",
        "date_end",
        "include_notes",
        "status",
        "paper_count",
        "total",
        "kept",
        "requested_by",
        "started_at",
        "completed_at",
        "progress",
    )
    list_filter = ("status", "include_notes")
    ordering = ("-id",)

    @admin.display(description=_("进度"))
    def progress(self, job: DataDeleteJob) -> SafeString:
        """Link to the job's own page."""
        return format_html('<a href="{}">{}</a>', reverse("admin:deletion_job", args=[job.pk]), _("查看进度"))


@admin.register(DayListing)
class DayListingAdmin(ReadOnlyAdmin):
    """Which papers each day listed."""

    list_display = ("date", "entry_key", "arxiv_id", "skipped_reason", "first_seen_at")
    list_filter = (("skipped_reason", admin.EmptyFieldListFilter),)
    date_hierarchy = "date"
    ordering = ("-date", "id")
    prefix_fields = ("arxiv_id",)


@admin.register(DeletedPaper)
class DeletedPaperAdmin(ReadOnlyAdmin):
    """Papers that were deleted on purpose."""

    list_display = ("arxiv_id", "paper_date", "deleted_at")
    date_hierarchy = "deleted_at"
    ordering = ("-deleted_at", "-id")
    prefix_fields = ("arxiv_id",)


@admin.register(QueuePause)
class QueuePauseAdmin(ReadOnlyAdmin):
    """Why no summary is being started now."""

    list_display = ("cause", "message", "since", "until", "times")


@admin.register(Heartbeat)
class HeartbeatAdmin(ReadOnlyAdmin):
    """When each part of the site last showed itself alive."""

    list_display = ("name", "beat_at", "owner")
