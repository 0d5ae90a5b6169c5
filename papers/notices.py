"""What readers are told about the state of a summary, in sentences."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from papers.models import ErrorType, SummaryState, SummaryStatus

_REASONS: dict[str, Promise] = {
    ErrorType.PDF_DOWNLOAD_FAILED: gettext_lazy("没有取得可读的正文"),
    ErrorType.TIMEOUT: gettext_lazy("AI 没有在限定的时间内完成"),
    ErrorType.PROCESS_ERROR: gettext_lazy("AI 程序中途出错"),
    ErrorType.JSON_NOT_FOUND: gettext_lazy("AI 的回答里没有总结"),
    ErrorType.JSON_INVALID: gettext_lazy("AI 的回答残缺，无法读取"),
    ErrorType.FIELD_MISSING: gettext_lazy("AI 的总结缺少必要的内容"),
    ErrorType.SCHEMA_ERROR: gettext_lazy("AI 的总结不合要求"),
    ErrorType.UNKNOWN: gettext_lazy("原因不明"),
}

_STATES: dict[str, Promise] = {
    SummaryState.DONE: gettext_lazy("已总结"),
    SummaryState.PENDING: gettext_lazy("待总结"),
    SummaryState.PROCESSING: gettext_lazy("总结中"),
    SummaryState.FAILED: gettext_lazy("总结失败，待重试"),
    SummaryState.PERMANENT_FAILURE: gettext_lazy("总结失败"),
}


@dataclass(frozen=True, slots=True)
class Notice:
    """A sentence for readers; `tone` is `quiet`, `busy` or `failed`. `is_awaited`: a summary is still to come."""

    tone: str
    text: str
    is_awaited: bool = False


def reason(error_type: str | None) -> str:
    """Return why an attempt failed, as a clause without a full stop."""
    return str(_REASONS.get(error_type or "", _REASONS[ErrorType.UNKNOWN]))


def state_in_words(state: str) -> str:
    """Return the state of a summary in a word or two, as readers know it."""
    return str(_STATES.get(state, state))


def summary_notice(status: SummaryStatus | None, *, has_summary: bool, is_withdrawn: bool) -> Notice | None:
    """Return what there is to say about the summary of a paper; None where all is as it should be."""
    state = status.status if status else SummaryState.PENDING
    error_type = status.error_type if status else None
    if has_summary:
        return _beside_a_summary(state, error_type)
    if is_withdrawn and state == SummaryState.PERMANENT_FAILURE:
        return Notice("quiet", _("这篇论文已被作者撤回，没有总结。"))
    return _in_place_of_a_summary(state, error_type)


def _beside_a_summary(state: str, error_type: str | None) -> Notice | None:
    if state != SummaryState.DONE:
        return Notice("busy", _("这篇论文正在重新总结，下面是之前的总结。"), is_awaited=True)
    if error_type:
        text = _("最近一次重新总结没有成功（%(reason)s），下面是之前的总结。")
        return Notice("quiet", text % {"reason": reason(error_type)})
    return None


def _in_place_of_a_summary(state: str, error_type: str | None) -> Notice:
    why = {"reason": reason(error_type)}
    if state == SummaryState.PROCESSING:
        return Notice("busy", _("AI 正在总结这篇论文。"), is_awaited=True)
    if state == SummaryState.FAILED:
        return Notice("failed", _("总结没有成功：%(reason)s。稍后会自动重试一次。") % why, is_awaited=True)
    if state == SummaryState.PERMANENT_FAILURE:
        return Notice("failed", _("总结没有成功：%(reason)s。管理员可以在后台重新运行。") % why)
    if state == SummaryState.PENDING and error_type:
        return Notice("quiet", _("上一次总结没有成功（%(reason)s），正在排队重试。") % why, is_awaited=True)
    return Notice("quiet", _("这篇论文还在排队等待总结。"), is_awaited=True)
