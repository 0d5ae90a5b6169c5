"""What a crawl by hand is told in, for pages, messages and the audit log."""

import datetime as dt
from collections.abc import Sequence

from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from operations.crawl_plan import FIRST_DAY, MOST_DAYS, BadDates, DateProblem
from operations.logs import OWNER_DIED, STOPPED
from operations.models import CrawlJob, CrawlJobDay, DayState
from operations.wording import listed

# Dates named in a message; more are counted.
_DATES_NAMED = 10


def problem_in_words(error: BadDates) -> str:
    """Return why days cannot be crawled."""
    sentences = {
        DateProblem.NONE: _("请选择日期。"),
        DateProblem.REVERSED: _("结束日期早于开始日期。"),
        DateProblem.FUTURE: _("%(date)s 还没有到来：按 UTC 计算，来源不接受将来的日期。") % {"date": error.date},
        DateProblem.TOO_EARLY: _("%(date)s 太早：Daily Papers 从 %(first)s 开始。")
        % {"date": error.date, "first": FIRST_DAY},
        DateProblem.TOO_MANY: _("一次最多 %(most)d 天，请分几次抓取。") % {"most": MOST_DAYS},
    }
    return sentences[error.problem]


def dates_in_words(dates: Sequence[dt.date]) -> str:
    """Return how many days these are, and which where they are few."""
    text = ngettext("%(count)d 天：%(dates)s", "%(count)d 天：%(dates)s", len(dates))
    return text % {"count": len(dates), "dates": listed(dates, _DATES_NAMED)}


def day_in_words(job: CrawlJob, day: CrawlJobDay) -> str:
    """Return what is worth telling of a day beside its state: why it failed or waits."""
    if day.state == DayState.SKIPPED and job.stop_requested_at:
        return ""
    ours = {STOPPED: _("没有抓完就停止了"), OWNER_DIED: _("抓取它的进程意外结束")}
    return ours.get(day.error or "", day.error or "")


def link_to_job(job_id: int) -> SafeString:
    """Return a link to the page of a crawl job."""
    address = reverse("admin:crawl_job", args=[job_id])
    return format_html('<a href="{}">{}</a>', address, _("查看进度"))
