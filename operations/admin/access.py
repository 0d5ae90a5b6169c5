"""Who may do what in the admin, beyond Django's own permissions."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponseBase

from operations.admin.lists import QuickList

# Run, re-run, pause, release; see the model CrawlLog. Deleting papers asks for DELETE instead.
OPERATE = "operations.operate"
DELETE = "operations.add_datadeletejob"
VIEW_SETUP = "operations.view_setup"
# What may be read: of papers and their summaries, of the work and its queue, of what people did.
VIEW_PAPERS = "papers.view_paper"
VIEW_STATUSES = "papers.view_summarystatus"
VIEW_REQUESTS = "operations.view_arxivrequest"
VIEW_CRAWLS = "operations.view_crawljob"
VIEW_WORK = "operations.view_crawllog"
VIEW_DELETIONS = "operations.view_datadeletejob"
VIEW_HEARTBEATS = "operations.view_heartbeat"
VIEW_MAINTENANCE = "operations.view_maintenance"
VIEW_LOCKS = "operations.view_tasklock"
VIEW_AUDIT = "admin.view_logentry"
VIEW_TOKENS = "papersite.view_apitoken"
VIEW_FAILED_TASKS = "django_q.view_failure"
VIEW_SCHEDULES = "django_q.view_schedule"
PERSONAL = "papers.personal"

ConsoleView = Callable[..., HttpResponseBase]


def console_page(*, view: str, change: str = OPERATE) -> Callable[[ConsoleView], ConsoleView]:
    """Let a page be read with the permission `view`, and be posted to with `change` alone.

    Whoever lacks it gets a 403; that nobody comes here without an account of the staff is the admin site's concern.
    """

    def decorate(function: ConsoleView) -> ConsoleView:
        @wraps(function)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            needed = view if request.method in ("GET", "HEAD") else change
            if not request.user.has_perm(needed):
                raise PermissionDenied(needed)
            return function(request, *args, **kwargs)

        return guarded

    return decorate


class ForOperators(admin.ModelAdmin):
    """Lists whose actions run work; an action asks for that by `permissions=["operate"]`."""

    def has_operate_permission(self, request: HttpRequest) -> bool:
        """Whoever may run work may do so from here, without a right to edit the rows."""
        return request.user.has_perm(OPERATE)


class ReadOnlyAdmin(QuickList):
    """A record of what happened: to be read, never to be written by hand."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody writes history."""
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        """Nobody changes history."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Nobody removes history."""
        return False


class ReadOnlyInline(admin.TabularInline):
    """Rows that belong to another page, shown only."""

    extra = 0
    max_num = 0
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj=None) -> bool:
        """Shown only."""
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        """Shown only."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Shown only."""
        return False

    def has_view_permission(self, request: HttpRequest, obj=None) -> bool:
        """Whoever may see the paper may see what belongs to it."""
        return request.user.has_perm(VIEW_PAPERS) or request.user.has_perm("papers.change_paper")


class PersonalAdmin(QuickList):
    """The owner's private rows: with the permission `papers.personal` everything, without it nothing at all."""

    def _is_owner(self, request: HttpRequest) -> bool:
        return request.user.has_perm(PERSONAL)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Hide the rows from the index too."""
        return self._is_owner(request)

    def has_view_permission(self, request: HttpRequest, obj=None) -> bool:
        """Only the owner."""
        return self._is_owner(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only the owner."""
        return self._is_owner(request)

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        """Only the owner."""
        return self._is_owner(request)

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Only the owner."""
        return self._is_owner(request)
