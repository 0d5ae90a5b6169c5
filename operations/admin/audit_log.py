"""Who did what and when: Django's log of the admin, to be read."""

from typing import Any

from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.text import Truncator
from django.utils.translation import gettext_lazy as _

from operations.admin.access import PERSONAL, ReadOnlyAdmin
from papers.models import UserBookmark, UserNote, UserReadingStatus

# What is the owner's alone; that a bookmark was set is as private as the bookmark.
PRIVATE_MODELS = (UserBookmark, UserNote, UserReadingStatus)
_SHOWN = 200


@admin.register(LogEntry)
class AuditLogAdmin(ReadOnlyAdmin):
    """Every change by a person, the newest first."""

    list_title = _("操作记录")
    list_display = ("action_time", "user", "action_flag", "kind", "object_repr", "what")
    list_filter = ("user", "action_flag")
    list_select_related = ("user", "content_type")
    date_hierarchy = "action_time"
    # Entries are written in the order of time.
    ordering = ("-id",)
    search_fields = ("object_repr", "change_message")
    search_help_text = _("对象的名称和所做的事")
    fields = ("action_time", "user", "action_flag", "kind", "row", "whole")

    @admin.display(description=_("对象类型"))
    def kind(self, entry: LogEntry) -> str:
        """Return what kind of thing was changed."""
        return str(entry.content_type) if entry.content_type else "–"

    @admin.display(description=_("所做的事"))
    def what(self, entry: LogEntry) -> str:
        """Return the beginning of what was done."""
        return Truncator(entry.get_change_message() or "–").chars(_SHOWN)

    @admin.display(description=_("所做的事"))
    def whole(self, entry: LogEntry) -> str:
        """Return what was done."""
        return entry.get_change_message() or "–"

    @admin.display(description=_("对象"))
    def row(self, entry: LogEntry) -> str:
        """Return what was changed, with a link where there is a page for it."""
        address = entry.get_admin_url()
        return format_html('<a href="{}">{}</a>', address, entry.object_repr) if address else entry.object_repr or "–"

    def get_queryset(self, request: HttpRequest) -> QuerySet[LogEntry]:
        """Leave out what was done to the owner's private rows, unless it is the owner who looks."""
        entries = super().get_queryset(request)
        if request.user.has_perm(PERSONAL):
            return entries
        private = [kind.pk for kind in ContentType.objects.get_for_models(*PRIVATE_MODELS).values()]
        return entries.exclude(content_type__in=private)

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer none: nobody changes what was done."""
        return {}
