"""The page of permanent failures: what each kind means, what helps, and buttons that run them again."""

import datetime as dt
from dataclasses import dataclass

from django.contrib import admin
from django.core.exceptions import BadRequest
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from operations.admin.access import OPERATE, VIEW_STATUSES, console_page
from operations.admin.audit import record
from operations.admin.telling import tell_rerun
from operations.error_advice import Advice, advice
from operations.failures import DayFailures, FailureGroup, failure_groups, kept_summaries, rerun_failures, rerun_kept
from operations.wording import listed
from papers.models import ErrorType, SummaryState, SummaryStatus

# Days shown of each kind; more of one kind at a time where that is asked for.
DAYS_OF_EACH = 7
DAYS_OF_ONE = 60
# What a button names in place of one kind of error.
ALL, KEPT = "all", "kept"


@dataclass(frozen=True)
class _ShownDay:
    date: dt.date
    count: int
    papers: str


@dataclass(frozen=True)
class _ShownGroup:
    """One kind of failure as the page shows it; `papers` is the address of the list of them all."""

    error_type: str
    label: str
    count: int
    advice: Advice
    samples: tuple[SummaryStatus, ...]
    days: list[_ShownDay]
    all_days: int
    papers: str


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_STATUSES, change=OPERATE)
def failures(request: HttpRequest) -> HttpResponse:
    """Show the failures by kind, all days of one with `?type=`; by POST run some of them again."""
    if request.method == "POST":
        return _rerun(request)
    groups = failure_groups()
    only = _kind(request.GET.get("type", ALL))
    pages = Paginator([day for group in groups if group.error_type == only for day in group.days], DAYS_OF_ONE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        **admin.site.each_context(request),
        "title": _("永久失败"),
        "total": sum(group.count for group in groups),
        "groups": [_shown(group, list(page) if only else group.days[:DAYS_OF_EACH]) for group in _only(groups, only)],
        "only": only,
        "page": page,
        "kept": kept_summaries(),
        "kept_papers": _kept_address(),
        "may_operate": request.user.has_perm(OPERATE),
    }
    return TemplateResponse(request, "admin/console/failures.html", context)


def _only(groups: list[FailureGroup], error_type: str | None) -> list[FailureGroup]:
    return [group for group in groups if error_type in (None, group.error_type)]


def _kind(text: str) -> str | None:
    """Return the type of error that is named, or None where all are meant."""
    if text == ALL:
        return None
    if text not in ErrorType.values:
        raise BadRequest("there is no such type of error")
    return text


def _shown(group: FailureGroup, days: tuple[DayFailures, ...] | list[DayFailures]) -> _ShownGroup:
    kind = ErrorType(group.error_type)
    return _ShownGroup(
        error_type=kind.value,
        label=str(kind.label),
        count=group.count,
        advice=advice(kind),
        samples=group.samples,
        days=[_ShownDay(day.date, day.count, _papers_address(kind, day.date)) for day in days],
        all_days=len(group.days),
        papers=_papers_address(kind),
    )


def _papers_address(error_type: str, date: dt.date | None = None) -> str:
    """Return the list of these papers, where they can be looked at and chosen one by one."""
    filters = {"status__status__exact": SummaryState.PERMANENT_FAILURE, "status__error_type__exact": error_type}
    if date is not None:
        filters |= {f"paper_date__{part}": getattr(date, part) for part in ("year", "month", "day")}
    return f"{reverse('admin:papers_paper_changelist')}?{urlencode(filters)}"


def _kept_address() -> str:
    filters = {"status__exact": SummaryState.DONE, "error_type__isnull": "False"}
    return f"{reverse('admin:papers_summarystatus_changelist')}?{urlencode(filters)}"


# ---------------------------------------------------------------- running again


def _rerun(request: HttpRequest) -> HttpResponse:
    """Run again what the button names, and come back to the page."""
    asked, date = request.POST.get("error_type", ""), _date(request.POST.get("date", ""))
    by = request.user.get_username()
    moved = rerun_kept(by=by) if asked == KEPT else rerun_failures(_kind(asked), date, by=by)
    record(request, _what(asked, date, moved))
    tell_rerun(request, moved)
    shown = request.POST.get("shown", "")
    query = f"?{urlencode({'type': shown})}" if shown in ErrorType.values else ""
    return HttpResponseRedirect(reverse("admin:failures") + query)


def _date(text: str) -> dt.date | None:
    if not text:
        return None
    try:
        return dt.date.fromisoformat(text)
    except ValueError as error:
        raise BadRequest("this is no date") from error


def _what(asked: str, date: dt.date | None, moved: int) -> str:
    """Return the line for the log of the admin."""
    if asked == KEPT:
        return _("重新运行 %(count)d 篇旧总结仍在的论文") % {"count": moved}
    kind = _("所有错误") if asked == ALL else str(ErrorType(asked).label)
    return _("重新运行 %(count)d 篇永久失败的论文（%(kind)s）") % {
        "count": moved,
        "kind": listed([kind, date] if date else [kind]),
    }
