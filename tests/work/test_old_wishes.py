"""What people asked for by hand is kept for a while after it ended, and for ever while it waits."""

import datetime as dt

import pytest
from django.utils import timezone

from operations.housekeeping import KEEP_WISHES, prune
from operations.models import ArxivRequest, CrawlJob, CrawlJobDay

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]

NOW = timezone.now()
LONG_AGO = NOW - KEEP_WISHES - dt.timedelta(hours=1)


def make_job(status: str, completed_at: dt.datetime | None) -> CrawlJob:
    job = CrawlJob.objects.create(status=status, started_at=LONG_AGO, completed_at=completed_at)
    CrawlJobDay.objects.create(job=job, date=dt.date(2026, 6, 1))
    return job


def test_crawl_jobs_go_with_their_days_long_after_their_end():
    make_job("failed", LONG_AGO)
    kept = {make_job("success", NOW), make_job("running", None)}
    assert "1 crawl jobs" in prune()
    assert set(CrawlJob.objects.all()) == kept
    assert CrawlJobDay.objects.count() == 2


def test_questions_go_long_after_their_answer_and_never_before_it():
    for number, (state, completed_at) in enumerate([("done", LONG_AGO), ("failed", NOW), ("waiting", None)]):
        ArxivRequest.objects.create(
            arxiv_id=f"2606.{number:05}", kind="add", state=state, requested_at=LONG_AGO, completed_at=completed_at
        )
    assert "1 questions to arXiv" in prune()
    assert set(ArxivRequest.objects.values_list("state", flat=True)) == {"failed", "waiting"}
