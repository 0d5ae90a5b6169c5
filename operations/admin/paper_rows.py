"""What belongs to a paper, on its page in the admin: state, tags, authors, summary."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from operations.admin.access import VIEW_PAPERS, ReadOnlyInline
from operations.admin.forms import TagForm, TagFormSet
from operations.admin.summaries import READERS, edited
from papers.models import PaperAuthor, PaperSummary, PaperTag, SummaryStatus, TagSource

# A paper of a large collaboration has thousands; the list of all authors has them all.
MOST_AUTHORS = 100


class AuthorInline(ReadOnlyInline):
    """The authors, the first of them where they are many; they come from the sources alone."""

    model = PaperAuthor
    template = "admin/papers/paper/_authors.html"
    fields = ("name",)
    verbose_name_plural = _("作者（最多列出前 100 位）")

    def get_queryset(self, request: HttpRequest) -> QuerySet[PaperAuthor]:
        """Leave out whoever comes after the first."""
        first = PaperAuthor.objects.filter(paper_id=_paper_id(request)).order_by("position", "id")[:MOST_AUTHORS]
        return super().get_queryset(request).filter(pk__in=first.values("pk"))


def _paper_id(request: HttpRequest) -> int:
    match = request.resolver_match
    text = str(match.kwargs.get("object_id", "")) if match else ""
    return int(text) if text.isascii() and text.isdigit() else 0


class TagInline(admin.TabularInline):
    """The tags; new ones are the editor's own, those of the agent are part of the summary."""

    model = PaperTag
    form = TagForm
    formset = TagFormSet
    fields = ("tag", "given_by")
    readonly_fields = ("given_by",)
    extra = 1

    @admin.display(description=_("来源"))
    def given_by(self, tag: PaperTag) -> str:
        """Return where a tag came from; one that is added here is given by hand."""
        return tag.get_source_display() or "–" if tag.pk else str(TagSource.USER.label)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Tags are part of the paper."""
        return request.user.has_perm(VIEW_PAPERS) or request.user.has_perm("papers.change_paper")


class StatusInline(ReadOnlyInline):
    """The state of the summary; only the work itself moves it."""

    model = SummaryStatus
    fields = ("status", "quality", "error_type", "error", "retry_count", "started_at", "completed_at")


class SummaryInline(ReadOnlyInline, admin.StackedInline):
    """The stored summary, as its own page shows it to who may only read."""

    model = PaperSummary
    template = "admin/edit_inline/stacked.html"
    readonly_fields: ClassVar[Any] = (edited, *READERS.values())
    fields: ClassVar[Any] = (edited, "source_version", "updated_at", *READERS.values())
