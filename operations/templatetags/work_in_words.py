"""Filters that put states, reasons and problems of the work in words fit for everybody."""

import datetime as dt

from django import template
from django.utils.translation import gettext_lazy as _

from operations.agent.installation import KEY_MISSING, NOT_CONFIGURED, PI_MISSING, PI_UNUSABLE, AgentState
from operations.owners import Life, parse
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


_LIVES = {
    Life.ALIVE: _("在运行"),
    Life.DEAD: _("已不在"),
    Life.UNKNOWN: _("从这里看不到"),
}


@register.filter
def owner_in_words(owner: str | None) -> str:
    """Return who holds or held something: the process and its machine."""
    parts = parse(owner)
    if parts is None:
        return owner or str(_("没有记下"))
    return str(_("%(host)s 上的进程 %(pid)d")) % {"host": parts.host, "pid": parts.pid}


@register.filter
def life_in_words(life: Life) -> str:
    """Return whether a process is still there."""
    return str(_LIVES[life])


@register.filter
def length_in_words(length: dt.timedelta) -> str:
    """Return a length of time in its two largest units, seconds and what is below them as one decimal at most."""
    seconds = max(length.total_seconds(), 0)
    if seconds < 10:
        return str(_("%(seconds).1f 秒")) % {"seconds": seconds}
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes_left = divmod(minutes, 60)
    if not minutes:
        return str(_("%(seconds)d 秒")) % {"seconds": rest}
    if not hours:
        return str(_("%(minutes)d 分 %(seconds)d 秒")) % {"minutes": minutes, "seconds": rest}
    return str(_("%(hours)d 小时 %(minutes)d 分")) % {"hours": hours, "minutes": minutes_left}
