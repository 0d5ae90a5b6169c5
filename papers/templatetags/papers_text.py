"""Filters for texts of papers and models: untrusted, with TeX in them, escaped here."""

from django import template
from django.utils.safestring import SafeString

from papers.mathematics.rendering import math_html, math_paragraphs_html

register = template.Library()


@register.filter
def math(text: str | None) -> SafeString:
    """Return `text` for a line or a title; what is safe HTML already, such as a marked hit, stays as it is."""
    if isinstance(text, SafeString):
        return text
    return math_html(str(text or ""))


@register.filter
def math_paragraphs(text: str | None) -> SafeString:
    """Return `text` as paragraphs."""
    return math_paragraphs_html(str(text or ""))
