"""Filters of the list of papers: by state, and by what is the owner's alone, which nobody else is offered."""

from collections.abc import Iterable
from typing import Any

from django.contrib import admin
from django.db.models import Exists, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from papers.models import Paper, SummaryState, SummaryStatus


class StateFilter(admin.ChoicesFieldListFilter):
    """Papers whose summary is in one state.

    Nearly all are done: that is asked of one paper after another in the order of the list until a page is full, where
    a join would collect and sort them all. The few in another state are found by the index of states.
    """

    def queryset(self, request: HttpRequest, queryset: QuerySet[Paper]) -> QuerySet[Paper] | None:
        """Leave the papers of the choice."""
        if self.used_parameters.get(self.lookup_kwarg) == [SummaryState.DONE]:
            done = SummaryStatus.objects.filter(paper=OuterRef("pk"), status=SummaryState.DONE)
            return queryset.filter(Exists(done))
        return super().queryset(request, queryset)


class _HasPrivateRow(admin.SimpleListFilter):
    """Papers with or without a row of the owner's."""

    relation = ""

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, Any]]:
        """Offer both."""
        return (("yes", _("有")), ("no", _("没有")))

    def queryset(self, request: HttpRequest, queryset: QuerySet[Paper]) -> QuerySet[Paper]:
        """Leave the papers of the choice."""
        if self.value() not in ("yes", "no"):
            return queryset
        return queryset.filter(**{f"{self.relation}__isnull": self.value() == "no"})


class HasNote(_HasPrivateRow):
    """Papers that carry a note."""

    title = _("笔记")
    parameter_name = "has_note"
    relation = "note"


class HasBookmark(_HasPrivateRow):
    """Papers that carry a bookmark."""

    title = _("收藏")
    parameter_name = "has_bookmark"
    relation = "bookmark"


PRIVATE_FILTERS = (HasNote, HasBookmark)
