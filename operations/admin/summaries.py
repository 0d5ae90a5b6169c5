"""Stored summaries: read by all, edited by editors, part by part or as JSON."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import TextField
from django.forms import ModelForm
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from operations.admin.lists import QuickList
from operations.admin.summary_fields import PartField
from operations.admin.summary_forms import SummaryForm, SummaryJsonForm, SummaryPartsForm
from operations.editing import edit_summary
from operations.files import json_text
from papers.models import PaperSummary, SummaryQuality, SummaryState, SummaryStatus
from papers.summary.storage import summary_object

_LISTED = {"one_line", "edited_by"}
_LONG = [each.name for each in PaperSummary._meta.fields if isinstance(each, TextField) and each.name not in _LISTED]
# Of a text of any length, what a list shows.
_LINE = 80


def edited(summary: PaperSummary) -> str:
    """Return who edited a summary by hand and when."""
    if summary.edited_at is None:
        return "–"
    when = date_format(timezone.localtime(summary.edited_at), "Y-m-d H:i")
    return _("由 %(who)s 于 %(when)s 修改") % {"who": summary.edited_by or "?", "when": when}


edited.short_description = gettext_lazy("人工修改")  # type: ignore[attr-defined]


def grade_in_words(summary: PaperSummary) -> str:
    """Return the grade of a summary."""
    return summary.paper.get_summary_quality_display() or "–"


grade_in_words.short_description = gettext_lazy("总结质量")  # type: ignore[attr-defined]


def paper_of(summary: PaperSummary) -> str:
    """Return the summary's paper, as a link."""
    address = reverse("admin:papers_paper_change", args=[summary.pk])
    return format_html('<a href="{}">{}</a>', address, _cut(str(summary.paper)))


paper_of.short_description = gettext_lazy("论文")  # type: ignore[attr-defined]


def _cut(text: str) -> str:
    return text if len(text) <= _LINE else text[:_LINE] + "…"


def _reader(field: PartField) -> Any:
    """Return what shows a part of a summary to who may only read, under the label it has in the form."""

    def read(summary: PaperSummary) -> str:
        return field.prepare_value(field.shown(summary_object(summary) or {})) or "–"

    read.short_description = field.label  # type: ignore[attr-defined]
    return read


def _whole(summary: PaperSummary) -> str:
    full = summary_object(summary)
    return format_html("<pre>{}</pre>", json_text(full) if full is not None else summary.full_json)


_whole.short_description = "JSON"  # type: ignore[attr-defined]

READERS = {key: _reader(field) for key, field in SummaryPartsForm.base_fields.items() if isinstance(field, PartField)}
_FACTS = (paper_of, grade_in_words, edited, "source_version", "updated_at")


@admin.register(PaperSummary)
class PaperSummaryAdmin(QuickList):
    """Stored summaries. They come from the agent and go with their paper; editors correct them."""

    form = SummaryPartsForm
    list_display = ("arxiv_id", "line", "by_hand", "updated_at")
    list_display_links = ("arxiv_id", "line")
    list_select_related = ("paper",)
    ordering = ("-updated_at",)
    prefix_of_paper = True
    left_out = (*_LONG, "paper__abstract", "paper__arxiv_comment", "paper__asset_error")
    actions = None

    @admin.display(description=gettext_lazy("arXiv 编号"))
    def arxiv_id(self, summary: PaperSummary) -> str:
        """Return the id of its paper."""
        return summary.paper.arxiv_id

    @admin.display(description=gettext_lazy("一句话总结"))
    def line(self, summary: PaperSummary) -> str:
        """Return the beginning of the one line."""
        return _cut(summary.one_line or "–")

    @admin.display(description=gettext_lazy("人工修改"))
    def by_hand(self, summary: PaperSummary) -> str:
        """Return who edited it and when."""
        return edited(summary)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Leave it to the agent."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Leave it to the deletion of papers: index, files and states go too."""
        return False

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Return the form that is asked for; a bare one for who may only read."""
        if not self.has_change_permission(request, obj):
            kwargs["form"] = ModelForm
        elif _as_json(request, obj):
            kwargs["form"] = SummaryJsonForm
        return super().get_form(request, obj, change, **kwargs)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Keep what is no part of the summary; from who may only read, all."""
        return _FACTS if self.has_change_permission(request, obj) else (*_FACTS, *READERS.values(), _whole)

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return the parts in the order of the page."""
        if not self.has_change_permission(request, obj):
            return [
                (None, {"fields": _FACTS}),
                *((name, {"fields": [READERS[key] for key in keys]}) for name, keys in SummaryPartsForm.GROUPS),
                ("JSON", {"fields": [_whole], "classes": ["collapse"]}),
            ]
        facts = (None, {"fields": [*_FACTS, "seen"]})
        if _as_json(request, obj):
            return [facts, (None, {"fields": ["whole"]})]
        return [facts, *((name, {"fields": keys}) for name, keys in SummaryPartsForm.GROUPS)]

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Tell the page which of the two forms it shows, and name the summary by its paper's id."""
        summary = self.get_object(request, object_id)
        if summary and request.method == "GET" and self.has_change_permission(request, summary):
            _warn_of_work(request, summary)
        more = {
            "subtitle": summary.paper.arxiv_id if summary else None,
            "as_json": _as_json(request, summary),
            "is_damaged": summary is not None and summary_object(summary) is None,
        }
        return super().change_view(request, object_id, form_url, {**more, **(extra_context or {})})

    def save_model(self, request: HttpRequest, obj: PaperSummary, form: SummaryForm, change: bool) -> None:
        """Store the checked object everywhere; the row itself is not written here."""
        if form.edited is None:
            return
        checked = edit_summary(obj.pk, form.edited, seen=form.cleaned_data["seen"], by=request.user.get_username())
        obj.refresh_from_db(fields=["one_line"])  # by which the message and the record of actions call it
        _tell_grade(request, obj, checked.quality)

    def construct_change_message(self, request: HttpRequest, form: Any, formsets: Any, add: bool = False) -> Any:
        """Name the parts that were changed, whichever form they were typed in."""
        parts = form.changed_parts()
        return [{"changed": {"fields": parts}}] if parts else []

    def view_on_site(self, summary: PaperSummary) -> str:
        """Return the paper's page."""
        return summary.paper.get_absolute_url()


def _as_json(request: HttpRequest, summary: PaperSummary | None) -> bool:
    """Tell whether the whole object is edited: on request, and where it is no object that has parts."""
    return request.GET.get("as") == "json" or (summary is not None and summary_object(summary) is None)


def _warn_of_work(request: HttpRequest, summary: PaperSummary) -> None:
    """Say before anything is typed that it could not be stored."""
    if SummaryStatus.objects.filter(paper_id=summary.pk, status=SummaryState.PROCESSING).exists():
        messages.warning(request, _("这篇论文正在重新总结，结束以前不能修改。"))


def _tell_grade(request: HttpRequest, summary: PaperSummary, quality: str) -> None:
    messages.info(request, _("总结质量：%(quality)s") % {"quality": SummaryQuality(quality).label})
    waiting = (SummaryState.PENDING, SummaryState.FAILED)
    if SummaryStatus.objects.filter(paper_id=summary.pk, status__in=waiting).exists():
        messages.warning(request, _("这篇论文正在排队重新总结；新的总结会替换您的修改。"))
