"""Filters that put states, reasons and problems of the work in words fit for everybody."""

from django import template
from django.utils.translation import gettext_lazy as _

from operations.pauses import Cause
from papers.models import ErrorType

register = template.Library()

_ERROR_TYPES = dict(ErrorType.choices)
_CAUSES = dict(Cause.choices)


@register.filter
def error_type_in_words(error_type: str) -> str:
    """Return an error type as pages name it."""
    return str(_ERROR_TYPES.get(error_type, _("未知错误")))


@register.filter
def public_reason(reason: str) -> str:
    """Return the head of a reason: what follows a colon may quote an upstream or an exception."""
    return reason.partition(":")[0].strip()


@register.filter
def cause_in_words(cause: str) -> str:
    """Return the cause of a pause as readers may know it."""
    return str(_CAUSES.get(cause, _("暂时无法总结")))
