"""What can go wrong while the sources and the agent are tried, in plain words."""

from django.utils.translation import gettext as _

from operations.agent.errors import (
    AgentError,
    AgentFailed,
    AgentNotConfigured,
    AgentNotInstalled,
    AgentOutputTooLarge,
    AgentTimeout,
)
from operations.http.errors import (
    ForbiddenRedirect,
    NotFound,
    Refused,
    SourceError,
    SourceUnavailable,
    TooLarge,
    TurnTooLate,
    UnexpectedAnswer,
)
from operations.wording import noted

# Characters of a technical reason that are shown behind the sentence.
_REASON = 200


def source_error_in_words(error: SourceError) -> str:
    """Return what kept a source from giving what was asked for, and what usually helps."""
    sentence = _status_in_words(error.status) if isinstance(error, SourceUnavailable) and error.status else ""
    return sentence or _with_reason(_kind_in_words(error), error)


def _status_in_words(status: int) -> str:
    if status == 429:
        return _("对方要求放慢（HTTP 429）。请过一会儿再试。")
    if status == 403:
        return _("对方拒绝访问（HTTP 403），可能限制了这台机器的地址。")
    return _("对方服务出错（HTTP %(status)d）。请过一会儿再试。") % {"status": status}


def _kind_in_words(error: SourceError) -> str:
    if isinstance(error, TurnTooLate):
        return _("抓取或总结正在访问 arXiv，按约定的间隔轮不到这一次。请等它们结束后再试。")
    if isinstance(error, SourceUnavailable):
        return _("连接不上，或没有按时答复。请检查网络、代理和设置中的地址。")
    if isinstance(error, NotFound):
        return _("对方有应答，但这个地址上没有要找的东西。请检查设置中的地址。")
    if isinstance(error, Refused):
        return _("对方认为请求有误。请检查设置中的地址。")
    if isinstance(error, ForbiddenRedirect):
        return _("对方转到了设置之外的地址，没有跟随。")
    if isinstance(error, TooLarge):
        return _("答复过大，没有读完。")
    if isinstance(error, UnexpectedAnswer):
        return _("答复不是想要的内容，可能是登录页、代理的提示或别的网站。")
    return _("访问失败。")


def agent_error_in_words(error: AgentError) -> str:
    """Return what kept the agent from answering."""
    if isinstance(error, AgentNotConfigured):
        return _with_reason(_("智能体还没有设置好。"), error)
    if isinstance(error, AgentNotInstalled):
        return _with_reason(_("智能体没有安装，或无法启动。"), error)
    if isinstance(error, AgentTimeout):
        return _with_reason(_("智能体没有按时回答。"), error)
    if isinstance(error, AgentOutputTooLarge):
        return _("智能体的输出过多。")
    if isinstance(error, AgentFailed):
        return _with_reason(_("智能体出错退出。"), error)
    return _with_reason(_("智能体没有回答。"), error)


def _with_reason(sentence: str, error: Exception) -> str:
    reason = " ".join(str(error).split())
    if not reason:
        return sentence
    return noted(sentence, reason[:_REASON] + ("…" if len(reason) > _REASON else ""))
