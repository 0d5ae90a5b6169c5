"""The site's figures for Prometheus, looked up anew for each scrape: several processes serve, and none counts alone."""

from functools import lru_cache

from django.db.models import Count, QuerySet, Value
from django.db.models.functions import Coalesce
from django.utils import timezone
from django_q.models import Failure, OrmQ
from prometheus_client import CollectorRegistry, Gauge, generate_latest

from operations import maintenance
from operations.health import Health, site_health
from operations.models import CrawlLog, RunState
from operations.pauses import Cause, active_pauses
from papers.content import content_version
from papers.models import ErrorType, SummaryQuality, SummaryState, SummaryStatus
from papers.queries.totals import Totals, totals

# A queue, or its list of failures, that is longer is told as so long.
MOST_COUNTED = 1000


def metrics_text() -> bytes:
    """Return all figures in Prometheus' text form; without a database only those that need none.

    Times are Unix seconds, sizes bytes. What never happened has no line.
    """
    registry = CollectorRegistry()
    health = site_health()
    _add_health(registry, health)
    if health.is_up:
        _add_library(registry)
        _add_work(registry, health)
    return generate_latest(registry)


def _gauge(registry: CollectorRegistry, name: str, help_text: str, value: float | None) -> None:
    if value is not None:
        Gauge(f"papersite_{name}", help_text, registry=registry).set(value)


def _gauges(registry: CollectorRegistry, name: str, help_text: str, label: str, values: dict[str, int]) -> None:
    gauge = Gauge(f"papersite_{name}", help_text, [label], registry=registry)
    for key, value in values.items():
        gauge.labels(key).set(value)


def _add_health(registry: CollectorRegistry, health: Health) -> None:
    checks = {check.name: int(check.ok) for check in health.checks}
    details = health.details
    _gauges(registry, "up", "Whether a part of the site is well, as GET health tells.", "part", checks)
    _gauge(registry, "database_size_bytes", "Size of the database with its log.", details.database_bytes)
    _gauge(registry, "disk_free_bytes", "Room left on the disk that holds the data.", details.disk_free)
    _gauge(registry, "disk_size_bytes", "Size of the disk that holds the data.", details.disk_total)


def _add_library(registry: CollectorRegistry) -> None:
    found = _totals()
    states = dict.fromkeys(SummaryState.values, 0) | found.states
    qualities = dict.fromkeys(SummaryQuality.values, 0) | found.qualities
    _gauge(registry, "papers", "Papers that are stored.", found.papers)
    _gauge(registry, "days", "Days that have papers.", found.days)
    _gauges(registry, "summaries", "Papers by the state of their summary.", "status", states)
    _gauges(registry, "summary_quality", "Papers by the grade of their summary.", "quality", qualities)


def _add_work(registry: CollectorRegistry, health: Health) -> None:
    details, now = health.details, timezone.now()
    paused = dict.fromkeys(Cause.values, 0) | {pause.cause: 1 for pause in active_pauses(now)}
    _gauges(registry, "paused", "Whether summaries are paused for a cause.", "cause", paused)
    _gauge(registry, "maintenance", "Whether all work is held for maintenance.", int(maintenance.current() is not None))
    _gauges(registry, "permanent_failures", "Summaries given up, by type of error.", "error_type", _failures())
    for name, help_text, log in (
        ("last_crawl", "When the last crawl that ended began.", details.last_crawl),
        ("last_successful_crawl", "When the last crawl that went well began.", details.last_successful_crawl),
    ):
        _gauge(registry, f"{name}_timestamp_seconds", help_text, log.started_at.timestamp() if log else None)
    beat = details.last_beat.timestamp() if details.last_beat else None
    _gauge(registry, "worker_last_beat_timestamp_seconds", "When a worker last showed itself.", beat)
    due = details.queue.due_since.timestamp() if details.queue and details.queue.due_since else None
    _gauge(registry, "queue_due_timestamp_seconds", "Since when the summary that waits longest is due.", due)
    _gauge(registry, "queue_tasks", "Wake-ups that wait for a worker, up to 1000.", _bounded(OrmQ.objects.all()))
    _gauge(registry, "queue_failures", "Wake-ups that failed, of a week, up to 1000.", _bounded(Failure.objects.all()))
    running = _bounded(CrawlLog.objects.filter(status=RunState.RUNNING))
    _gauge(registry, "running_logs", "Pieces of work that run or wait, up to 1000.", running)


def _failures() -> dict[str, int]:
    failed = SummaryStatus.objects.filter(status=SummaryState.PERMANENT_FAILURE)
    kinds = failed.values_list(Coalesce("error_type", Value(ErrorType.UNKNOWN.value))).annotate(count=Count("id"))
    return dict.fromkeys(ErrorType.values, 0) | dict(kinds)


def _bounded(rows: QuerySet) -> int:
    return rows.order_by()[:MOST_COUNTED].count()


def _totals() -> Totals:
    """Return the totals, counted anew only after something changed: they walk whole indexes."""
    version = content_version()
    return totals() if version is None else _totals_at(version)


@lru_cache(maxsize=1)
def _totals_at(_version: int) -> Totals:
    return totals()
