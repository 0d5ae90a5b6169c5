"""The tables of django-q2, to be read only: a schedule can name any function, so editing one is running code.

Tasks that failed can be run again or put aside, by the verbs of `operations.queue_tasks`.
"""

import datetime as dt
from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django_q.admin import QueueAdmin as TheirQueueAdmin
from django_q.models import Failure, OrmQ, Schedule, Success, Task

from operations.admin.access import ForOperators, ReadOnlyAdmin
from operations.admin.audit import record
from operations.admin.telling import warn_without_worker
from operations.queue_tasks import put_aside, run_again, short_error
from operations.schedules import IN_WORDS
from operations.wording import listed

# Characters of a trace or of arguments that are shown.
_LONGEST_TRACE = 20_000
_LONGEST_ARGUMENTS = 500
# Functions named in the audit log; more are counted.
_FUNCTIONS_NAMED = 10


class _TaskAdmin(ReadOnlyAdmin):
    """What the queue keeps of a task that ended; arguments and results are pickled, so only their text is shown."""

    list_display = ("began", "function", "name", "took")
    list_display_links = ("began", "function")
    fields = ("function", "name", "id", "arguments", "started", "stopped", "took", "outcome")
    readonly_fields = fields
    ordering = ("-stopped",)
    search_fields = ("func", "name")

    @admin.display(description=gettext_lazy("开始时间"))
    def began(self, task: Task) -> dt.datetime:
        """Return when it was begun; django-q2 has no Chinese word for it."""
        return task.started

    @admin.display(description=gettext_lazy("任务"))
    def function(self, task: Task) -> str:
        """Name the function, without the place that is the same for all of ours."""
        return task.func.removeprefix("operations.tasks.")

    @admin.display(description=gettext_lazy("用时"))
    def took(self, task: Task) -> str:
        """Return the seconds it took."""
        return _("%(seconds).1f 秒") % {"seconds": task.time_taken()}

    @admin.display(description=gettext_lazy("参数"))
    def arguments(self, task: Task) -> str:
        """Return the arguments as text."""
        parts = [*map(repr, task.args or ()), *(f"{name}={value!r}" for name, value in (task.kwargs or {}).items())]
        return ", ".join(parts)[:_LONGEST_ARGUMENTS] or "—"

    @admin.display(description=gettext_lazy("结果"))
    def outcome(self, task: Task) -> str:
        """Return what the task gave back or raised, with its trace; text of strangers may stand in it."""
        return format_html('<pre lang="en">{}</pre>', str(task.result)[:_LONGEST_TRACE])


class _FailureAdmin(ForOperators, _TaskAdmin):
    """Tasks that ended by an exception."""

    list_display = ("began", "function", "error", "took")
    actions = ("run_again", "put_aside")
    list_title = gettext_lazy("出错的队列任务")

    @admin.display(description=gettext_lazy("错误"))
    def error(self, task: Failure) -> str:
        """Return the message without its trace."""
        return short_error(task.result)

    @admin.action(description=gettext_lazy("再次运行"), permissions=["operate"])
    def run_again(self, request: HttpRequest, queryset: QuerySet[Failure]) -> None:
        """Ask the worker for the chosen tasks again."""
        again = run_again(list(queryset.values_list("pk", flat=True)))
        count = len(again.functions)
        if count:
            record(request, _("再次运行出错的队列任务：%(names)s") % {"names": _named(again.functions)})
            text = ngettext("%(count)d 个任务已重新排队。", "%(count)d 个任务已重新排队。", count)
            messages.success(request, text % {"count": count})
            warn_without_worker(request)
        if again.refused:
            text = ngettext(
                "%(count)d 个任务不属于本站，未作改动。", "%(count)d 个任务不属于本站，未作改动。", again.refused
            )
            messages.warning(request, text % {"count": again.refused})

    @admin.action(description=gettext_lazy("知道了，从列表中移除"), permissions=["operate"])
    def put_aside(self, request: HttpRequest, queryset: QuerySet[Failure]) -> None:
        """Take the chosen tasks off the list."""
        functions = tuple(queryset.values_list("func", flat=True))
        count = put_aside(list(queryset.values_list("pk", flat=True)))
        record(request, _("移除出错的队列任务：%(names)s") % {"names": _named(functions)})
        text = ngettext("%(count)d 个任务已移除。", "%(count)d 个任务已移除。", count)
        messages.success(request, text % {"count": count})


def _named(functions: tuple[str, ...]) -> str:
    named = listed(name.removeprefix("operations.tasks.") for name in functions[:_FUNCTIONS_NAMED])
    more = len(functions) - _FUNCTIONS_NAMED
    return _("%(names)s 等 %(count)d 个") % {"names": named, "count": len(functions)} if more > 0 else named


class _ScheduleAdmin(ReadOnlyAdmin):
    """The rows behind the page of the schedules, where their times are changed."""

    list_display = ("in_words", "func", "cron", "minutes", "next_run")
    fields = ("name", "func", "schedule_type", "cron", "minutes", "repeats", "next_run", "task")
    ordering = ("id",)
    actions = None

    @admin.display(description=gettext_lazy("名称"))
    def in_words(self, schedule: Schedule) -> str:
        """Return the name as pages show it."""
        return str(IN_WORDS.get(schedule.name or "", schedule.name or "—"))


class _QueueAdmin(ReadOnlyAdmin, TheirQueueAdmin):
    """Tasks that wait, or are being done."""

    list_display = ("id", "func", "name", "lock")
    list_filter = ()
    ordering = ("id",)
    actions = None


_ADMINS: dict[Any, type[admin.ModelAdmin]] = {
    Success: _TaskAdmin,
    Failure: _FailureAdmin,
    Schedule: _ScheduleAdmin,
    OrmQ: _QueueAdmin,
}

for _model, _admin in _ADMINS.items():
    admin.site.unregister(_model)
    admin.site.register(_model, _admin)
