"""Which days are asked for again."""

import datetime as dt

import pytest
from django.utils import timezone

from operations import calendar
from operations.models import CrawlLog

pytestmark = pytest.mark.django_db

TODAY = dt.date(2026, 6, 10)


def crawled(day: dt.date, *, status="success", new=0, at: dt.datetime | None = None):
    at = at or dt.datetime.combine(day + dt.timedelta(days=1), dt.time(5), dt.UTC)
    CrawlLog.objects.create(task="crawl", status=status, date=day, papers_found=new, papers_new=new, started_at=at)


def days(*numbers):
    return [dt.date(2026, 6, number) for number in numbers]


def test_a_day_grows_until_a_crawl_after_its_end_finds_nothing_new():
    day = dt.date(2026, 6, 9)
    assert calendar.is_growing(day)
    crawled(day, new=0, at=dt.datetime(2026, 6, 9, 12, tzinfo=dt.UTC))
    assert calendar.is_growing(day)
    crawled(day, new=3)
    assert calendar.is_growing(day)
    crawled(day, status="failed")
    assert calendar.is_growing(day)
    crawled(day, new=0)
    assert not calendar.is_growing(day)


def test_today_and_yesterday_are_asked_for_while_they_grow():
    assert calendar.growing_days(TODAY) == days(10, 9)
    crawled(dt.date(2026, 6, 9))
    assert calendar.growing_days(TODAY) == days(10)


def test_the_last_days_are_refreshed(settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"refresh_days": 3})
    assert calendar.days_to_refresh(TODAY) == days(9, 8, 7)


def test_days_missed_during_a_long_stop_are_made_up_for(settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"refresh_days": 2})
    crawled(dt.date(2026, 6, 3))
    crawled(dt.date(2026, 6, 5))
    crawled(dt.date(2026, 6, 6), status="failed")
    assert calendar.days_to_refresh(TODAY) == days(9, 8, 7, 6, 4)


def test_a_new_installation_does_not_reach_far_back(settings):
    assert len(calendar.days_to_refresh(TODAY)) == settings.PAPERSITE.refresh_days
    crawled(TODAY - dt.timedelta(days=200))
    assert len(calendar.days_to_refresh(TODAY)) == settings.PAPERSITE.refresh_days


def test_today_is_by_utc(monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: dt.datetime(2026, 6, 9, 23, 30, tzinfo=dt.UTC))
    assert calendar.utc_today() == dt.date(2026, 6, 9)
