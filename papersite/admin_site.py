"""The admin site."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

from django.contrib import admin
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import BadRequest
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext_lazy as _

View = TypeVar("View", bound=Callable[..., HttpResponseBase])
# All rows that actions are for are known by a number; this many digits SQLite can hold.
_LONGEST_NUMBER = 18


class PapersiteAdminSite(admin.AdminSite):
    """Papersite's admin: Django's own look, with our names."""

    site_header = _("Papersite 管理后台")
    site_title = _("Papersite")
    index_title = _("管理")

    def admin_view(self, view: View, cacheable: bool = False) -> View:
        """Refuse what Django answers with a 500: an action on rows that cannot be, and a pattern that is none."""
        return super().admin_view(_checked(view), cacheable)


def _checked(view: View) -> View:
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if not all(row.isascii() and row.isdigit() and len(row) <= _LONGEST_NUMBER for row in chosen):
            raise BadRequest("rows are chosen by their number")
        if any(name.endswith(("__regex", "__iregex")) for name in request.GET):
            raise BadRequest("lists are not filtered by patterns")
        return view(request, *args, **kwargs)

    return cast("View", checked)
