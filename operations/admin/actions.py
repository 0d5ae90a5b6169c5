"""Actions of the admin. They act at once; what a worker must do is stored first and waits where none runs."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from operations import states, tasks
from operations.admin.audit import record_on_papers
from operations.admin.crawl_words import dates_in_words, link_to_job, problem_in_words
from operations.admin.telling import tell_rerun, warn_without_worker
from operations.arxiv_requests import request_metadata
from operations.crawl_plan import BadDates
from papers.models import Paper, SummaryStatus


@admin.action(description=gettext_lazy("重新运行总结"), permissions=["operate"])
def rerun_summary(modeladmin: admin.ModelAdmin, request: HttpRequest, queryset: QuerySet) -> None:
    """Put papers back into the queue in whatever state they are, their count begun anew; all of a list too."""
    column = "paper_id" if queryset.model is SummaryStatus else "pk"
    paper_ids = list(queryset.order_by().values_list(column, flat=True))
    moved = states.rerun(paper_ids)
    tasks.request_summaries()
    record_on_papers(request, paper_ids, _("重新运行总结"))
    tell_rerun(request, moved, len(paper_ids) - moved)


@admin.action(description=gettext_lazy("重新抓取所在日期"), permissions=["operate"])
def recrawl_date(modeladmin: admin.ModelAdmin, request: HttpRequest, queryset: QuerySet[Paper]) -> None:
    """Ask for the days of the chosen papers again, the newest first."""
    paper_ids = list(queryset.order_by().values_list("pk", flat=True))
    dates = list(queryset.order_by("-paper_date").values_list("paper_date", flat=True).distinct())
    try:
        job = tasks.request_crawl(*dates, by=request.user.get_username())
    except BadDates as error:
        messages.error(request, problem_in_words(error))
        return
    record_on_papers(request, paper_ids, _("重新抓取所在日期"))
    text = _("已安排重新抓取 {dates}。{link}")
    messages.success(request, format_html(text, dates=dates_in_words(dates), link=link_to_job(job.pk)))
    warn_without_worker(request)


@admin.action(description=gettext_lazy("重新获取元数据"), permissions=["operate"])
def refresh_metadata(modeladmin: admin.ModelAdmin, request: HttpRequest, queryset: QuerySet[Paper]) -> None:
    """Ask arXiv about the chosen papers again."""
    paper_ids = list(queryset.order_by().values_list("pk", flat=True))
    wanted = request_metadata(paper_ids, by=request.user.get_username())
    tasks.wake_requests()
    record_on_papers(request, paper_ids, _("重新获取元数据"))
    text = ngettext(
        "已安排为 {count} 篇论文重新获取元数据。{link}", "已安排为 {count} 篇论文重新获取元数据。{link}", wanted
    )
    link = format_html('<a href="{}">{}</a>', reverse("admin:add_papers"), _("查看进度"))
    messages.success(request, format_html(text, count=wanted, link=link))
    warn_without_worker(request)
