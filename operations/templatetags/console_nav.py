"""The way to the console's parts, on every page of the admin."""

from typing import Any

from django import template
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from operations.admin.access import VIEW_PAPERS
from operations.admin.navigation import NavLink, navigation

register = template.Library()

# Beside the console's own pages: the two lists that people come for most.
_PAPERS = NavLink(_("论文"), _("查找和修改"), "admin:papers_paper_changelist", VIEW_PAPERS)
_ACCOUNTS = NavLink(_("账号"), _("谁可以登录，有什么角色"), "admin:auth_user_changelist", "auth.view_user")


@register.inclusion_tag("admin/_console_nav.html", takes_context=True)
def console_nav(context: dict[str, Any]) -> dict[str, Any]:
    """Show the parts that whoever is signed in may read."""
    request: HttpRequest = context["request"]
    pages = [link for group in navigation(request) for link in group.links]
    links = [link for link in (_PAPERS, *pages, _ACCOUNTS) if request.user.has_perm(link.permission)]
    return {"links": [(link, request.path.startswith(link.address)) for link in links]}
