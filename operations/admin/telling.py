"""What a person is told after work was asked for."""

from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from operations import maintenance
from operations.feed import worker_is_alive


def tell_rerun(request: HttpRequest, moved: int, left: int = 0) -> None:
    """Say how many papers wait for a summary now, and how many were in work and left alone."""
    text = ngettext("%(count)d 篇论文已重新排队，等待总结。", "%(count)d 篇论文已重新排队，等待总结。", moved)
    messages.success(request, text % {"count": moved})
    if left:
        text = ngettext("%(count)d 篇正在总结，未作改动。", "%(count)d 篇正在总结，未作改动。", left)
        messages.warning(request, text % {"count": left})
    _warn(request, _("现在没有后台任务在运行；启动 serve，或运行命令 crawl、summarize 后才会执行。"))


def warn_without_worker(request: HttpRequest, *, during_maintenance: bool = False) -> None:
    """Say that what was asked for waits, where no worker runs or maintenance holds it.

    With `during_maintenance` it is done all the same, as a backup is.
    """
    _warn(request, _("现在没有后台任务在运行，启动 serve 后才会执行。"), during_maintenance=during_maintenance)


def _warn(request: HttpRequest, no_worker: str, *, during_maintenance: bool = False) -> None:
    if maintenance.current() and not during_maintenance:
        messages.warning(request, _("正在维护，工作都停着；结束维护后才会执行。"))
    elif not worker_is_alive():
        messages.warning(request, no_worker)
