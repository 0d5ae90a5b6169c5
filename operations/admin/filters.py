"""Filters of the lists that Django has not."""

import datetime as dt
from collections.abc import Iterable, Iterator
from typing import Any

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from operations.models import Task


class TaskFilter(admin.SimpleListFilter):
    """The kind of work, of a column that may hold other words too: Django would look through the table for them all."""

    title = _("任务")
    parameter_name = "task"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, Any]]:
        """Offer the kinds that are known."""
        return Task.choices

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Leave the rows of that kind."""
        return queryset.filter(task=self.value()) if self.value() else queryset


class DayFilter(admin.SimpleListFilter):
    """One day, typed or chosen from the browser's calendar; `?date=2026-06-05`. Made for a column of dates."""

    title = _("日期")
    parameter_name = "date"
    template = "admin/day_filter.html"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Iterable[tuple[str, Any]]:
        """Offer no choices: the day is typed."""
        return ()

    def has_output(self) -> bool:
        """Show it all the same."""
        return True

    def choices(self, changelist: ChangeList) -> Iterator[dict[str, Any]]:  # type: ignore[override]  # for our template
        """Return the day, the way back, and what else narrows the list."""
        others = {name: value for name, value in changelist.params.items() if name not in (self.parameter_name, "p")}
        yield {
            "value": self.value() or "",
            "name": self.parameter_name,
            "others": others,
            "without": changelist.get_query_string(remove=[self.parameter_name]),
        }

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Leave the rows of that day; of what is no day, none."""
        if not self.value():
            return queryset
        try:
            return queryset.filter(**{self.parameter_name: dt.date.fromisoformat(str(self.value()))})
        except ValueError:
            return queryset.none()
