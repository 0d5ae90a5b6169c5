"""The owner's bookmarks, notes and reading status."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils import timezone

from operations.admin.access import PersonalAdmin
from operations.admin.lists import LONG_OF_PAPER, listed_paper
from papers.models import UserBookmark, UserNote, UserReadingStatus


class _PersonalRowAdmin(PersonalAdmin):
    """A row on one paper, its times kept by the site."""

    autocomplete_fields = ("paper",)
    list_select_related = ("paper",)
    left_out = LONG_OF_PAPER

    def get_readonly_fields(self, request: HttpRequest, obj=None) -> tuple[str, ...]:
        """Keep the times, and the paper once it is chosen."""
        times = tuple(field.name for field in self.opts.fields if field.name in ("created_at", "updated_at"))
        return times if obj is None else ("paper", *times)

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Set the times the row has."""
        now = timezone.now()
        if not change and hasattr(obj, "created_at"):
            obj.created_at = now
        if hasattr(obj, "updated_at"):
            obj.updated_at = now
        super().save_model(request, obj, form, change)


@admin.register(UserBookmark)
class UserBookmarkAdmin(_PersonalRowAdmin):
    """Bookmarks."""

    list_display = (listed_paper, "note", "created_at")
    search_fields = ("paper__arxiv_id",)
    date_hierarchy = "created_at"


@admin.register(UserNote)
class UserNoteAdmin(_PersonalRowAdmin):
    """Notes."""

    list_display = (listed_paper, "updated_at")
    left_out = ("content", *LONG_OF_PAPER)
    search_fields = ("paper__arxiv_id", "content")
    date_hierarchy = "updated_at"


@admin.register(UserReadingStatus)
class UserReadingStatusAdmin(_PersonalRowAdmin):
    """How far the owner has read."""

    list_display = (listed_paper, "status", "updated_at")
    search_fields = ("paper__arxiv_id",)
    list_filter = ("status",)
