"""The admin site."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import TO_FIELD_VAR
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponseBase
from django.urls import URLPattern, URLResolver
from django.utils.translation import gettext_lazy as _

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
# Rows that actions are for are known by a number; this many digits SQLite can hold.
_LONGEST_NUMBER = 18
# But for those of the queue, which django-q2 gives 32 letters and digits.
_QUEUE_LISTS = frozenset({"django_q_failure_changelist", "django_q_success_changelist"})
_LONGEST_QUEUE_KEY = 32


class PapersiteAdminSite(admin.AdminSite):
    """Papersite's admin: Django's own look, with our names."""

    site_header = _("Papersite 管理后台")
    site_title = _("Papersite")
    index_title = _("管理")
    # The console names its parts at the top of each page; a second list beside it takes the room of the columns.
    enable_nav_sidebar = False

    def get_urls(self) -> list[URLPattern | URLResolver]:
        """Put the console's own pages before the lists of rows."""
        from operations.admin.urls import console_urls  # the models are there only now

        return [*console_urls(self.admin_view), *super().get_urls()]

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Refuse what Django answers with a 500: an action on rows that cannot be, and a pattern that is none.

        No browser or cache keeps anything but the words of the scripts; Django lets them keep the pages for passwords.
        """
        return super().admin_view(_checked(view), cacheable and view == self.i18n_javascript)


def _checked(view: View) -> View:
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if not all(map(_key_of_rows(request), chosen)):
            raise BadRequest("rows are chosen by their number")
        if any(name.endswith(("__regex", "__iregex")) for name in request.GET):
            raise BadRequest("lists are not filtered by patterns")
        if any(asked.get(TO_FIELD_VAR) == "" for asked in (request.GET, request.POST)):
            raise BadRequest("rows are known by a field that has a name")
        if _is_too_long_a_number(str(kwargs.get("object_id", ""))):
            raise Http404("there is no such row")
        return view(request, *args, **kwargs)

    return cast("View", checked)


def _key_of_rows(request: HttpRequest) -> Callable[[str], bool]:
    """Return what tells a row's key in the list at hand from what cannot be one."""
    place = request.resolver_match.url_name if request.resolver_match else None
    return _is_queue_key if place in _QUEUE_LISTS else _is_number


def _is_too_long_a_number(row: str) -> bool:
    digits = row.lstrip("+-0")
    return digits.isdecimal() and len(digits) > _LONGEST_NUMBER


def _is_number(row: str) -> bool:
    return row.isascii() and row.isdigit() and len(row) <= _LONGEST_NUMBER


def _is_queue_key(row: str) -> bool:
    return row.isascii() and row.isalnum() and len(row) <= _LONGEST_QUEUE_KEY
