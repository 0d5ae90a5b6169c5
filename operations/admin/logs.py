"""The log of all work, to be read."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from operations.admin.access import ReadOnlyAdmin
from operations.admin.filters import DayFilter
from operations.models import CrawlLog
from operations.templatetags.work_in_words import length_in_words, owner_in_words

# Characters of an error or a remark in the list; the row's own page has all of it.
_SHOWN = 160


@admin.register(CrawlLog)
class CrawlLogAdmin(ReadOnlyAdmin):
    """One row for each run of a task."""

    list_display = ("started_at", "task", "status", "date", "duration", "told", "papers_found", "papers_new")
    list_filter = ("task", "status", DayFilter)
    date_hierarchy = "started_at"
    ordering = ("-started_at", "-id")
    sortable_by = ("started_at",)
    search_fields = ("error", "detail")
    search_help_text = gettext_lazy("错误和说明里的文字")
    fields = (
        *("task", "date", "status", "started_at", "completed_at", "duration", "papers_found", "papers_new"),
        *("error", "detail", "ran_by"),
    )

    @admin.display(description=gettext_lazy("用时"))
    def duration(self, log: CrawlLog) -> str:
        """Return how long it took, or has taken so far."""
        if log.completed_at is None:
            return _("已 %(length)s") % {"length": length_in_words(timezone.now() - log.started_at)}
        return length_in_words(log.completed_at - log.started_at)

    @admin.display(description=gettext_lazy("错误或说明"))
    def told(self, log: CrawlLog) -> str:
        """Return the beginning of the error, or of what was done."""
        return Truncator(log.error or log.detail or "–").chars(_SHOWN)

    @admin.display(description=gettext_lazy("执行者"))
    def ran_by(self, log: CrawlLog) -> str:
        """Return the process that ran it."""
        return owner_in_words(log.owner)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer none: there is nothing to do with the past."""
        return {}
