"""The pages of crawls by hand: what one would do, how one goes, and how it is stopped."""

import datetime as dt
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.paginator import Page, Paginator
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from operations import tasks
from operations.admin.access import OPERATE, VIEW_CRAWLS, console_page
from operations.admin.audit import record_on
from operations.admin.crawl_words import dates_in_words, day_in_words, problem_in_words
from operations.admin.watching import DateInput, changing_part, refreshed, with_circumstances
from operations.calendar import utc_today
from operations.crawl_jobs import stop_crawl
from operations.crawl_plan import FIRST_DAY, BadDates, CrawlPlan, plan_crawl
from operations.models import CrawlJob, CrawlJobDay, DayState, RunState

JOBS_SHOWN = 10
DAYS_ON_A_PAGE = 100
_ENDED = (DayState.SUCCESS, DayState.FAILED, DayState.SKIPPED)


class _CrawledDateInput(DateInput):
    """A choice among the days that Daily Papers can have."""

    def build_attrs(self, base_attrs: dict[str, Any], extra_attrs: dict[str, Any] | None = None) -> dict[str, Any]:
        """Add the ends of what can be chosen; the last is today by UTC."""
        return super().build_attrs(base_attrs, extra_attrs) | {"min": str(FIRST_DAY), "max": str(utc_today())}


class RangeForm(forms.Form):
    """One day, or the first and the last of several; a valid form has a `plan`."""

    first = forms.DateField(label=gettext_lazy("日期（或第一天）"), widget=_CrawledDateInput, initial=utc_today)
    last = forms.DateField(label=gettext_lazy("最后一天（可不填）"), widget=_CrawledDateInput, required=False)
    plan: CrawlPlan | None = None

    def clean(self) -> dict[str, Any]:
        """Make the plan, or say why there can be none."""
        first: dt.date | None = self.cleaned_data.get("first")
        if first is not None and "last" in self.cleaned_data:
            try:
                self.plan = plan_crawl(first, self.cleaned_data["last"] or first)
            except BadDates as error:
                raise ValidationError(problem_in_words(error)) from error
        return self.cleaned_data


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_CRAWLS)
def crawl(request: HttpRequest) -> HttpResponse:
    """Ask for days, say what a crawl of them would do (`?first=…&last=…`), and by POST begin it."""
    asked = request.POST if request.method == "POST" else request.GET
    form = RangeForm(asked if "first" in asked else None)
    if form.is_valid() and form.plan and request.method == "POST":
        return _start(request, form.plan)
    context = {
        "title": _("抓取指定日期"),
        "form": form,
        "plan": form.plan,
        "jobs": _counted(CrawlJob.objects.order_by("-id"))[:JOBS_SHOWN],
        "today": utc_today(),
    }
    return TemplateResponse(request, "admin/console/crawl.html", _with_circumstances(request, context))


def _start(request: HttpRequest, plan: CrawlPlan) -> HttpResponse:
    job = tasks.request_crawl(*plan.dates, by=request.user.get_username())
    record_on(request, [job], _("开始抓取 %(dates)s") % {"dates": dates_in_words(plan.dates)})
    return HttpResponseRedirect(reverse("admin:crawl_job", args=[job.pk]))


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_CRAWLS)
def crawl_job(request: HttpRequest, job_id: int) -> HttpResponse:
    """Show a crawl job day by day; a POST stops it."""
    job = get_object_or_404(_counted(CrawlJob.objects.all()), pk=job_id)
    if request.method == "POST":
        return _stop(request, job)
    context = _progress(request, job) | refreshed(goes_on=job.status == RunState.RUNNING)
    context["title"] = _("抓取任务 #%(number)d") % {"number": job.pk}
    return TemplateResponse(request, "admin/console/crawl_job.html", _with_circumstances(request, context))


def _stop(request: HttpRequest, job: CrawlJob) -> HttpResponse:
    if stop_crawl(job.pk, by=request.user.get_username()):
        record_on(request, [job], _("停止抓取任务"))
        messages.success(request, _("已要求停止：正在抓取的一天在存好当前这一页后结束，其余的日子不再抓取。"))
    else:
        messages.info(request, _("这个任务已经结束，或已在停止。"))
    return HttpResponseRedirect(reverse("admin:crawl_job", args=[job.pk]))


@require_safe
@console_page(view=VIEW_CRAWLS)
def crawl_job_progress(request: HttpRequest, job_id: int) -> HttpResponse:
    """Return the part of a job's page that changes."""
    job = get_object_or_404(_counted(CrawlJob.objects.all()), pk=job_id)
    context = _with_circumstances(request, _progress(request, job))
    goes_on = job.status == RunState.RUNNING
    return changing_part(request, "admin/console/_crawl_progress.html", context, goes_on=goes_on)


def _progress(request: HttpRequest, job: Any) -> dict[str, Any]:
    days = Paginator(job.days.order_by("id"), DAYS_ON_A_PAGE)
    page = days.get_page(request.GET.get("page") or _page_in_work(job))
    return {
        "job": job,
        "page": page,
        "days": [(day, day_in_words(job, day)) for day in page],
        "page_numbers": _numbers(days, page),
        "running_day": next((day for day in page if day.state == DayState.RUNNING), None),
    }


def _numbers(days: Paginator, page: Page[CrawlJobDay]) -> list[int | str]:
    return list(days.get_elided_page_range(page.number)) if days.num_pages > 1 else []


def _page_in_work(job: Any) -> int:
    """Return the page with the day in work; of an ended job the first."""
    return 1 if job.status != RunState.RUNNING else job.ended_days // DAYS_ON_A_PAGE + 1


def _counted(jobs: QuerySet[CrawlJob]) -> QuerySet[Any]:
    """Add the figures of the days to each job."""
    return jobs.annotate(
        all_days=Count("days"),
        ended_days=Count("days", filter=Q(days__state__in=_ENDED)),
        done_days=Count("days", filter=Q(days__state__in=(DayState.SUCCESS, DayState.FAILED))),
        good_days=Count("days", filter=Q(days__state=DayState.SUCCESS)),
        bad_days=Count("days", filter=Q(days__state=DayState.FAILED)),
        skipped_days=Count("days", filter=Q(days__state=DayState.SKIPPED)),
    )


def _with_circumstances(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what keeps work from being begun, and what the person may do."""
    return with_circumstances(request, {"may_operate": request.user.has_perm(OPERATE), **context})
