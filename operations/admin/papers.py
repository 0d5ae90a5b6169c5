"""Papers, what belongs to them, and their summaries."""

import re
from typing import Any

from django.contrib import admin
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from operations.admin.access import ReadOnlyAdmin, ReadOnlyInline
from operations.admin.actions import recrawl_date, rerun_summary
from operations.admin.forms import PaperForm, TagForm, TagFormSet
from operations.meta_files import write_meta_files
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.models import Paper, PaperAuthor, PaperSummary, PaperTag, SummaryStatus
from papers.search.index import index_papers
from papers.search.results import matching_ids

# The beginning of an id, too short to be one: 2605, 2605.1, hep-th/99.
_ID_BEGINNING = re.compile(r"\d{4}\.?\d{0,5}|[a-z-]+(?:\.[A-Z]{2})?/\d{0,7}")
_PERSONAL = frozenset({"bookmark", "note", "reading_status"})


class AuthorInline(ReadOnlyInline):
    """The authors; they come from the sources alone."""

    model = PaperAuthor
    fields = ("position", "name")


class TagInline(admin.TabularInline):
    """The tags; new ones are the editor's own."""

    model = PaperTag
    form = TagForm
    formset = TagFormSet
    fields = ("tag", "source")
    readonly_fields = ("source",)
    extra = 1

    def has_add_permission(self, request: HttpRequest, obj=None) -> bool:
        """Tags are part of the paper."""
        return request.user.has_perm("papers.change_paper")

    has_change_permission = has_delete_permission = has_add_permission

    def has_view_permission(self, request: HttpRequest, obj=None) -> bool:
        """Tags are part of the paper."""
        return request.user.has_perm("papers.view_paper") or request.user.has_perm("papers.change_paper")


class StatusInline(ReadOnlyInline):
    """The state of the summary; only the work itself moves it."""

    model = SummaryStatus
    fields = ("status", "quality", "error_type", "error", "retry_count", "started_at", "completed_at")


class SummaryInline(ReadOnlyInline, admin.StackedInline):
    """The stored summary."""

    model = PaperSummary
    template = "admin/edit_inline/stacked.html"
    exclude = ("full_json",)


@admin.register(Paper)
class PaperAdmin(admin.ModelAdmin):
    """Papers. They come by crawl or `add_paper` and go by `delete_papers`, never here."""

    form = PaperForm
    list_display = ("arxiv_id", "title", "paper_date", "upvotes", "state", "quality", "error_type")
    list_display_links = ("arxiv_id", "title")
    list_filter = ("status__status", "summary_quality", "status__error_type", "asset_status", "is_withdrawn")
    list_select_related = ("status",)
    list_per_page = 50
    show_full_result_count = False
    date_hierarchy = "paper_date"
    ordering = ("-paper_date", "-upvotes", "id")
    search_fields = ("arxiv_id",)
    search_help_text = _("arXiv 编号或其开头，或与网站搜索相同的写法")
    actions = (rerun_summary, recrawl_date)
    inlines = (StatusInline, TagInline, AuthorInline, SummaryInline)

    @admin.display(description=_("标题"))
    def title(self, paper: Paper) -> str:
        """Return the title people know the paper by here."""
        return paper.title_zh or paper.title_en

    @admin.display(description=_("状态"), ordering="status__status")
    def state(self, paper: Paper) -> str:
        """Return the state in words."""
        status = getattr(paper, "status", None)
        return status.get_status_display() if status else "–"

    @admin.display(description=_("总结质量"), ordering="summary_quality")
    def quality(self, paper: Paper) -> str:
        """Return the grade in words."""
        return paper.get_summary_quality_display() or "–"

    @admin.display(description=_("错误类型"), ordering="status__error_type")
    def error_type(self, paper: Paper) -> str:
        """Return why the last attempt failed, in words."""
        status = getattr(paper, "status", None)
        return (status.get_error_type_display() if status else None) or "–"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Paper]:
        """Leave the long columns out of the list."""
        papers = super().get_queryset(request)
        match = request.resolver_match
        if match and match.url_name == "papers_paper_changelist":
            return papers.defer("abstract", "arxiv_comment", "asset_error", "status__error")
        return papers

    def get_readonly_fields(self, request: HttpRequest, obj=None) -> list[str]:
        """Keep every column but those of the form."""
        typed = set(PaperForm.Meta.fields)
        return [field.name for field in self.opts.fields if field.name not in typed]

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Paper], search_term: str
    ) -> tuple[QuerySet[Paper], bool]:
        """Find by an id in any form, by the beginning of one, or by the site's own search."""
        term = search_term.strip()
        if not term:
            return queryset, False
        arxiv_id = _id_beginning(term)
        if arxiv_id is not None:
            return queryset.filter(arxiv_id__startswith=arxiv_id), False
        return queryset.filter(pk__in=matching_ids(term)), False

    def lookup_allowed(self, lookup: str, value: Any, request: HttpRequest) -> bool:
        """Refuse to filter by what is private: `?note__isnull=0` would tell which papers carry a note."""
        if lookup.split("__", 1)[0] in _PERSONAL:
            return request.user.has_perm("papers.personal")
        return super().lookup_allowed(lookup, value, request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Leave it to `add_paper`: a paper needs its index row, its status and its files."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Leave it to `delete_papers`: files, index and private rows go too, and it is logged."""
        return False

    def view_on_site(self, paper: Paper) -> str:
        """Return the paper's page."""
        return paper.get_absolute_url()

    def save_model(self, request: HttpRequest, obj: Paper, form: Any, change: bool) -> None:
        """Write what was changed alone; the rest may have been refreshed while the form was open."""
        if form.changed_data:
            obj.save(update_fields=[*form.changed_data, "updated_at"])

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Carry the change, tags too, into the index in the same transaction, and into meta.json after it."""
        super().save_related(request, form, formsets, change)
        paper = form.instance
        if any(formset.has_changed() for formset in formsets) and not form.changed_data:
            paper.save(update_fields=["updated_at"])
        index_papers([paper.pk])
        transaction.on_commit(lambda: write_meta_files([paper.arxiv_id]))


def _id_beginning(term: str) -> str | None:
    try:
        return split_arxiv_id(term)[0]
    except InvalidArxivId:
        return term if _ID_BEGINNING.fullmatch(term) else None


@admin.register(SummaryStatus)
class SummaryStatusAdmin(ReadOnlyAdmin):
    """States of summaries: to be read, and to be run again."""

    list_display = ("paper", "status", "quality", "error_type", "retry_count", "started_at", "completed_at")
    list_filter = ("status", "quality", "error_type")
    list_select_related = ("paper",)
    ordering = ("-completed_at", "-id")
    search_fields = ("paper__arxiv_id__startswith",)
    actions = (rerun_summary,)

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        """Let actions through, but no form: one open for a while would write an old state over a new one."""
        return obj is None and request.user.has_perm("papers.change_summarystatus")


@admin.register(PaperSummary)
class PaperSummaryAdmin(ReadOnlyAdmin):
    """Stored summaries."""

    list_display = ("paper", "one_line", "difficulty", "updated_at")
    list_select_related = ("paper",)
    ordering = ("-updated_at",)
    search_fields = ("paper__arxiv_id__startswith",)


@admin.register(PaperTag)
class PaperTagAdmin(ReadOnlyAdmin):
    """Tags of all papers; they are edited with their paper."""

    list_display = ("tag", "source", "paper")
    list_filter = ("source",)
    list_select_related = ("paper",)
    search_fields = ("folded__startswith", "paper__arxiv_id__startswith")


@admin.register(PaperAuthor)
class PaperAuthorAdmin(ReadOnlyAdmin):
    """Authors of all papers."""

    list_display = ("name", "position", "paper")
    list_select_related = ("paper",)
    search_fields = ("name__startswith", "paper__arxiv_id__startswith")
