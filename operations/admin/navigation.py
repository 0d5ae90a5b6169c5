"""The way to the pages of the console: in groups, in plain words, each for whoever may see it."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.urls import reverse
from django.utils.translation import gettext_lazy

from operations.admin.access import (
    VIEW_AUDIT,
    VIEW_CRAWLS,
    VIEW_DELETIONS,
    VIEW_FAILED_TASKS,
    VIEW_LOCKS,
    VIEW_MAINTENANCE,
    VIEW_REQUESTS,
    VIEW_SCHEDULES,
    VIEW_SETUP,
    VIEW_STATUSES,
    VIEW_TOKENS,
    VIEW_WORK,
)

if TYPE_CHECKING:
    from django_stubs_ext import StrOrPromise


@dataclass(frozen=True)
class NavLink:
    """A page of the console, what it is for in plain words, and who may see it."""

    label: "StrOrPromise"
    purpose: "StrOrPromise"
    page: str
    permission: str

    @property
    def address(self) -> str:
        """Where it leads."""
        return reverse(self.page)


@dataclass(frozen=True)
class NavGroup:
    """Pages that belong together."""

    label: "StrOrPromise"
    links: tuple[NavLink, ...]


_NAVIGATION = (
    NavGroup(
        gettext_lazy("论文"),
        (
            NavLink(gettext_lazy("抓取"), gettext_lazy("补抓一天或一段日子"), "admin:crawl", VIEW_CRAWLS),
            NavLink(
                gettext_lazy("添加论文"),
                gettext_lazy("按 arXiv 编号添加"),
                "admin:add_papers",
                VIEW_REQUESTS,
            ),
            NavLink(gettext_lazy("永久失败"), gettext_lazy("看原因，成批重新运行"), "admin:failures", VIEW_STATUSES),
            NavLink(
                gettext_lazy("按日期删除"),
                gettext_lazy("先清点，再删除"),
                "admin:deletion",
                VIEW_DELETIONS,
            ),
        ),
    ),
    NavGroup(
        gettext_lazy("运行"),
        (
            NavLink(gettext_lazy("定时任务"), gettext_lazy("改时间，现在运行"), "admin:schedules", VIEW_SCHEDULES),
            NavLink(
                gettext_lazy("维护与暂停"),
                gettext_lazy("暂停全部工作，或立即重试"),
                "admin:maintenance",
                VIEW_MAINTENANCE,
            ),
            NavLink(
                gettext_lazy("出错的队列任务"),
                gettext_lazy("看错误，再运行或清除"),
                "admin:django_q_failure_changelist",
                VIEW_FAILED_TASKS,
            ),
            NavLink(
                gettext_lazy("锁"),
                gettext_lazy("谁在占用，释放失效的锁"),
                "admin:operations_tasklock_changelist",
                VIEW_LOCKS,
            ),
            NavLink(
                gettext_lazy("日志"), gettext_lazy("每次任务的经过"), "admin:operations_crawllog_changelist", VIEW_WORK
            ),
        ),
    ),
    NavGroup(
        gettext_lazy("系统"),
        (
            NavLink(gettext_lazy("设置与检查"), gettext_lazy("看设置，逐项试运行"), "admin:setup", VIEW_SETUP),
            NavLink(gettext_lazy("备份"), gettext_lazy("每夜的备份，立即备份"), "admin:backups", VIEW_SETUP),
            NavLink(
                gettext_lazy("API 令牌"),
                gettext_lazy("给脚本用的令牌：新建，撤销"),
                "admin:papersite_apitoken_changelist",
                VIEW_TOKENS,
            ),
            NavLink(
                gettext_lazy("操作记录"),
                gettext_lazy("谁在什么时候做了什么"),
                "admin:admin_logentry_changelist",
                VIEW_AUDIT,
            ),
        ),
    ),
)


def navigation(request: HttpRequest) -> list[NavGroup]:
    """Return the console's pages that the person may see."""
    may = request.user.has_perm
    groups = [
        NavGroup(group.label, tuple(link for link in group.links if may(link.permission))) for group in _NAVIGATION
    ]
    return [group for group in groups if group.links]
