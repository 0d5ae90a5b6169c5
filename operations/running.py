"""What is being done at this moment, whoever does it: summaries, crawls asked for by hand, deletions."""

from dataclasses import dataclass

from django.db.models import Count, Q

from operations.models import CrawlJob, DataDeleteJob, DayState, RunState
from papers.models import SummaryState, SummaryStatus

# Of each kind so many are named; there are rarely more than a handful.
MOST_NAMED = 20


@dataclass(frozen=True)
class RunningCrawl:
    """A crawl job, and how many of its days are over."""

    job: CrawlJob
    days: int
    ended: int


@dataclass(frozen=True)
class RunningWork:
    """All that is in work, each kind the oldest first, and named up to a number."""

    summaries: list[SummaryStatus]
    crawls: list[RunningCrawl]
    deletions: list[DataDeleteJob]

    @property
    def is_none(self) -> bool:
        """Whether nothing is in work."""
        return not (self.summaries or self.crawls or self.deletions)


def running_work() -> RunningWork:
    """Return what is in work, by three queries."""
    return RunningWork(running_summaries(), running_crawls(), running_deletions())


def running_summaries() -> list[SummaryStatus]:
    """Return the papers that are being summarised."""
    rows = SummaryStatus.objects.filter(status=SummaryState.PROCESSING).select_related("paper")
    columns = ("status", "started_at", "owner", "paper__arxiv_id", "paper__title_en", "paper__title_zh")
    return list(rows.only(*columns).order_by("started_at", "id")[:MOST_NAMED])


def running_crawls() -> list[RunningCrawl]:
    """Return the crawl jobs that are not over, with their progress."""
    ended = Q(days__state__in=(DayState.SUCCESS, DayState.FAILED, DayState.SKIPPED))
    jobs = CrawlJob.objects.filter(status=RunState.RUNNING).order_by("id")
    counted = jobs.annotate(all_days=Count("days"), ended_days=Count("days", filter=ended))[:MOST_NAMED]
    return [RunningCrawl(job, job.all_days, job.ended_days) for job in counted]


def running_deletions() -> list[DataDeleteJob]:
    """Return the deletions that are not over."""
    return list(DataDeleteJob.objects.filter(status=RunState.RUNNING).order_by("id")[:MOST_NAMED])
