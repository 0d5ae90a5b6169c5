"""What people asked for by hand: crawls and questions to arXiv, to be read."""

from django.contrib import admin
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from operations.admin.access import VIEW_CRAWLS, ReadOnlyAdmin, ReadOnlyInline
from operations.models import ArxivRequest, CrawlJob, CrawlJobDay


class CrawlJobDayInline(ReadOnlyInline):
    """The days of a job."""

    model = CrawlJobDay
    fields = ("date", "state", "papers_found", "papers_new", "error", "started_at", "completed_at")

    def has_view_permission(self, request: HttpRequest, obj: object = None) -> bool:
        """Whoever may see the job may see its days."""
        return request.user.has_perm(VIEW_CRAWLS)


@admin.register(CrawlJob)
class CrawlJobAdmin(ReadOnlyAdmin):
    """Crawls of days that someone asked for."""

    list_display = ("id", "status", "requested_by", "started_at", "completed_at", "error", "progress")
    list_filter = ("status",)
    ordering = ("-id",)
    inlines = (CrawlJobDayInline,)

    @admin.display(description=_("进度"))
    def progress(self, job: CrawlJob) -> SafeString:
        """Link to the job's own page."""
        return format_html('<a href="{}">{}</a>', reverse("admin:crawl_job", args=[job.pk]), _("查看进度"))


@admin.register(ArxivRequest)
class ArxivRequestAdmin(ReadOnlyAdmin):
    """Questions to arXiv, and what came of them."""

    list_display = ("arxiv_id", "kind", "state", "result", "requested_by", "requested_at", "completed_at")
    list_filter = ("state", "kind")
    ordering = ("-id",)
    prefix_fields = ("arxiv_id",)
