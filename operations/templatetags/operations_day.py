"""Why a day has no papers, for the public page of that day."""

import datetime as dt
import re

from django import template
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from operations.day_accounts import DayAccount, day_accounts
from operations.logs import OWNER_DIED, STOPPED, WAITS
from operations.models import CrawlLog, RunState, Task

register = template.Library()

_HTTP_STATUS = re.compile(r"\bHTTP (\d{3})\b")
_EXCEPTION = re.compile(r"\w+(?:Error|Exception)\b")
_SATURDAY = 5


@register.inclusion_tag("operations/_day_note.html")
def day_note(day: dt.date) -> dict[str, object]:
    """Show why `day` has no papers, and for a failed crawl the reason."""
    if day > timezone.now().astimezone(dt.UTC).date():
        return {"sentence": _("这一天还没有到来。按 UTC 计算的当天开始后，才会有当天的论文。")}
    return _from_account(day_accounts([day])[0]) or _from_log(day, _last_crawl(day))


def _last_crawl(day: dt.date) -> CrawlLog | None:
    return CrawlLog.objects.filter(task=Task.CRAWL, date=day).exclude(WAITS).order_by("-started_at", "-id").first()


def _from_account(account: DayAccount) -> dict[str, object] | None:
    """Return what became of the papers that the day did list, if it listed any."""
    if not account.listed:
        return None
    parts = [
        (account.earlier, ngettext("%d 篇已归入更早的一天", "%d 篇已归入更早的一天", account.earlier)),
        (account.deleted, ngettext("%d 篇已被管理员删除", "%d 篇已被管理员删除", account.deleted)),
        (account.skipped, ngettext("%d 篇因数据有误而跳过", "%d 篇因数据有误而跳过", account.skipped)),
    ]
    said = [text % number for number, text in parts if number]
    listed = ngettext(
        "这一天列出了 %d 篇论文，但都不在这一页", "这一天列出了 %d 篇论文，但都不在这一页", account.listed
    )
    sentence = listed % account.listed
    return {
        "sentence": _("%(what)s：%(parts)s。") % {"what": sentence, "parts": _("，").join(said)} if said else sentence
    }


def _from_log(day: dt.date, log: CrawlLog | None) -> dict[str, object]:
    if log is None:
        return {"sentence": _("这一天还没有抓取过。"), "is_unknown": True}
    if log.status == RunState.RUNNING:
        return {"sentence": _("正在抓取这一天的论文，稍后刷新即可看到。")}
    if log.status == RunState.FAILED:
        return {
            "sentence": _("抓取这一天的论文时失败了，稍后会再试。"),
            "reason": crawl_reason(log.error),
            "is_failed": True,
        }
    return {"sentence": _empty_sentence(day), "asked_at": log.completed_at or log.started_at}


def _empty_sentence(day: dt.date) -> str:
    if day.weekday() >= _SATURDAY:
        return _("这一天是周末，Hugging Face Daily Papers 没有列出论文。")
    return _("已经查询过，Hugging Face Daily Papers 这一天（尚）没有列出论文。")


@register.filter
def crawl_reason(error: str | None) -> str:
    """Return why a crawl failed, as everybody may know it: the log itself may quote addresses, paths and exceptions."""
    text = error or ""
    status = _HTTP_STATUS.search(text)
    if status:
        return _("来源回答 HTTP %(status)s") % {"status": status[1]}
    if "not finished within" in text:
        return _("来源没有及时回答")
    if _EXCEPTION.match(text) or text in (STOPPED, OWNER_DIED):
        return _("抓取中途停止，详情见管理后台")
    return _("来源无法访问，或回答有误")
