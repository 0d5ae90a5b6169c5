"""The page of the schedules: when each runs, how its last run ended, and a form for its time."""

from dataclasses import dataclass
from datetime import datetime

from django.contrib import admin, messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from operations.admin.access import OPERATE, VIEW_SCHEDULES, console_page
from operations.admin.audit import record
from operations.admin.telling import warn_without_worker
from operations.maintenance import MaintenanceOn
from operations.schedule_states import schedule_states
from operations.schedules import (
    IN_WORDS,
    FixedTime,
    InvalidCron,
    UnknownSchedule,
    change_time,
    ensure_schedules,
    next_runs,
    reset_time,
    run_now,
)
from operations.wording import listed

# More often than this is more likely a slip, such as `* 9 * * *`, than a wish.
_OFTEN_SECONDS = 3600


@dataclass(frozen=True)
class _Typed:
    """What was typed for a schedule and not saved: to be looked at first, or refused."""

    name: str
    cron: str
    runs: list[datetime]
    error: str = ""

    @property
    def is_often(self) -> bool:
        """Whether the runs lie close together."""
        return len(self.runs) > 1 and (self.runs[1] - self.runs[0]).total_seconds() < _OFTEN_SECONDS


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_SCHEDULES)
def schedules(request: HttpRequest) -> HttpResponse:
    """Show all schedules; a POST changes one, or asks for its work at once."""
    if request.method != "POST":
        return _page(request)
    act = _ACTS.get(request.POST.get("act", ""))
    if act is None:
        raise BadRequest("there is no such act")
    try:
        return act(request, request.POST.get("name", ""), request.POST.get("cron", ""))
    except (UnknownSchedule, FixedTime) as error:
        raise BadRequest("there is no such schedule, or its time is fixed") from error


def _look(request: HttpRequest, name: str, cron: str) -> HttpResponse:
    """Show when a time that was typed would come, without saving it."""
    return _page(request, _typed(name, cron))


def _change(request: HttpRequest, name: str, cron: str) -> HttpResponse:
    try:
        kept = change_time(name, cron, by=request.user.get_username())
    except InvalidCron:
        return _page(request, _typed(name, cron), status=400)
    record(request, _("定时任务“%(name)s”的时间改为 %(cron)s") % {"name": _in_words(name), "cron": kept})
    messages.success(request, _("已保存。下一次：%(runs)s") % {"runs": _times(next_runs(kept))})
    return _back()


def _reset(request: HttpRequest, name: str, cron: str) -> HttpResponse:
    default = reset_time(name, by=request.user.get_username())
    record(request, _("定时任务“%(name)s”的时间恢复为默认的 %(cron)s") % {"name": _in_words(name), "cron": default})
    messages.success(request, _("已恢复默认时间。下一次：%(runs)s") % {"runs": _times(next_runs(default))})
    return _back()


def _run(request: HttpRequest, name: str, cron: str) -> HttpResponse:
    try:
        run_now(name)
    except MaintenanceOn:
        messages.warning(request, _("正在维护，没有运行；请在结束维护后再试。"))
        return _back()
    record(request, _("立即运行定时任务“%(name)s”") % {"name": _in_words(name)})
    messages.success(request, _("“%(name)s”已交给后台任务，马上开始。") % {"name": _in_words(name)})
    warn_without_worker(request, during_maintenance=True)
    return _back()


def _put_right(request: HttpRequest, name: str, cron: str) -> HttpResponse:
    changed = ensure_schedules()
    record(request, _("修复定时任务：%(names)s") % {"names": "、".join(map(_in_words, changed)) or _("没有改动")})
    messages.success(request, _("定时任务已恢复正常。"))
    return _back()


_ACTS = {"look": _look, "change": _change, "reset": _reset, "run": _run, "put_right": _put_right}


def _typed(name: str, cron: str) -> _Typed:
    cron = cron[:200]
    try:
        return _Typed(name, cron, next_runs(cron))
    except InvalidCron:
        return _Typed(name, cron, [], _("这不是能用的时间：要有五段（分 时 日 月 星期），而且那个时间真的会到来。"))


def _page(request: HttpRequest, typed: _Typed | None = None, status: int = 200) -> HttpResponse:
    context = {
        **admin.site.each_context(request),
        "title": _("定时任务"),
        "schedules": schedule_states(),
        "typed": typed,
        "zone": timezone.get_current_timezone_name(),
        "may_change": request.user.has_perm(OPERATE),
    }
    return TemplateResponse(request, "admin/console/schedules.html", context, status=status)


def _back() -> HttpResponse:
    return HttpResponseRedirect(reverse("admin:schedules"))


def _in_words(name: str) -> str:
    return str(IN_WORDS.get(name, name))


def _times(runs: list[datetime]) -> str:
    return listed(f"{run:%m-%d %H:%M}" for run in runs)
