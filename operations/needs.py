"""What needs a hand: the rules by which the first page of the admin asks for one, the most pressing first."""

import datetime as dt
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass

from django.conf import settings
from django.db.models import TextChoices
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from operations.console import MOST_COUNTED, Console
from operations.feed import FeedCode
from operations.pauses import Cause
from operations.wording import listed

# A switch that is on for longer was forgotten.
LONGEST_MAINTENANCE = dt.timedelta(days=1)
# One night may be missed, as while the machine was off.
OLDEST_BACKUP = dt.timedelta(days=2)
_DATES_NAMED = 5
_CAUSES = dict(Cause.choices)
# Those that a wrong setting makes too, which no waiting mends.
_SET_UP = frozenset({Cause.AGENT, Cause.MODEL})


class NeedCode(TextChoices):
    """What kind of hand is needed, the most pressing first; doors to the remedy are chosen by it."""

    WORKER = "worker"
    MAINTENANCE = "maintenance"
    DISK = "disk"
    AGENT = "agent"
    PAUSED = "paused"
    FEED = "feed"
    CRAWL = "crawl"
    ACCOUNT = "account"
    FAILURES = "failures"
    LOCKS = "locks"
    SCHEDULES = "schedules"
    QUEUE = "queue"
    BACKUP = "backup"


@dataclass(frozen=True)
class Need:
    """A sentence on what needs a hand, in the page's language; `detail` may quote what a program said.

    `dates` are the days that it is about, where a remedy is to crawl them again.
    """

    code: NeedCode
    message: str
    detail: str = ""
    dates: tuple[dt.date, ...] = ()


def needs(console: Console, kinds: Collection[NeedCode] = tuple(NeedCode)) -> Iterator[Need]:
    """Yield what needs a hand, of these kinds; nothing where all is well."""
    for kind in NeedCode:
        need = _RULES[kind](console) if kind in kinds else None
        if need is not None:
            yield need


def _worker(console: Console) -> Need | None:
    if not console.worker_is_silent:
        return None
    return Need(NeedCode.WORKER, _("后台任务没有运行，不会有新的抓取和总结。请在服务器上启动 serve。"))


def _maintenance(console: Console) -> Need | None:
    switch = console.maintenance
    if switch is None or console.now - switch.since <= LONGEST_MAINTENANCE:
        return None
    return Need(NeedCode.MAINTENANCE, _("维护已经开了一天多，是不是忘了结束？"), switch.reason)


def _disk(console: Console) -> Need | None:
    if not console.disk.is_low:
        return None
    if console.disk.free is None:
        return Need(NeedCode.DISK, _("读不到数据目录所在的磁盘。"))
    free = console.disk.free // 1024**2
    return Need(NeedCode.DISK, _("磁盘只剩 %(free)d MB。请腾出空间，或删除旧的论文和备份。") % {"free": free})


def _agent(console: Console) -> Need | None:
    if console.status.agent.ok:
        return None
    return Need(NeedCode.AGENT, _("现在不能生成总结。") + console.status.agent.message)


def _paused(console: Console) -> Need | None:
    pauses = console.status.pauses
    if not pauses or not console.status.agent.ok:  # then the need above says why
        return None
    causes = listed(_CAUSES.get(pause.cause, pause.cause) for pause in pauses)
    message = _("总结暂停：%(causes)s。会自动再试。")
    if any(pause.cause in _SET_UP for pause in pauses):
        message = _("总结暂停：%(causes)s。会自动再试；一直这样时，请在“设置与检查”里检查模型的地址和密钥。")
    return Need(NeedCode.PAUSED, message % {"causes": causes}, pauses[0].message)


def _feed(console: Console) -> Need | None:
    """Tell of a feed that does not follow its source, unless another need says why."""
    feed = console.status.feed
    if feed.is_well or console.worker_is_silent or console.maintenance:
        return None
    if feed.code == FeedCode.FAILED and console.failed_crawls:
        return None
    return Need(NeedCode.FEED, feed.detail, dates=(console.status.today,))


def _crawl(console: Console) -> Need | None:
    failed = console.failed_crawls
    if not failed:
        return None
    dates = tuple(log.date for log in failed if log.date)
    text = ngettext("%(dates)s 最近一次抓取失败。", "%(count)d 天最近一次抓取失败：%(dates)s。", len(dates))
    return Need(NeedCode.CRAWL, text % _named(dates), failed[0].error or "", dates)


def _account(console: Console) -> Need | None:
    dates = tuple(account.date for account in console.unbalanced)
    if not dates:
        return None
    text = ngettext("%(dates)s 的账目不平。", "%(count)d 天的账目不平：%(dates)s。", len(dates))
    return Need(NeedCode.ACCOUNT, text % _named(dates), dates=dates)


def _named(dates: tuple[dt.date, ...]) -> dict[str, str | int]:
    return {"count": len(dates), "dates": listed(dates, _DATES_NAMED)}


def _failures(console: Console) -> Need | None:
    count = console.status.queue.permanent
    if not count:
        return None
    text = ngettext("%(count)d 篇论文永久失败。", "%(count)d 篇论文永久失败。", count)
    return Need(NeedCode.FAILURES, text % {"count": count})


def _locks(console: Console) -> Need | None:
    count = len(console.dead_locks)
    if not count:
        return None
    text = ngettext("%(count)d 个锁的持有者已经不在了。", "%(count)d 个锁的持有者已经不在了。", count)
    return Need(NeedCode.LOCKS, text % {"count": count})


def _schedules(console: Console) -> Need | None:
    bent = [schedule for schedule in console.schedules if not schedule.is_in_order]
    if not bent or console.last_beat is None:  # made at the first start
        return None
    names = listed(schedule.in_words for schedule in bent)
    return Need(NeedCode.SCHEDULES, _("定时任务缺失、重复或被改动过：%(names)s。") % {"names": names})


def _queue(console: Console) -> Need | None:
    count = console.failed_tasks
    if not count:
        return None
    if count == MOST_COUNTED:
        return Need(NeedCode.QUEUE, _("至少 %(count)d 个队列任务出错。") % {"count": count})
    text = ngettext("%(count)d 个队列任务出错。", "%(count)d 个队列任务出错。", count)
    return Need(NeedCode.QUEUE, text % {"count": count})


def _backup(console: Console) -> Need | None:
    if not settings.PAPERSITE.backup_keep:
        return None
    last = console.last_backup
    if last is None:
        return Need(NeedCode.BACKUP, _("还没有做过备份。")) if console.is_older_than(OLDEST_BACKUP) else None
    if last.has_failed:
        return Need(NeedCode.BACKUP, _("最近一次备份失败。"), last.error)
    if console.now - last.started_at > OLDEST_BACKUP:
        return Need(NeedCode.BACKUP, _("最近一次备份是两天以前的。"))
    return None


_RULES: dict[NeedCode, Callable[[Console], Need | None]] = {
    NeedCode.WORKER: _worker,
    NeedCode.MAINTENANCE: _maintenance,
    NeedCode.DISK: _disk,
    NeedCode.AGENT: _agent,
    NeedCode.PAUSED: _paused,
    NeedCode.FEED: _feed,
    NeedCode.CRAWL: _crawl,
    NeedCode.ACCOUNT: _account,
    NeedCode.FAILURES: _failures,
    NeedCode.LOCKS: _locks,
    NeedCode.SCHEDULES: _schedules,
    NeedCode.QUEUE: _queue,
    NeedCode.BACKUP: _backup,
}
