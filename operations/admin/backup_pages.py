"""The page of the backups that the site keeps: what there is, how the last ones went, and how one is brought back."""

from typing import Any

from django.conf import settings
from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from operations import tasks
from operations.admin.access import OPERATE, VIEW_SETUP, console_page
from operations.admin.audit import record
from operations.admin.telling import warn_without_worker
from operations.admin.watching import changing_part, refreshed
from operations.backup.kept import backups, backups_folder, recent_backups


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_SETUP)
def backups_page(request: HttpRequest) -> HttpResponse:
    """Show the backups; a POST asks the worker for one."""
    if request.method == "POST":
        _ask(request)
        return HttpResponseRedirect(reverse("admin:backups"))
    state = _state()
    context = {
        **admin.site.each_context(request),
        **state,
        "title": _("备份"),
        **refreshed(goes_on=state["is_awaited"]),
        "keep": settings.PAPERSITE.backup_keep,
        "newest": next((found.path for found in state["backups"] if found.manifest), backups_folder() / "FILE"),
        "may_change": request.user.has_perm(OPERATE),
    }
    return TemplateResponse(request, "admin/console/backups.html", context)


@require_safe
@console_page(view=VIEW_SETUP)
def backups_state(request: HttpRequest) -> HttpResponse:
    """Answer with the part of the page that changes while a backup is made."""
    state = _state()
    return changing_part(request, "admin/console/_backups.html", state, goes_on=state["is_awaited"])


def _state() -> dict[str, Any]:
    records = recent_backups()
    is_running = bool(records) and records[0].is_running
    return {
        "records": records,
        "last": next((row for row in records if not row.is_running), None),
        "running": records[0] if is_running else None,
        "is_awaited": is_running or tasks.is_backup_asked_for(),
        "backups": backups(),
    }


def _ask(request: HttpRequest) -> None:
    if not tasks.request_backup():
        messages.info(request, _("已经有一个备份在等待或正在进行。"))
        return
    record(request, _("立即备份"))
    messages.success(request, _("已安排备份，完成后会出现在下面的列表里。"))
    warn_without_worker(request, during_maintenance=True)
