"""Pieces of pages that are rendered once and kept."""

import sys
from threading import Lock
from typing import Any

from cachetools import LRUCache, cached
from django import template
from django.conf import settings
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

register = template.Library()

# Bytes of pieces kept by one process, as `_size` counts them: about 1,500 cards, or 250 summaries.
_MOST_BYTES = 16 * 1024 * 1024
# Counted for a piece beside its text: what it is found by, apart from its values.
_OVERHEAD = 1024


@register.simple_tag
def include_kept(name: str, **values: Any) -> SafeString:
    """Include the template called `name` with these values and nothing else of the page; what it gives is kept.

    Of a page that is made anew after a write most pieces are as they were. A piece is found by its values and the
    language, so it is never an old one, nor somebody else's; it must be made of them alone: no request, no time.
    The values must be hashable and not be changed.
    """
    render = _rendered_anew if settings.DEBUG else _rendered  # templates that are being written are read anew
    return render(name, get_language(), tuple(values.items()))


def _rendered_anew(name: str, _language: str | None, values: tuple[tuple[str, Any], ...]) -> SafeString:
    return render_to_string(name, dict(values))


def _size(html: str) -> int:
    """Return the bytes to count a piece for: the values that it was made of are about as long as itself."""
    return 2 * sys.getsizeof(html) + _OVERHEAD


_rendered = cached(LRUCache(_MOST_BYTES, getsizeof=_size), lock=Lock())(_rendered_anew)
