"""What stands in the head of the readers' pages: addresses that others keep, and texts without markup."""

from django import template
from django.template.context import Context
from django.templatetags.static import static
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import Truncator

from papers.addresses import absolute
from papers.citation import coins, highwire
from papers.exports.reference import Reference
from papers.text import one_line

register = template.Library()


@register.simple_tag(takes_context=True)
def whole_address(context: Context, path: str) -> str:
    """Return a path of this site with scheme and host; the path alone where there is no request."""
    request = context.get("request")
    return absolute(request, path) if request else path


@register.simple_tag(takes_context=True)
def whole_static(context: Context, name: str) -> str:
    """Return the whole address of a static file."""
    return whole_address(context, static(name))


@register.filter
def plain(text: str | None, most: int) -> str:
    """Return `text` on one line, of `most` characters at most."""
    # Cut before it is folded: an abstract may be long, and only its beginning is wanted.
    return Truncator(one_line(str(text or "")[: most * 4])).chars(most)


@register.simple_tag(takes_context=True)
def citation_meta(context: Context, reference: Reference, page: str) -> SafeString:
    """Write the tags by which reference managers and Google Scholar know the paper at the path `page`."""
    tags = highwire(reference, whole_address(context, page))
    return format_html_join("", '\n  <meta name="{}" content="{}">', tags)


@register.simple_tag
def citation_span(reference: Reference) -> SafeString:
    """Write the empty span in which reference managers find the paper."""
    return format_html('<span class="Z3988" title="{}" hidden></span>', coins(reference))
