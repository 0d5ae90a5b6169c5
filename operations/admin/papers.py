"""Papers, their states, tags and authors."""

import re
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext_lazy as _

from operations.admin.access import PERSONAL, ForOperators, ReadOnlyAdmin
from operations.admin.actions import recrawl_date, refresh_metadata, rerun_summary
from operations.admin.forms import PaperForm, TagFormSet
from operations.admin.lists import LONG_OF_PAPER, QuickList, begins, listed_paper
from operations.admin.paper_filters import PRIVATE_FILTERS, StateFilter
from operations.admin.paper_rows import AuthorInline, StatusInline, SummaryInline, TagInline
from operations.editing import correct_paper
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.models import Paper, PaperAuthor, PaperTag, SummaryStatus
from papers.search.results import matching_ids
from papers.text import fold

# The beginning of an id, too short to be one: 2605, 2605.1, hep-th/99.
_ID_BEGINNING = re.compile(r"\d{4}\.?\d{0,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{0,7}")
_PERSONAL = frozenset({"bookmark", "note", "reading_status", *(each.parameter_name for each in PRIVATE_FILTERS)})
# Of a title of any length, what a list shows.
_TITLE = 120
_SOURCE = (
    *("paper_date", "published_at", "version", "categories", "upvotes", "code_stars", "is_withdrawn"),
    *("arxiv_comment", "hf_url", "arxiv_url", "pdf_url", "source_url"),
)
_WORK = (
    *("asset_status", "asset_error", "summary_quality", "files"),
    *("crawled_at", "arxiv_checked_at", "updated_at", "text_changed_at"),
)


@admin.register(Paper)
class PaperAdmin(ForOperators, QuickList):
    """Papers. They come by crawl or `add_paper` and go by `delete_papers`, never here."""

    form = PaperForm
    list_display = ("arxiv_id", "title", "paper_date", "upvotes", "state", "quality", "error_type")
    list_display_links = ("arxiv_id", "title")
    list_filter = (
        ("status__status", StateFilter),
        "summary_quality",
        "status__error_type",
        "asset_status",
        "is_withdrawn",
    )
    list_select_related = ("status",)
    left_out = ("abstract", "arxiv_comment", "asset_error", "status__error")
    date_hierarchy = "paper_date"
    ordering = ("-paper_date", "-upvotes", "id")
    sortable_by = ("paper_date",)
    search_fields = ("arxiv_id",)
    search_help_text = _("arXiv 编号或其开头，或与网站搜索相同的写法")
    actions = (rerun_summary, recrawl_date, refresh_metadata)
    inlines = (StatusInline, TagInline, SummaryInline, AuthorInline)

    @admin.display(description=_("标题"))
    def title(self, paper: Paper) -> str:
        """Return the beginning of the title people know the paper by here."""
        title = paper.title_zh or paper.title_en
        return title if len(title) <= _TITLE else title[:_TITLE] + "…"

    @admin.display(description=_("状态"))
    def state(self, paper: Paper) -> str:
        """Return the state in words."""
        status = getattr(paper, "status", None)
        return status.get_status_display() if status else "–"

    @admin.display(description=_("总结质量"))
    def quality(self, paper: Paper) -> str:
        """Return the grade in words."""
        return paper.get_summary_quality_display() or "–"

    @admin.display(description=_("错误类型"))
    def error_type(self, paper: Paper) -> str:
        """Return why the last attempt failed, in words that lead to what was asked and answered."""
        status = getattr(paper, "status", None)
        words = status.get_error_type_display() if status else None
        return (
            format_html('<a href="{}">{}</a>', reverse("admin:paper_attempt", args=[paper.pk]), words) if words else "–"
        )

    @admin.display(description=_("文件"))
    def files(self, paper: Paper) -> str:
        """Return the paths of the paper's files, within the data folder."""
        return "\n".join(filter(None, (paper.meta_path, paper.summary_path, paper.raw_output_path))) or "–"

    def get_list_filter(self, request: HttpRequest) -> tuple[Any, ...]:
        """Offer what is the owner's to the owner alone."""
        return (*self.list_filter, *PRIVATE_FILTERS) if request.user.has_perm(PERSONAL) else self.list_filter

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """Name the paper by its id above the page; the title stands below and may be long."""
        paper = self.get_object(request, object_id)
        more = {"subtitle": paper.arxiv_id if paper else None}
        return super().change_view(request, object_id, form_url, {**more, **(extra_context or {})})

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Return what may be corrected, then all other columns."""
        typed = ["arxiv_id", *PaperForm.Meta.fields]
        if self.has_change_permission(request, obj):
            typed.append("summary_seen")
        return [(None, {"fields": typed}), (_("来源"), {"fields": _SOURCE}), (_("处理"), {"fields": _WORK})]

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        """Keep every column but those of the form."""
        return ["arxiv_id", *_SOURCE, *_WORK]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Paper], search_term: str
    ) -> tuple[QuerySet[Paper], bool]:
        """Find by an id in any form, by the beginning of one, or by the site's own search."""
        term = search_term.strip()
        if not term:
            return queryset, False
        arxiv_id = _id_beginning(term)
        if arxiv_id is not None:
            return queryset.filter(begins("arxiv_id", arxiv_id)), False
        return queryset.filter(pk__in=matching_ids(term)), False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Refuse to filter by what is private: `?note__isnull=0` would tell which papers carry a note."""
        if lookup.split("__", 1)[0] in _PERSONAL:
            return request.user.has_perm(PERSONAL)
        return super().lookup_allowed(lookup, value, request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Leave it to `add_paper`: a paper needs its index row, its status and its files."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Leave it to `delete_papers`: files, index and private rows go too, and it is logged."""
        return False

    def view_on_site(self, paper: Paper) -> str:
        """Return the paper's page."""
        return paper.get_absolute_url()

    def save_model(self, request: HttpRequest, obj: Paper, form: PaperForm, change: bool) -> None:
        """Leave the row to `save_related`, which writes it together with what hangs on it."""

    def save_related(self, request: HttpRequest, form: PaperForm, formsets: Any, change: bool) -> None:
        """Store the tags, then what was corrected, in tables, index and files; the rest may have been refreshed."""
        super().save_related(request, form, formsets, change)
        if not (form.has_changed() or any(formset.has_changed() for formset in formsets)):
            return
        summary = form.summary_changes()
        for formset in formsets:
            if isinstance(formset, TagFormSet):
                summary |= formset.summary_changes()
        correct_paper(
            form.instance,
            columns=form.column_changes(),
            summary=summary,
            seen=form.cleaned_data["summary_seen"],
            by=request.user.get_username(),
        )


def _id_beginning(term: str) -> str | None:
    try:
        return split_arxiv_id(term)[0]
    except InvalidArxivId:
        return term if _ID_BEGINNING.fullmatch(term) else None


@admin.register(SummaryStatus)
class SummaryStatusAdmin(ForOperators, ReadOnlyAdmin):
    """States of summaries: to be read, and to be run again."""

    list_display = (listed_paper, "status", "quality", "error_type", "retry_count", "started_at", "completed_at")
    list_filter = ("status", "quality", "error_type")
    list_select_related = ("paper",)
    ordering = ("-completed_at", "id")
    sortable_by = ("completed_at",)
    left_out = ("error", "owner", *LONG_OF_PAPER)
    prefix_of_paper = True
    actions = (rerun_summary,)


@admin.register(PaperTag)
class PaperTagAdmin(ReadOnlyAdmin):
    """Tags of all papers; they are edited with their paper."""

    list_display = ("tag", "source", listed_paper)
    list_filter = ("source",)
    list_select_related = ("paper",)
    ordering = ("-id",)
    left_out = LONG_OF_PAPER
    prefix_fields = ("folded",)
    prefix_of_paper = True

    def beginning_with(self, term: str) -> Q:
        """Find a tag however it is written."""
        return super().beginning_with(term) | begins("folded", fold(term))


@admin.register(PaperAuthor)
class PaperAuthorAdmin(ReadOnlyAdmin):
    """Authors of all papers."""

    list_display = ("name", "position", listed_paper)
    list_select_related = ("paper",)
    ordering = ("-id",)
    left_out = LONG_OF_PAPER
    prefix_fields = ("name",)
    prefix_of_paper = True
