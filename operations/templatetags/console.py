"""The console's own parts of pages that are not shown by a view of ours: first page, navigation, banner."""

from typing import Any

from django import template

from operations.admin.front import Front, front_page, switch_of
from operations.admin.navigation import NavGroup, navigation
from operations.models import Maintenance

register = template.Library()


@register.simple_tag(takes_context=True)
def front(context: dict[str, Any]) -> Front:
    """Return what the first page shows to the person who looks at it."""
    return front_page(context["request"])


@register.simple_tag(takes_context=True)
def console_navigation(context: dict[str, Any]) -> list[NavGroup]:
    """Return the console's pages that the person may see, in groups."""
    return navigation(context["request"])


@register.simple_tag(takes_context=True)
def maintenance_switch(context: dict[str, Any]) -> Maintenance | None:
    """Return the switch that holds all work, while it is on."""
    return switch_of(context["request"])
