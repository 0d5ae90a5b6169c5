"""Which days should be asked for, and when: a day's list grows for a while, and no day may be lost in silence."""

import datetime as dt

from django.conf import settings
from django.utils import timezone

from operations.logs import WAITS
from operations.models import CrawlLog, RunState, Task

# How far back a gap left by a long stop of the site is filled by itself.
LONGEST_GAP = dt.timedelta(days=60)
# A list gets late entries on the following days too; the daily refresh takes over after that.
GROWING_DAYS = 2
# How often the schedule asks for them.
GROWING_EVERY = dt.timedelta(hours=2)


def utc_today() -> dt.date:
    """Return the day it is by UTC, as Hugging Face counts."""
    return timezone.now().astimezone(dt.UTC).date()


def is_growing(date: dt.date) -> bool:
    """Tell whether a day should be asked for again soon.

    It should until a crawl that began after the day was over has found nothing new.
    """
    last = CrawlLog.objects.filter(task=Task.CRAWL, date=date).exclude(status=RunState.RUNNING).order_by("-id").first()
    if last is None or last.status == RunState.FAILED:
        return True
    over = dt.datetime.combine(date + dt.timedelta(days=1), dt.time(), dt.UTC)
    return last.started_at < over or bool(last.papers_new)


def growing_days(today: dt.date) -> list[dt.date]:
    """Return the newest days that are still growing, newest first."""
    days = [today - dt.timedelta(days=back) for back in range(GROWING_DAYS)]
    return [day for day in days if is_growing(day)]


def days_to_refresh(today: dt.date) -> list[dt.date]:
    """Return the days that are asked for again once a day, newest first: the last ones, and any gap before them."""
    recent = [today - dt.timedelta(days=back) for back in range(1, settings.PAPERSITE.refresh_days + 1)]
    return recent + gap_before(today - dt.timedelta(days=settings.PAPERSITE.refresh_days))


def gap_before(first: dt.date) -> list[dt.date]:
    """Return the days before `first` that lie between fetched ones and were never fetched, newest first.

    They are left when the site was down for longer than the refresh reaches back.
    """
    dates = CrawlLog.objects.filter(
        task=Task.CRAWL, status=RunState.SUCCESS, date__lt=first, date__gte=first - LONGEST_GAP
    ).values_list("date", flat=True)
    fetched = {date for date in dates if date}
    if not fetched:
        return []
    oldest = min(fetched)
    days = (first - dt.timedelta(days=back) for back in range(1, (first - oldest).days))
    return [day for day in days if day not in fetched]


def missed_days(today: dt.date, *, due: dt.datetime, held_since: dt.datetime) -> list[dt.date]:
    """Return the days that should have been crawled while the work was held since `held_since`, newest first.

    `due` is when the daily crawl was due last: of its days those are missing that no crawl was begun for since. It may
    have been cut off by the hold half-way, or not have begun at all. Days that grow are asked for as often as always.
    """
    wanted = [today, *days_to_refresh(today)]
    begun = CrawlLog.objects.filter(task=Task.CRAWL, started_at__gte=due, date__in=wanted).exclude(WAITS)
    fetched = set(begun.values_list("date", flat=True))
    is_missing = due >= held_since or bool(fetched)
    dates = [day for day in wanted if day not in fetched] if is_missing else []
    if timezone.now() - held_since >= GROWING_EVERY:
        dates += [day for day in growing_days(today) if day not in dates]
    return dates
