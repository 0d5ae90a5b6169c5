"""The page of the maintenance switch, and of the pauses that the queue makes by itself."""

from django.contrib import admin, messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from operations import maintenance, tasks
from operations.admin.access import OPERATE, VIEW_MAINTENANCE, console_page
from operations.admin.audit import record
from operations.admin.telling import warn_without_worker
from operations.models import QueuePause
from operations.pauses import Cause, end_all
from operations.running import running_work
from operations.wording import listed

_LONGEST_REASON = 500
_CAUSES = dict(Cause.choices)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_MAINTENANCE)
def maintenance_switch(request: HttpRequest) -> HttpResponse:
    """Show the switch, what still runs, and the pauses; a POST switches, or ends the pauses."""
    if request.method != "POST":
        return _page(request)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise BadRequest("there is no such act")
    act(request)
    return HttpResponseRedirect(reverse("admin:maintenance"))


def _on(request: HttpRequest) -> None:
    reason = request.POST.get("reason", "").strip()[:_LONGEST_REASON]
    if maintenance.switch_on(reason, by=request.user.get_username()):
        record(request, _("开始维护：%(reason)s") % {"reason": reason or _("没有写原因")})
        messages.success(request, _("维护已开始：不再开始新的工作，页面照常。"))
    else:
        messages.info(request, _("维护已经在进行。"))


def _off(request: HttpRequest) -> None:
    if maintenance.switch_off(by=request.user.get_username()):
        record(request, _("结束维护"))
        messages.success(request, _("维护已结束，工作继续。"))
    else:
        messages.info(request, _("没有在维护。"))


def _try_again(request: HttpRequest) -> None:
    causes = listed(_CAUSES.get(cause, cause) for cause in end_all())
    if not causes:
        messages.info(request, _("没有暂停。"))
        return
    tasks.request_summaries()
    tasks.wake_requests()
    record(request, _("结束暂停，立即重试：%(causes)s") % {"causes": causes})
    messages.success(request, _("暂停已结束，马上重试；如果问题还在，会再次暂停。"))
    warn_without_worker(request)


_ACTS = {"on": _on, "off": _off, "try_again": _try_again}


def _page(request: HttpRequest) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": _("维护与暂停"),
        "switch": maintenance.current(),
        "running": running_work(),
        "pauses": list(QueuePause.objects.order_by("-until")),
        "now": timezone.now(),
        "may_change": request.user.has_perm(OPERATE),
        "longest_reason": _LONGEST_REASON,
    }
    return TemplateResponse(request, "admin/console/maintenance.html", context)
