"""The pages of deletions: a range is chosen, counted, confirmed by typing it, and then watched as a job."""

import datetime as dt
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods, require_safe

from operations import tasks
from operations.admin.access import DELETE, PERSONAL, VIEW_DELETIONS, console_page
from operations.admin.audit import record_on
from operations.admin.deletion_words import end_in_words, place_in_words, refusal_in_words
from operations.admin.watching import DateInput, changing_part, refreshed, with_circumstances
from operations.deletion.counting import DeletionCount, count_deletion
from operations.deletion.jobs import DeletionRunning, stop_job
from operations.locks import LockHeld
from operations.maintenance import MaintenanceOn
from operations.models import DataDeleteJob, RunState

JOBS_SHOWN = 10
DELETE_NOTES, KEEP_NOTES = "delete", "keep"

Figure = tuple[str | int, str]


class DeletionForm(forms.Form):
    """The range of days, and what becomes of papers on which the owner has noted something."""

    first = forms.DateField(label=gettext_lazy("第一天"), widget=DateInput)
    last = forms.DateField(label=gettext_lazy("最后一天"), widget=DateInput)
    notes = forms.ChoiceField(
        label=gettext_lazy("有笔记或收藏的论文"),
        choices=[
            (KEEP_NOTES, gettext_lazy("保留这些论文")),
            (DELETE_NOTES, gettext_lazy("一起删除，包括笔记和收藏")),
        ],
        widget=forms.RadioSelect,
    )

    def clean(self) -> dict[str, Any]:
        """Refuse a range that ends before it begins."""
        first, last = self.cleaned_data.get("first"), self.cleaned_data.get("last")
        if first and last and last < first:
            raise ValidationError(_("结束日期早于开始日期。"))
        return self.cleaned_data

    @property
    def days(self) -> tuple[dt.date, dt.date]:
        """The first and the last day of a valid form."""
        return self.cleaned_data["first"], self.cleaned_data["last"]

    @property
    def include_notes(self) -> bool:
        """Whether papers that carry a note or a bookmark go too."""
        return self.cleaned_data["notes"] == DELETE_NOTES

    @property
    def wanted(self) -> str:
        """What must be typed to confirm the deletion."""
        return " ".join(day.isoformat() for day in self.days)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_DELETIONS, change=DELETE)
def deletion(request: HttpRequest) -> HttpResponse:
    """Ask for a range; a POST counts it, and one that carries the typed range begins the deletion."""
    form = DeletionForm(request.POST if request.method == "POST" else None)
    if not form.is_valid():
        return _choice(request, form)
    if "typed" not in request.POST:
        return _counted(request, form)
    if request.POST["typed"].split() != form.wanted.split():
        return _counted(request, form, _("输入的日期与范围不一致，什么都没有删除。"))
    return _start(request, form)


def _choice(request: HttpRequest, form: DeletionForm) -> HttpResponse:
    jobs = DataDeleteJob.objects.select_related("log").order_by("-id")[:JOBS_SHOWN]
    context = {"title": _("按日期删除论文"), "form": form, "jobs": jobs}
    return TemplateResponse(request, "admin/console/deletion.html", _with_circumstances(request, context))


def _counted(request: HttpRequest, form: DeletionForm, refusal: str = "") -> HttpResponse:
    count = count_deletion(*form.days, include_notes=form.include_notes)
    context = {
        "title": _("确认删除"),
        "form": form,
        "figures": _figures(count, form, sees_private=request.user.has_perm(PERSONAL)),
        "busy": count.busy,
        "notes_go": form.include_notes,
        "is_empty": count.papers + count.kept == 0,
        "refusal": refusal,
    }
    return TemplateResponse(request, "admin/console/deletion_count.html", _with_circumstances(request, context))


def _figures(count: DeletionCount, form: DeletionForm, *, sees_private: bool) -> list[Figure]:
    """Return the figures in words.

    What the owner noted is told as sums only; of a single paper a sum would tell of that paper.
    """
    hidden: str | Promise = gettext_lazy("仅所有者可见")
    if count.papers + count.kept == 1 and not sees_private:
        kept = [] if form.include_notes else [(str(hidden), _("是否保留"))]
        private = [(str(hidden), _("条笔记、收藏和阅读状态"))]
        return [(1, _("篇论文在范围内")), *kept, *private]
    kept_papers = [] if form.include_notes else [(count.kept, _("篇论文保留"))]
    return [
        (count.papers, _("篇论文将被删除")),
        *kept_papers,
        (count.notes, _("条笔记")),
        (count.bookmarks, _("个收藏")),
        (count.reading_statuses, _("条阅读状态")),
        (count.files, _("个文件")),
        (f"{count.bytes / 1e6:.1f} MB", _("文件大小")),
    ]


def _start(request: HttpRequest, form: DeletionForm) -> HttpResponse:
    by = request.user.get_username()
    try:
        job = tasks.request_deletion(*form.days, include_notes=form.include_notes, by=by)
    except (DeletionRunning, LockHeld, MaintenanceOn) as error:
        return _counted(request, form, refusal_in_words(error))
    text = (
        _("开始删除 %(range)s 的论文，连同有笔记或收藏的")
        if form.include_notes
        else _("开始删除 %(range)s 的论文，保留有笔记或收藏的")
    )
    record_on(request, [job], text % {"range": str(job)})
    return HttpResponseRedirect(reverse("admin:deletion_job", args=[job.pk]))


# ---------------------------------------------------------------- a job


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_DELETIONS, change=DELETE)
def deletion_job(request: HttpRequest, job_id: int) -> HttpResponse:
    """Show how far a deletion is; a POST stops it."""
    job = _job(job_id)
    if request.method == "POST":
        return _stop(request, job)
    context = _progress(job) | refreshed(goes_on=job.status == RunState.RUNNING)
    context["title"] = _("删除任务 #%(number)d") % {"number": job.pk}
    return TemplateResponse(request, "admin/console/deletion_job.html", _with_circumstances(request, context))


@require_safe
@console_page(view=VIEW_DELETIONS, change=DELETE)
def deletion_progress(request: HttpRequest, job_id: int) -> HttpResponse:
    """Return the part of a job's page that changes."""
    job = _job(job_id)
    context = _with_circumstances(request, _progress(job))
    goes_on = job.status == RunState.RUNNING
    return changing_part(request, "admin/console/_deletion_progress.html", context, goes_on=goes_on)


def _job(job_id: int) -> DataDeleteJob:
    return get_object_or_404(DataDeleteJob.objects.select_related("log"), pk=job_id)


def _stop(request: HttpRequest, job: DataDeleteJob) -> HttpResponse:
    if stop_job(job.pk, by=request.user.get_username()):
        record_on(request, [job], _("停止删除任务"))
        messages.success(request, _("已要求停止：手头的这一批删完就停，已删除的不会恢复。"))
    else:
        messages.info(request, _("这个任务已经结束。"))
    return HttpResponseRedirect(reverse("admin:deletion_job", args=[job.pk]))


def _progress(job: DataDeleteJob) -> dict[str, Any]:
    deleted = job.paper_count or 0
    return {
        "job": job,
        "deleted": deleted,
        "total": max(job.total or 0, deleted),
        "end": end_in_words(job),
        "place": place_in_words(job) if job.status == RunState.RUNNING else "",
        "notes": KEEP_NOTES if job.include_notes is False else DELETE_NOTES,
    }


def _with_circumstances(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """Add what keeps work from being begun, and what the person may do."""
    return with_circumstances(request, {"may_delete": request.user.has_perm(DELETE), **context})
