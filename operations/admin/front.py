"""The first page of the admin: what needs a hand, with the door to its remedy, and the state."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib import messages
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from operations import maintenance, tasks
from operations.admin.access import (
    OPERATE,
    VIEW_FAILED_TASKS,
    VIEW_HEARTBEATS,
    VIEW_LOCKS,
    VIEW_MAINTENANCE,
    VIEW_SCHEDULES,
    VIEW_SETUP,
    VIEW_STATUSES,
    VIEW_WORK,
    console_page,
)
from operations.admin.audit import record
from operations.admin.telling import warn_without_worker
from operations.console import Console
from operations.crawl_plan import BadDates
from operations.models import Maintenance
from operations.needs import Need, NeedCode, needs
from operations.wording import listed

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise

_MOST_DATES = 31
_SWITCH = "maintenance_switch"


# ---------------------------------------------------------------- what needs a hand


@dataclass(frozen=True)
class Door:
    """A way to a remedy: a link, or a button that posts `act`; with `posts_dates` the days that the need is about."""

    label: "StrOrPromise"
    page: str
    permission: str
    query: str = ""
    act: str = ""
    posts_dates: bool = False

    @property
    def address(self) -> str:
        """Where it leads."""
        return reverse(self.page) + self.query

    @property
    def is_button(self) -> bool:
        """Whether it posts."""
        return bool(self.act or self.posts_dates)


@dataclass(frozen=True)
class NeedWithDoor:
    """A need, and the door that is open to the person; None where none is."""

    need: Need
    door: Door | None


_CRAWL_AGAIN = Door(gettext_lazy("重新抓取"), "admin:front_crawl", OPERATE, posts_dates=True)
_CRAWL_TODAY = Door(gettext_lazy("抓取今天"), "admin:front_crawl", OPERATE, posts_dates=True)
_SETUP = Door(gettext_lazy("设置与检查"), "admin:setup", VIEW_SETUP)
_DOORS: dict[NeedCode, tuple[Door, ...]] = {
    NeedCode.WORKER: (Door(gettext_lazy("查看心跳"), "admin:operations_heartbeat_changelist", VIEW_HEARTBEATS),),
    NeedCode.MAINTENANCE: (
        Door(gettext_lazy("结束维护"), "admin:maintenance", OPERATE, act="off"),
        Door(gettext_lazy("维护与暂停"), "admin:maintenance", VIEW_MAINTENANCE),
    ),
    NeedCode.DISK: (Door(gettext_lazy("备份"), "admin:backups", VIEW_SETUP),),
    NeedCode.AGENT: (_SETUP,),
    NeedCode.PAUSED: (
        Door(gettext_lazy("现在就再试"), "admin:maintenance", OPERATE, act="try_again"),
        Door(gettext_lazy("维护与暂停"), "admin:maintenance", VIEW_MAINTENANCE),
    ),
    NeedCode.FEED: (_CRAWL_TODAY,),
    NeedCode.CRAWL: (_CRAWL_AGAIN,),
    NeedCode.ACCOUNT: (_CRAWL_AGAIN,),
    NeedCode.FAILURES: (Door(gettext_lazy("查看失败"), "admin:failures", VIEW_STATUSES),),
    NeedCode.LOCKS: (
        Door(
            gettext_lazy("查看锁"),
            "admin:operations_tasklock_changelist",
            VIEW_LOCKS,
            "?status__exact=running",
        ),
    ),
    NeedCode.SCHEDULES: (
        Door(gettext_lazy("恢复正常"), "admin:schedules", OPERATE, act="put_right"),
        Door(gettext_lazy("定时任务"), "admin:schedules", VIEW_SCHEDULES),
    ),
    NeedCode.QUEUE: (Door(gettext_lazy("查看出错的任务"), "admin:django_q_failure_changelist", VIEW_FAILED_TASKS),),
    NeedCode.BACKUP: (Door(gettext_lazy("备份"), "admin:backups", VIEW_SETUP),),
}
# Those that concern papers; all others are the business of people who see the work.
_OF_PAPERS = frozenset({NeedCode.FAILURES})


@dataclass(frozen=True)
class Front:
    """What the first page shows to one person; `sees_work` is false for those who look after papers alone."""

    console: Console
    needs: list[NeedWithDoor]
    sees_work: bool
    sees_statuses: bool
    may_operate: bool


def front_page(request: HttpRequest) -> Front:
    """Return what the first page shows to the person of the request."""
    console, may = Console(maintenance=switch_of(request)), request.user.has_perm
    sees_work = may(VIEW_WORK)
    return Front(console, list(_needs(request, console)), sees_work, may(VIEW_STATUSES), may(OPERATE))


def switch_of(request: HttpRequest) -> Maintenance | None:
    """Return the switch that holds all work, while it is on; each page asks for it once, for its banner."""
    if not hasattr(request, _SWITCH):
        setattr(request, _SWITCH, maintenance.current())
    return getattr(request, _SWITCH)


def _needs(request: HttpRequest, console: Console) -> Iterator[NeedWithDoor]:
    may = request.user.has_perm
    kinds = [code for code in NeedCode if may(VIEW_STATUSES if code in _OF_PAPERS else VIEW_WORK)]
    for need in needs(console, kinds):
        yield NeedWithDoor(need, next((door for door in _DOORS[need.code] if may(door.permission)), None))


@require_POST
@console_page(view=OPERATE)
def front_crawl(request: HttpRequest) -> HttpResponse:
    """Crawl days again that the first page named."""
    days = _posted_dates(request)
    try:
        job = tasks.request_crawl(*days, by=request.user.get_username())
    except BadDates as error:
        raise BadRequest("these days cannot be crawled") from error
    named = listed(days)
    record(request, _("抓取 %(dates)s") % {"dates": named})
    messages.success(request, _("已安排抓取 %(dates)s，正在排队。") % {"dates": named})
    warn_without_worker(request)
    return HttpResponseRedirect(reverse("admin:crawl_job", args=[job.pk]))


def _posted_dates(request: HttpRequest) -> list[dt.date]:
    texts = request.POST.getlist("date")
    if not 0 < len(texts) <= _MOST_DATES:
        raise BadRequest("no date, or too many")
    try:
        return [dt.date.fromisoformat(text) for text in texts]
    except ValueError as error:
        raise BadRequest("this is no date") from error
