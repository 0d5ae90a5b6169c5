"""Filters that put states, reasons and problems of the work in words fit for everybody."""

from django import template
from django.utils.translation import gettext_lazy as _

from operations.agent.installation import KEY_MISSING, NOT_CONFIGURED, PI_MISSING, PI_UNUSABLE, AgentState
from operations.pauses import Cause
from papers.models import ErrorType

register = template.Library()

_ERROR_TYPES = dict(ErrorType.choices)
_CAUSES = dict(Cause.choices)
# Problems whose messages name settings and commands alone; others may name a path.
_PUBLIC_PROBLEMS = frozenset({PI_MISSING, PI_UNUSABLE, NOT_CONFIGURED, KEY_MISSING})


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


@register.filter
def public_problem(state: AgentState) -> str:
    """Return what keeps the agent from being run and how that is put right, as everybody may know it."""
    if state.problem_code in _PUBLIC_PROBLEMS:
        return state.message
    return str(_("智能体无法运行，原因见管理后台。"))
