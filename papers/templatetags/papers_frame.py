"""What the frame of every page needs: the error pages too, which have no view of their own."""

from django import template
from django.template.context import Context

from papers.pages.public import theme

register = template.Library()

# The parts of the site by how their address begins; of the first two, the pages below them belong to them.
_WITH_PAGES_BELOW = ("tags", "authors")
_ALONE = {"/": "home", "/feeds/": "feeds", "/status/": "status", "/search/": "search"}


@register.simple_tag(takes_context=True)
def chosen_theme(context: Context) -> str:
    """Return the theme that the reader chose; nothing for the system's own, and where there is no request."""
    request = context.get("request")
    return theme(request) if request else ""


@register.filter
def section(path: str) -> str:
    """Return which part of the site the page at `path` belongs to, as the header tells them apart; nothing for most."""
    first = str(path).strip("/").partition("/")[0]
    return first if first in _WITH_PAGES_BELOW else _ALONE.get(path, "")
