"""Whether the site still follows Daily Papers, in one word and one sentence."""

import datetime
from dataclasses import dataclass
from functools import cached_property

from croniter import croniter
from django.conf import settings
from django.db.models import Max, Min, Q, TextChoices
from django.db.models.functions import Coalesce
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from operations.models import CrawlLog, DayListing, Heartbeat, RunState, Task
from operations.pauses import active_pauses
from operations.summarize import daily_limit_reached
from papers.models import SummaryState, SummaryStatus

# A daily crawl that is two hours late is late.
LATENESS = datetime.timedelta(hours=2)
SHORTEST_SILENCE = datetime.timedelta(hours=26)
# A part that beats shows itself every minute or so; five missed beats are no accident.
HEARTBEAT_SILENCE = datetime.timedelta(minutes=5)
# Papers that wait longer than this while no summary begins or ends: nobody makes summaries.
SUMMARY_SILENCE = datetime.timedelta(hours=2)
# Days that the schedule may ask for: today, and those refreshed.
_LEAST_DAYS = 7


class FeedCode(TextChoices):
    """The word for the state of the feed."""

    FRESH = "fresh", gettext_lazy("已更新")
    WAITING = "waiting", gettext_lazy("等待更新")
    QUIET = "quiet", gettext_lazy("来源休息")
    STALLED = "stalled", gettext_lazy("已停滞")
    FAILED = "failed", gettext_lazy("抓取失败")


@dataclass(frozen=True)
class FeedState:
    """The state of the feed, since when it holds (None where that is unknown), and a sentence for readers."""

    code: FeedCode
    since: datetime.datetime | None
    detail: str

    @property
    def is_well(self) -> bool:
        """Whether nobody needs to do anything."""
        return self.code not in (FeedCode.STALLED, FeedCode.FAILED)


def feed_state(now: datetime.datetime | None = None) -> FeedState:
    """Return the state of the feed; `now` is aware, the present if left out.

    The first rule that holds decides. "Asked" means a finished crawl of a day the schedule could ask for (today by
    UTC and the refreshed days before it), so that a backfill of old days by hand neither hides nor causes trouble.

    1. failed: the latest such crawl failed.
    2. stalled, any of:
       - the last success is older than the schedule allows: the longest gap of CRAWL_CRON around now plus two
         hours, at least 26 hours;
       - a worker once beat and has been silent for five minutes (one that never beat means that the commands are
         run by other means, and is judged by their results);
       - papers have been due for two hours in which no summary began or ended, though the daily limit is not used up.
    3. fresh: today was asked with success and listed papers.
    4. quiet: today was asked with success and listed nothing, and it is Saturday or Sunday, or the working day
       before today listed nothing either though it was asked.
    5. waiting: all else: today is not due yet, or was asked and is still empty, or nothing was ever asked.
    """
    facts = _Facts(now or timezone.now())
    return _failed(facts) or _stalled(facts) or _summaries_stopped(facts) or _today(facts)


def worker_is_alive(now: datetime.datetime | None = None) -> bool:
    """Tell whether a worker showed itself lately, so that queued work will be done."""
    beats = Heartbeat.objects.filter(beat_at__gte=(now or timezone.now()) - HEARTBEAT_SILENCE)
    return beats.exists()


class _Facts:
    """What the rules look at, each fact asked for once and only when needed."""

    def __init__(self, now: datetime.datetime) -> None:
        self.now = now
        self.today = now.astimezone(datetime.UTC).date()

    @cached_property
    def last_asked(self) -> CrawlLog | None:
        """The latest finished crawl of a day that the schedule could ask for."""
        return (
            CrawlLog.objects.filter(task=Task.CRAWL, started_at__lte=self.now)
            .exclude(status=RunState.RUNNING)
            .filter(date__range=(self.today - _recent_days(), self.today))
            .order_by("-started_at", "-id")
            .first()
        )

    @cached_property
    def last_success(self) -> datetime.datetime | None:
        """When a crawl of a day that was recent then last ended well."""
        logs = CrawlLog.objects.filter(task=Task.CRAWL, status=RunState.SUCCESS, started_at__lte=self.now)
        rows = logs.order_by("-started_at", "-id").values_list("date", "started_at", "completed_at")
        for date, began, ended in rows.iterator(chunk_size=100):
            if date and began.astimezone(datetime.UTC).date() - date <= _recent_days():
                return ended or began
        return None

    @cached_property
    def last_beat(self) -> datetime.datetime | None:
        """When a worker last showed itself."""
        return Heartbeat.objects.aggregate(last=Max("beat_at"))["last"]

    def asked(self, date: datetime.date) -> CrawlLog | None:
        """Return the last successful crawl of a day."""
        logs = CrawlLog.objects.filter(task=Task.CRAWL, status=RunState.SUCCESS, date=date)
        return logs.order_by("-started_at", "-id").first()

    def listed(self, date: datetime.date) -> bool:
        """Tell whether the source listed anything on a day."""
        return DayListing.objects.filter(date=date).exists()


def _recent_days() -> datetime.timedelta:
    return datetime.timedelta(days=max(settings.PAPERSITE.refresh_days, _LEAST_DAYS))


def _failed(facts: _Facts) -> FeedState | None:
    last = facts.last_asked
    if last is None or last.status != RunState.FAILED:
        return None
    detail = _("最近一次抓取（%(date)s）失败。") % {"date": last.date}
    return FeedState(FeedCode.FAILED, last.completed_at or last.started_at, detail)


def _stalled(facts: _Facts) -> FeedState | None:
    if facts.last_success and facts.now - facts.last_success > allowed_silence(facts.now):
        detail = _("已超过计划的时间没有成功抓取，请检查后台任务是否在运行。")
        return FeedState(FeedCode.STALLED, facts.last_success, detail)
    if facts.last_beat and facts.now - facts.last_beat > HEARTBEAT_SILENCE:
        return FeedState(FeedCode.STALLED, facts.last_beat, _("后台任务没有运行，不会有新的抓取和总结。"))
    return None


def _summaries_stopped(facts: _Facts) -> FeedState | None:
    edge = facts.now - SUMMARY_SILENCE
    waiting = _due(facts.now).aggregate(since=Min(_due_since()))["since"]
    if waiting is None or waiting > edge:
        return None
    last = SummaryStatus.objects.aggregate(begun=Max("started_at"), ended=Max("completed_at"))
    moments = [moment for moment in last.values() if moment]
    if _being_made(facts.now) or any(moment > edge for moment in moments) or daily_limit_reached(facts.now):
        return None
    detail = _("有论文在等待，但已有两个多小时没有进行任何总结。")
    if active_pauses(facts.now):
        detail = _("有论文在等待，但总结已暂停两个多小时。")
    return FeedState(FeedCode.STALLED, max([waiting, *moments]), detail)


def _today(facts: _Facts) -> FeedState:
    asked = facts.asked(facts.today)
    if asked is None:
        detail = _("今天的论文还没有到抓取时间。") if facts.last_success else _("最近的日子还没有抓取过。")
        return FeedState(FeedCode.WAITING, facts.last_success, detail)
    since = asked.completed_at or asked.started_at
    if facts.listed(facts.today):
        return FeedState(FeedCode.FRESH, since, _("今天的论文已经收录。"))
    if facts.today.weekday() >= 5:
        return FeedState(FeedCode.QUIET, since, _("周末，来源没有新的论文。"))
    before = working_day_before(facts.today)
    if facts.asked(before) and not facts.listed(before):
        return FeedState(FeedCode.QUIET, since, _("来源近日没有新的论文，可能是假期。"))
    return FeedState(FeedCode.WAITING, since, _("今天已经查询过，来源还没有列出论文，稍后会再次查询。"))


def allowed_silence(now: datetime.datetime) -> datetime.timedelta:
    """Return how long CRAWL_CRON allows to pass without a successful crawl, around `now`."""
    local = timezone.localtime(now)
    cron = settings.PAPERSITE.crawl_cron
    due = croniter(cron, local).get_prev(datetime.datetime)
    before = croniter(cron, due).get_prev(datetime.datetime)
    after = croniter(cron, local).get_next(datetime.datetime)
    return max(SHORTEST_SILENCE, max(due - before, after - due) + LATENESS)


def working_day_before(date: datetime.date) -> datetime.date:
    """Return the last day before `date` that is neither Saturday nor Sunday."""
    before = date - datetime.timedelta(days=1)
    while before.weekday() >= 5:
        before -= datetime.timedelta(days=1)
    return before


def _due(now: datetime.datetime):
    due = Q(next_attempt_at__isnull=True) | Q(next_attempt_at__lte=now)
    return SummaryStatus.objects.filter(due, status__in=(SummaryState.PENDING, SummaryState.FAILED))


def _due_since() -> Coalesce:
    return Coalesce("next_attempt_at", "queued_at", "paper__crawled_at")


def _being_made(now: datetime.datetime) -> bool:
    return SummaryStatus.objects.filter(status=SummaryState.PROCESSING, lease_until__gt=now).exists()
