"""What each error type of a summary means, and what usually helps, in a plain sentence each."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.translation import gettext as _

from papers.models import ErrorType


@dataclass(frozen=True)
class Advice:
    """A sentence on what happened and one on what to do about it, in the language of the moment."""

    meaning: str
    what_helps: str


def advice(error_type: str | None) -> Advice:
    """Return the advice on an error type; on one that nobody knows, and on none, that on `unknown`."""
    return _ADVICE.get(error_type or "", _unknown)()


def _pdf_download_failed() -> Advice:
    return Advice(
        _("没有得到论文的正文：arXiv 上没有源码和 PDF，或文件损坏、读不出文字，或论文已被撤稿。"),
        _("新论文的文件可能晚一两天才有，过后再重新运行；已撤稿、只有扫描图像的论文重新运行没有用。"),
    )


def _timeout() -> Advice:
    return Advice(
        _("智能体在规定的时间内没有答完，已被终止。"),
        _("模型服务繁忙时稍后重新运行；经常发生就调大 PAPERSITE_AGENT_TIMEOUT，或换用更快的模型。"),
    )


def _process_error() -> Advice:
    return Advice(
        _("智能体异常退出、输出中断，或输出超过了 1 MiB。"),
        _("先看错误一栏里智能体自己说的原因，并在设置页试一次智能体；模型名、密钥或额度的问题解决以后再重新运行。"),
    )


def _json_not_found() -> Advice:
    return Advice(
        _("智能体有回应，但里面没有 JSON：输出是空的，或者模型拒绝回答、只说了些闲话。"),
        _("偶尔一篇，重新运行多半就好；同一天有很多，多半是模型或它的服务出了问题，看看原始输出再换模型。"),
    )


def _json_invalid() -> Advice:
    return Advice(
        _("输出的 JSON 不完整或无法修复，最常见的是写到一半被截断。"),
        _("重新运行一次；总是截断，就调大模型的输出上限，或换用输出更长的模型。"),
    )


def _field_missing() -> Advice:
    return Advice(
        _("总结缺少必填的内容，或只填了“无”“失败”之类的词。"),
        _("重新运行多半就好；同一个模型经常这样，说明它不适合这项工作，换一个更强的模型。"),
    )


def _schema_error() -> Advice:
    return Advice(
        _("总结的格式不对、几乎不是中文，或明显写的是另一篇论文。"),
        _("重新运行一次；经常发生就换用中文更好、更守格式的模型。"),
    )


def _unknown() -> Advice:
    return Advice(
        _("发生了没有预料到的错误，或处理这篇论文的进程反复被中断。"),
        _("看错误一栏和 worker.log；内存不足或机器重启造成的，解决以后重新运行即可。"),
    )


_ADVICE: dict[str, Callable[[], Advice]] = {
    ErrorType.PDF_DOWNLOAD_FAILED: _pdf_download_failed,
    ErrorType.TIMEOUT: _timeout,
    ErrorType.PROCESS_ERROR: _process_error,
    ErrorType.JSON_NOT_FOUND: _json_not_found,
    ErrorType.JSON_INVALID: _json_invalid,
    ErrorType.FIELD_MISSING: _field_missing,
    ErrorType.SCHEMA_ERROR: _schema_error,
    ErrorType.UNKNOWN: _unknown,
}
