"""Actions of the admin. They act at once; what a worker must do is stored first and waits where none runs."""

from collections.abc import Iterable, Sequence

from django.contrib import admin, messages
from django.contrib.admin.models import CHANGE, LogEntry
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from operations import states, tasks
from operations.feed import worker_is_alive
from papers.models import Paper, SummaryStatus

# Dates named in a message; more are counted.
_DATES_NAMED = 10


@admin.action(description=gettext_lazy("重新运行总结"), permissions=["change"])
def rerun_summary(modeladmin: admin.ModelAdmin, request: HttpRequest, queryset: QuerySet) -> None:
    """Put papers back into the queue in whatever state they are, their count begun anew."""
    chosen = list(queryset)
    moved = states.rerun(_paper_ids(chosen))
    tasks.request_summaries()
    _write_log(request, chosen, _("重新运行总结"))
    _tell_rerun(request, moved, len(chosen) - moved)


@admin.action(description=gettext_lazy("重新抓取所在日期"), permissions=["change"])
def recrawl_date(modeladmin: admin.ModelAdmin, request: HttpRequest, queryset: QuerySet[Paper]) -> None:
    """Ask for the days of the chosen papers again."""
    chosen = list(queryset)
    dates = sorted({paper.paper_date for paper in chosen}, reverse=True)
    tasks.request_crawl(*dates)
    _write_log(request, chosen, _("重新抓取所在日期"))
    named = "、".join(date.isoformat() for date in dates[:_DATES_NAMED])
    text = ngettext("已安排重新抓取 %(count)d 天：%(dates)s", "已安排重新抓取 %(count)d 天：%(dates)s", len(dates))
    more = "……" if len(dates) > _DATES_NAMED else ""
    messages.success(request, text % {"count": len(dates), "dates": named + more})
    _warn_without_worker(request)


def _paper_ids(chosen: Iterable[Paper | SummaryStatus]) -> list[int]:
    return [row.paper_id if isinstance(row, SummaryStatus) else row.pk for row in chosen]


def _tell_rerun(request: HttpRequest, moved: int, left: int) -> None:
    text = ngettext("%(count)d 篇论文已重新排队，等待总结。", "%(count)d 篇论文已重新排队，等待总结。", moved)
    messages.success(request, text % {"count": moved})
    if left:
        text = ngettext("%(count)d 篇正在总结，未作改动。", "%(count)d 篇正在总结，未作改动。", left)
        messages.warning(request, text % {"count": left})
    _warn_without_worker(request)


def _warn_without_worker(request: HttpRequest) -> None:
    if not worker_is_alive():
        messages.warning(request, _("现在没有后台任务在运行；启动 serve，或运行命令 crawl、summarize 后才会执行。"))


def _write_log(request: HttpRequest, chosen: Sequence[Model], text: str) -> None:
    """Django writes no record of an action; one line for each row, as for a change by hand."""
    assert request.user.pk is not None  # noqa: S101  (the admin is for people who signed in)
    LogEntry.objects.log_actions(request.user.pk, chosen, CHANGE, change_message=text)
