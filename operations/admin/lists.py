"""Lists that open quickly however many rows there are.

Four things of Django's own lists read a whole table: the count below the list, the count of each filter's choices,
the date hierarchy (which calls a Python function for every row on SQLite), and sorting or searching by a column
without an index. A `QuickList` bounds or leaves out each of them.
"""

from functools import cached_property
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.options import IncorrectLookupParameters
from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.functional import Promise
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy

from papers.models import Paper

# So many rows are counted and paged through at most; whoever wants others filters or searches.
MOST_COUNTED = 10_000
# Above every character there is, so that "from this text to this text and what follows" is a range of an index.
_LAST_CHARACTER = "\U0010ffff"
# For lists whose rows name their paper: what a paper has beyond its id and titles.
LONG_OF_PAPER: tuple[str, ...] = ("paper__abstract", "paper__arxiv_comment", "paper__asset_error")


class CappedPaginator(Paginator):
    """Pages of the first `MOST_COUNTED` rows; `is_capped` tells whether there are more."""

    @cached_property
    def _seen(self) -> int:
        rows: Any = self.object_list
        return rows.order_by()[: MOST_COUNTED + 1].count()

    @cached_property
    def count(self) -> int:
        """The number of rows, as far as they are counted."""
        return min(self._seen, MOST_COUNTED)

    @property
    def is_capped(self) -> bool:
        """Whether there are rows beyond the count."""
        return self._seen > MOST_COUNTED


class QuickChangeList(ChangeList):
    """A list that is sorted by the columns it offers for it alone, also where the address asks for others."""

    def get_filters(self, request: HttpRequest) -> Any:
        """Refuse dates at the end of all time, which Django answers with a 500."""
        try:
            return super().get_filters(request)
        except (ValueError, OverflowError) as error:
            raise IncorrectLookupParameters(error) from error

    def get_ordering_field(self, field_name: Any) -> Any:
        """Return nothing to sort by for a column that is not offered for it."""
        if self.sortable_by is not None and field_name not in self.sortable_by:
            return None
        return super().get_ordering_field(field_name)


class QuickList(admin.ModelAdmin):
    """A list with bounded queries: sorted by columns of an index, searched by the beginnings of indexed ones.

    `sortable_by` must name columns whose order an index gives. `prefix_fields` are searched by the beginning of what
    is typed, upper and lower case told apart; `prefix_of_paper` adds the beginning of the arXiv id of the row's paper.
    `left_out` are columns too long for a list. `list_title` is what the list is called, if not as its rows.
    """

    paginator = CappedPaginator
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER
    list_per_page = 50
    sortable_by: ClassVar[list[str] | tuple[str, ...] | None] = ()
    prefix_fields: ClassVar[tuple[str, ...]] = ()
    prefix_of_paper: ClassVar[bool] = False
    left_out: ClassVar[tuple[str, ...]] = ()
    list_title: ClassVar[Promise | None] = None

    def changelist_view(self, request: HttpRequest, extra_context: dict[str, Any] | None = None) -> HttpResponse:
        """Call the list what the rows are called; Django's "Select … to view" tells nobody what is there."""
        title = self.list_title or capfirst(self.opts.verbose_name_plural)
        return super().changelist_view(request, {"title": title, **(extra_context or {})})

    def get_changelist(self, request: HttpRequest, **kwargs: Any) -> type[ChangeList]:
        """Return the list that sorts by what it offers alone."""
        return QuickChangeList

    def get_queryset(self, request: HttpRequest) -> QuerySet:
        """Leave long columns out of the list."""
        rows = super().get_queryset(request)
        match = request.resolver_match
        if self.left_out and match and (match.url_name or "").endswith("_changelist"):
            return rows.defer(*self.left_out)
        return rows

    def get_search_fields(self, request: HttpRequest) -> tuple[str, ...]:
        """Name the searched columns; without one there is no search box."""
        return (*super().get_search_fields(request), *self.prefix_fields, *self._paper_field())

    def _paper_field(self) -> tuple[str, ...]:
        return ("paper__arxiv_id",) if self.prefix_of_paper else ()

    def get_search_results(self, request: HttpRequest, queryset: QuerySet, search_term: str) -> tuple[QuerySet, bool]:
        """Search by beginnings where there are columns for it, else as Django does."""
        term = search_term.strip()
        if not term or not (self.prefix_fields or self.prefix_of_paper):
            return super().get_search_results(request, queryset, search_term)
        return queryset.filter(self.beginning_with(term)), False

    def beginning_with(self, term: str) -> Q:
        """Return what finds the rows with `term` at the beginning of a searched column."""
        found = Q()
        for field in self.prefix_fields:
            found |= begins(field, term)
        if self.prefix_of_paper:
            found |= Q(paper__in=Paper.objects.filter(begins("arxiv_id", term)).values("pk"))
        return found


@admin.display(description=gettext_lazy("论文"))
def listed_paper(row: Any) -> str:
    """Name a row's paper in a list; a column of the relation itself would keep long titles on one line."""
    return str(row.paper)


def begins(field: str, text: str) -> Q:
    """Return the condition that a column begins with `text`, as a range that an index of it answers."""
    return Q(**{f"{field}__gte": text, f"{field}__lt": text + _LAST_CHARACTER})
