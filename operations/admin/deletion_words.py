"""Why a deletion was not begun or did not come to its end, in the words of the pages."""

import re

from django.utils.translation import gettext as _

from operations.deletion.jobs import REQUESTED, DeletionRunning
from operations.deletion.run import STILL_IN_WORK
from operations.logs import OWNER_DIED
from operations.maintenance import MaintenanceOn
from operations.models import DataDeleteJob
from operations.owners import parse

_STOPPED = re.compile(r"stopped at (\d+) of (\d+)(?:: (.*))?", re.S)


def refusal_in_words(error: Exception) -> str:
    """Say why no deletion can be begun now."""
    if isinstance(error, MaintenanceOn):
        return _("正在维护，现在不能开始删除。")
    if isinstance(error, DeletionRunning):
        return _("另一个删除任务 #%(number)d 还没有结束，一次只能有一个。") % {"number": error.job.pk}
    return _("另一个进程正在删除，一次只能有一个：%(reason)s") % {"reason": error}


def end_in_words(job: DataDeleteJob) -> str:
    """Say how a job that did not delete everything ended; nothing of one that did, or goes on."""
    match = _STOPPED.fullmatch(job.error or "")
    if match is None:
        return job.error or ""
    deleted, total, reason = match.groups()
    where = _("停在第 %(deleted)s 篇，共 %(total)s 篇。") % {"deleted": deleted, "total": total}
    return where + _reason_in_words(reason or (job.log.detail if job.log else None) or "")


def _reason_in_words(reason: str) -> str:
    if reason.startswith(STILL_IN_WORK):
        named = reason.removeprefix(STILL_IN_WORK)
        return _("等了很久仍在总结的论文：%(papers)s") % {"papers": named}
    known = {REQUESTED: _("按要求停止。"), OWNER_DIED: _("执行它的进程中断了。")}
    return known.get(reason, reason)


def place_in_words(job: DataDeleteJob) -> str:
    """Say who runs a job that is not over."""
    owner = parse(job.owner)
    if owner is None:
        return job.owner or _("等待后台任务")
    return _("由进程 %(pid)d（%(host)s）执行") % {"pid": owner.pid, "host": owner.host}
