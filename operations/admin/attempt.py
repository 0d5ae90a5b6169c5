"""The page of the attempts at one paper: what was asked, what was answered, what went wrong, what is stored."""

from dataclasses import dataclass

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from operations import states, tasks
from operations.admin.access import OPERATE, VIEW_STATUSES, console_page
from operations.admin.audit import record_on
from operations.admin.summaries import edited
from operations.attempt_record import runs_of
from operations.error_advice import Advice, advice
from operations.files import json_text
from operations.kept_files import LONGEST_SHOWN, KeptAttempt, ShownText, failed_attempt, last_attempt, shown
from papers.models import Paper, PaperSummary, SummaryState, SummaryStatus
from papers.summary.storage import summary_object


@dataclass(frozen=True)
class _Failure:
    """Why the last attempt failed."""

    label: str
    advice: Advice
    error: ShownText


@dataclass(frozen=True)
class _Attempt:
    """What is shown of one attempt beside each other: request, answer, and the error or the summary it led to."""

    heading: str
    kept: KeptAttempt
    failure: _Failure | None
    stored: ShownText | None


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_STATUSES)
def paper_attempt(request: HttpRequest, paper_id: int) -> HttpResponse:
    """Show what is known of the attempts at a paper; a POST puts it back into the queue."""
    paper = Paper.objects.select_related("status", "summary").filter(pk=paper_id).first()
    if paper is None:
        raise Http404
    if request.method == "POST":
        _run_again(request, paper)
        return HttpResponseRedirect(reverse("admin:paper_attempt", args=[paper_id]))
    return TemplateResponse(request, "admin/console/paper_attempt.html", _context(request, paper))


def _run_again(request: HttpRequest, paper: Paper) -> None:
    if not states.rerun([paper.pk]):
        messages.warning(request, _("这篇论文正在总结，未作改动。"))
        return
    tasks.request_summaries()
    record_on(request, [paper], _("重新运行总结"))
    messages.success(request, _("论文已重新排队，等待总结。"))


def _context(request: HttpRequest, paper: Paper) -> dict:
    status, summary = getattr(paper, "status", None), getattr(paper, "summary", None)
    failure = _failure_of(status)
    return {
        **admin.site.each_context(request),
        "title": _("请求与输出：%(id)s") % {"id": paper.arxiv_id},
        "paper": paper,
        "status": status,
        "summary": summary,
        "edited": edited(summary) if summary and summary.edited_at else "",
        "failure": failure,
        "attempts": _attempts(paper.arxiv_id, failure, _stored(summary)),
        "runs": runs_of(paper),
        "most": LONGEST_SHOWN,
        "is_working": status is not None and status.status == SummaryState.PROCESSING,
        "may_run": request.user.has_perm(OPERATE),
    }


def _attempts(arxiv_id: str, failure: _Failure | None, stored: ShownText | None) -> list[_Attempt]:
    """Return the attempts to be shown; one that failed to make a good summary anew comes first."""
    last, failed = last_attempt(arxiv_id), failed_attempt(arxiv_id)
    if stored is None:
        return [_Attempt(_("最近一次运行"), last, failure, None)]
    good = _Attempt(_("现有总结的那次运行"), last, None, stored)
    if failure is None and not failed.is_there:
        return [good]
    return [_Attempt(_("失败的重新运行"), failed, failure, None), good]


def _failure_of(status: SummaryStatus | None) -> _Failure | None:
    if status is None or status.error_type is None:
        return None
    return _Failure(status.get_error_type_display() or "", advice(status.error_type), shown(status.error or ""))


def _stored(summary: PaperSummary | None) -> ShownText | None:
    if summary is None:
        return None
    full = summary_object(summary)
    return shown(json_text(full) if full is not None else summary.full_json)
