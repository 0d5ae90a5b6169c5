"""The page of papers added by their arXiv ids, and of what else arXiv is asked for by hand."""

import re
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.db.models import Count
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_safe

from operations import tasks
from operations.admin.access import OPERATE, VIEW_REQUESTS, console_page
from operations.admin.audit import record
from operations.admin.watching import changing_part, refreshed, with_circumstances
from operations.arxiv_requests import DELETED, NEW, REFRESHED, UNKNOWN, Requested, request_papers
from operations.models import ArxivRequest, RequestKind, RequestState
from operations.pauses import Cause, pause_of
from operations.wording import listed

REQUESTS_SHOWN = 50
# So many ids are taken by one form: what someone pastes, not a catalogue.
MOST_IDS = 1000
_LONGEST_TEXT = 100_000
# Texts that are no ids are named up to a number, each to a length.
_BAD_NAMED, _BAD_SHOWN = 10, 60
# Between two ids people put blanks, lines, commas of either width, semicolons.
_BETWEEN = re.compile(r"[\s,;，；、]+")
_IN_WORDS = {
    NEW: gettext_lazy("已添加"),
    REFRESHED: gettext_lazy("已更新"),
    UNKNOWN: gettext_lazy("arXiv 没有这篇论文"),
    DELETED: gettext_lazy("论文已被删除，没有恢复"),
}


class IdsForm(forms.Form):
    """Ids in any form that people paste."""

    ids = forms.CharField(
        label=gettext_lazy("arXiv 编号或网址，每行一个"),
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false", "autocomplete": "off"}),
        max_length=_LONGEST_TEXT,
    )

    def clean_ids(self) -> list[str]:
        """Return the texts between blanks and commas."""
        texts = [text for text in _BETWEEN.split(self.cleaned_data["ids"]) if text]
        if len(texts) > MOST_IDS:
            raise ValidationError(_("一次最多 %(most)d 个编号。") % {"most": MOST_IDS})
        if not texts:
            raise ValidationError(_("请填写编号。"))
        return texts


@dataclass(frozen=True)
class ShownRequest:
    """A question as the page shows it; `address` is of the paper, where it is stored by now."""

    row: ArxivRequest
    result: str
    address: str | None


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=VIEW_REQUESTS)
def add_papers(request: HttpRequest) -> HttpResponse:
    """Ask for ids, show how the last questions to arXiv went, and by POST ask for papers."""
    form = IdsForm(request.POST if request.method == "POST" else None)
    if form.is_valid() and _ask(request, form.cleaned_data["ids"]):
        return HttpResponseRedirect(reverse("admin:add_papers"))
    context = _progress(request)
    context |= {
        "title": _("按编号添加论文"),
        "form": form,
        **refreshed(goes_on=bool(context["waiting"]) and request.method != "POST"),
    }
    return TemplateResponse(request, "admin/console/add_papers.html", context)


def _ask(request: HttpRequest, texts: list[str]) -> bool:
    """Ask for papers and tell what became of each text; False where none of them was an id."""
    requested = request_papers(texts, by=request.user.get_username())
    _tell(request, requested)
    if requested.asked:
        tasks.wake_requests()
        record(request, _("添加论文：%(ids)s") % {"ids": " ".join(requested.asked)})
    return bool(requested.asked or requested.already)


def _tell(request: HttpRequest, requested: Requested) -> None:
    asked, known, already = len(requested.asked), len(requested.known), len(requested.already)
    if asked:
        text = ngettext("已安排向 arXiv 查询 %(n)d 篇论文。", "已安排向 arXiv 查询 %(n)d 篇论文。", asked)
        messages.success(request, text % {"n": asked})
    if known:
        text = ngettext("其中 %(n)d 篇已收录，会更新。", "其中 %(n)d 篇已收录，会更新。", known)
        messages.info(request, text % {"n": known})
    if already:
        text = ngettext("%(n)d 篇先前已在等待。", "%(n)d 篇先前已在等待。", already)
        messages.info(request, text % {"n": already})
    if requested.bad:
        named = listed((text[:_BAD_SHOWN] for text in requested.bad), _BAD_NAMED)
        text = ngettext("%(n)d 个不是 arXiv 编号：%(texts)s", "%(n)d 个不是 arXiv 编号：%(texts)s", len(requested.bad))
        messages.error(request, text % {"n": len(requested.bad), "texts": named})


@require_safe
@console_page(view=VIEW_REQUESTS)
def add_papers_progress(request: HttpRequest) -> HttpResponse:
    """Return the part of the page that changes."""
    context = _progress(request)
    goes_on = bool(context["waiting"])
    return changing_part(request, "admin/console/_arxiv_requests.html", context, goes_on=goes_on)


def _progress(request: HttpRequest) -> dict[str, Any]:
    waiting = ArxivRequest.objects.filter(state=RequestState.WAITING).order_by()
    counts = dict(waiting.values_list("kind").annotate(n=Count("id")))
    context = {
        "may_operate": request.user.has_perm(OPERATE),
        "pause": pause_of(Cause.ARXIV_API),
        "waiting": sum(counts.values()),
        "waiting_to_add": counts.get(RequestKind.ADD, 0),
        "waiting_to_refresh": counts.get(RequestKind.REFRESH, 0),
        "requests": [_shown(row) for row in ArxivRequest.objects.order_by("-id")[:REQUESTS_SHOWN]],
    }
    return with_circumstances(request, context)


def _shown(row: ArxivRequest) -> ShownRequest:
    result = row.result or ""
    address = reverse("papers:paper", args=[row.arxiv_id]) if row.state == RequestState.DONE else None
    return ShownRequest(row, str(_IN_WORDS.get(result, result)), address)
