"""Whether the site still follows Daily Papers, in one word and one sentence."""

import datetime
from dataclasses import dataclass
from functools import cached_property

from croniter import croniter
from django.conf import settings
from django.db.models import Exists, FloatField, Func, Max, OuterRef, QuerySet, TextChoices, Value
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from operations.models import CrawlLog, DayListing, Heartbeat, Maintenance, QueuePause, RunState, Task
from operations.pauses import active_pauses
from operations.schedules import DAILY_CRAWL, effective_cron
from operations.summarize import daily_limit_reached
from operations.summary_queue import Queue, queue_counts
from papers.models import SummaryStatus

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


def feed_state(now: datetime.datetime | None = None, *, facts: "Facts | None" = None) -> FeedState:
    """Return the state of the feed; `now` is aware, the present if left out. `facts` are used where they are at hand.

    The first rule that holds decides. "Asked" means a finished crawl of a day the schedule could ask for (today by
    UTC and the refreshed days before it), so that a backfill of old days by hand neither hides nor causes trouble.

    1. failed: the latest such crawl failed.
    2. stalled, any of:
       - the last success is older than the schedule allows: the longest gap of the daily crawl around now plus two
         hours, at least 26 hours;
       - a worker once beat and has been silent for five minutes (one that never beat means that the commands are
         run by other means, and is judged by their results);
       - papers have been due for two hours in which no summary began or ended, though the daily limit is not used up.
    3. fresh: today was asked with success and listed papers.
    4. quiet: today was asked with success and listed nothing, and it is Saturday or Sunday, or the working day
       before today listed nothing either though it was asked.
    5. waiting: all else: today is not due yet, or was asked and is still empty, or nothing was ever asked.

    During maintenance nothing of rule 2 but a silent worker counts: what would be stalled is held, and waits.
    """
    facts = facts or Facts(now or timezone.now())
    return _failed(facts) or _worker_silent(facts) or _held(facts, _stopped(facts) or _today(facts))


def worker_is_alive(now: datetime.datetime | None = None) -> bool:
    """Tell whether a worker showed itself lately, so that queued work will be done."""
    beats = Heartbeat.objects.filter(beat_at__gte=(now or timezone.now()) - HEARTBEAT_SILENCE)
    return beats.exists()


class Facts:
    """What the rules look at, each fact asked for once and only when needed."""

    def __init__(self, now: datetime.datetime) -> None:
        """Fix the moment, which is aware."""
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
        if self.last_asked and self.last_asked.status == RunState.SUCCESS:
            return self.last_asked.completed_at or self.last_asked.started_at
        logs = CrawlLog.objects.filter(task=Task.CRAWL, status=RunState.SUCCESS, started_at__lte=self.now)
        # In the database: a backfill leaves thousands of crawls of days that were not recent.
        recent = logs.annotate(age=_day_number("started_at") - _day_number("date")).filter(
            age__lt=_recent_days().days + 1
        )
        row = recent.order_by("-started_at", "-id").values_list("started_at", "completed_at").first()
        return (row[1] or row[0]) if row else None

    @property
    def last_beat(self) -> datetime.datetime | None:
        """When a worker last showed itself."""
        return self._moments.get("beat")

    @property
    def held_since(self) -> datetime.datetime | None:
        """Since when the switch holds all work, while it is on."""
        return self._moments.get("held")

    @property
    def last_ended(self) -> datetime.datetime | None:
        """When an attempt at a summary last ended."""
        return self._moments.get("ended")

    @cached_property
    def _moments(self) -> dict[str, datetime.datetime]:
        beat = _last("beat", Heartbeat.objects.all(), "beat_at")
        held = _last("held", Maintenance.objects.all(), "since")
        ended = _last("ended", SummaryStatus.objects.all(), "completed_at")
        return {name: last for name, last in beat.union(held, ended, all=True) if last}

    @cached_property
    def pauses(self) -> list[QueuePause]:
        """The pauses in force."""
        return active_pauses(self.now)

    @cached_property
    def queue(self) -> Queue:
        """The summaries still to be made."""
        return queue_counts(self.now)

    def asked(self, date: datetime.date) -> "Asked | None":
        """Return the last successful crawl of a day, which cannot be asked for before it begins."""
        if self.last_success is None or self.last_success.date() < date:
            return None
        logs = CrawlLog.objects.filter(task=Task.CRAWL, status=RunState.SUCCESS, date=date)
        listed = Exists(DayListing.objects.filter(date=OuterRef("date")))
        last = logs.annotate(listed=listed).order_by("-started_at", "-id").first()
        return Asked(last.completed_at or last.started_at, last.listed) if last else None


@dataclass(frozen=True)
class Asked:
    """When the source was asked for a day, and whether it has listed anything on it."""

    at: datetime.datetime
    listed: bool


def _last(name: str, rows: QuerySet, column: str) -> QuerySet:
    """Ask for the last moment of `column` under a name: of each table one row, by an index where it is long."""
    moments = rows.order_by().annotate(moment=Value(name)).values("moment")
    return moments.annotate(last=Max(column)).values_list("moment", "last")


def _day_number(column: str) -> Func:
    return Func(column, function="julianday", output_field=FloatField())


def _recent_days() -> datetime.timedelta:
    return datetime.timedelta(days=max(settings.PAPERSITE.refresh_days, _LEAST_DAYS))


def _failed(facts: Facts) -> FeedState | None:
    last = facts.last_asked
    if last is None or last.status != RunState.FAILED:
        return None
    detail = _("最近一次抓取（%(date)s）失败。") % {"date": last.date}
    return FeedState(FeedCode.FAILED, last.completed_at or last.started_at, detail)


def _worker_silent(facts: Facts) -> FeedState | None:
    if facts.last_beat and facts.now - facts.last_beat > HEARTBEAT_SILENCE:
        return FeedState(FeedCode.STALLED, facts.last_beat, _("后台任务没有运行，不会有新的抓取和总结。"))
    return None


def _held(facts: Facts, state: FeedState) -> FeedState:
    """Return what a state without a failure is while maintenance holds the work."""
    if facts.held_since is None or state.code not in (FeedCode.STALLED, FeedCode.WAITING):
        return state
    detail = _("维护期间，抓取和总结都已暂停；维护结束后会自动补上。")
    return FeedState(FeedCode.WAITING, facts.held_since, detail)


def _stopped(facts: Facts) -> FeedState | None:
    return _crawls_stopped(facts) or _summaries_stopped(facts)


def _crawls_stopped(facts: Facts) -> FeedState | None:
    silence = facts.now - facts.last_success if facts.last_success else SHORTEST_SILENCE
    if silence > SHORTEST_SILENCE and silence > allowed_silence(facts.now):
        detail = _("已超过计划的时间没有成功抓取，请检查后台任务是否在运行。")
        return FeedState(FeedCode.STALLED, facts.last_success, detail)
    return None


def _summaries_stopped(facts: Facts) -> FeedState | None:
    edge = facts.now - SUMMARY_SILENCE
    waiting = facts.queue.due_since
    if waiting is None or waiting > edge:
        return None
    moments = [moment for moment in (facts.queue.last_begun, facts.last_ended) if moment]
    is_going_on = facts.queue.is_being_made or any(moment > edge for moment in moments)
    if is_going_on or daily_limit_reached(facts.now):
        return None
    detail = _("有论文在等待，但已有两个多小时没有进行任何总结。")
    if facts.pauses:
        detail = _("有论文在等待，但总结已暂停两个多小时。")
    return FeedState(FeedCode.STALLED, max([waiting, *moments]), detail)


def _today(facts: Facts) -> FeedState:
    asked = facts.asked(facts.today)
    if asked is None:
        detail = _("今天的论文还没有到抓取时间。") if facts.last_success else _("最近的日子还没有抓取过。")
        return FeedState(FeedCode.WAITING, facts.last_success, detail)
    since = asked.at
    if asked.listed:
        return FeedState(FeedCode.FRESH, since, _("今天的论文已经收录。"))
    if facts.today.weekday() >= 5:
        return FeedState(FeedCode.QUIET, since, _("周末，来源没有新的论文。"))
    before = facts.asked(working_day_before(facts.today))
    if before and not before.listed:
        return FeedState(FeedCode.QUIET, since, _("来源近日没有新的论文，可能是假期。"))
    return FeedState(FeedCode.WAITING, since, _("今天已经查询过，来源还没有列出论文，稍后会再次查询。"))


def allowed_silence(now: datetime.datetime) -> datetime.timedelta:
    """Return how long the time of the daily crawl allows to pass without a successful one, around `now`."""
    local = timezone.localtime(now)
    cron = effective_cron(DAILY_CRAWL)
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
