"""What a crawl by hand says it would do."""

import datetime as dt

import pytest
from django.utils import timezone

from operations.crawl_jobs import start_crawl
from operations.crawl_plan import FIRST_DAY, MOST_DAYS, BadDates, DateProblem, plan_crawl
from operations.locks import hold
from operations.models import CrawlJob, CrawlLog, DayListing, DeletedPaper, RunState, Task
from tests.factories import DAY, make_paper

pytestmark = pytest.mark.django_db
NOW = timezone.now()
NEXT = DAY + dt.timedelta(days=1)
AFTER = DAY + dt.timedelta(days=2)
ONE = dt.timedelta(days=1)


def crawled(date, status=RunState.SUCCESS):
    CrawlLog.objects.create(task=Task.CRAWL, status=status, date=date, started_at=NOW, completed_at=NOW)


def listed(date, *arxiv_ids):
    for arxiv_id in arxiv_ids:
        DayListing.objects.create(date=date, entry_key=arxiv_id, arxiv_id=arxiv_id, first_seen_at=NOW)


def test_each_day_says_what_is_known_of_it():
    make_paper(paper_date=DAY)
    make_paper(paper_date=DAY)
    crawled(DAY)
    crawled(NEXT, RunState.FAILED)
    plan = plan_crawl(DAY, AFTER)
    assert plan.dates == [DAY, NEXT, AFTER]
    assert [(day.papers, day.crawled_at) for day in plan.days] == [(2, NOW), (0, None), (0, None)]
    assert (plan.papers, plan.crawled, plan.never_crawled) == (2, 1, 2)


def test_days_in_work_and_days_that_wait_already_are_told():
    start_crawl([AFTER], by=None)
    with hold(Task.CRAWL, NEXT.isoformat()):
        plan = plan_crawl(DAY, AFTER)
    assert (plan.running, plan.waiting) == (1, 1)
    assert plan.days[1].is_running and plan.days[2].is_waiting


def test_papers_that_would_come_back_are_counted_on_their_day():
    DeletedPaper.objects.create(arxiv_id="2606.1", paper_date=DAY, deleted_at=NOW)
    listed(DAY, "2606.1", "2606.2")
    listed(DAY - ONE, "2606.1")
    plan = plan_crawl(DAY, NEXT)
    assert [day.deleted for day in plan.days] == [1, 0]
    assert plan.deleted == 1


def test_a_plan_begins_nothing():
    plan_crawl(DAY, AFTER)
    assert not CrawlJob.objects.exists() and not CrawlLog.objects.exists()


def test_the_longest_range_costs_the_same_few_queries(django_assert_num_queries):
    # papers, deleted, crawls, locks, waiting days
    with django_assert_num_queries(5):
        assert len(plan_crawl(DAY - (MOST_DAYS - 1) * ONE, DAY).days) == MOST_DAYS


@pytest.mark.parametrize(
    ("first", "last", "problem"),
    [
        (NEXT, DAY, DateProblem.REVERSED),
        (DAY, dt.date(2100, 1, 1), DateProblem.FUTURE),
        (FIRST_DAY - ONE, FIRST_DAY, DateProblem.TOO_EARLY),
        (dt.date.min, dt.date.max, DateProblem.FUTURE),
        (DAY - MOST_DAYS * ONE, DAY, DateProblem.TOO_MANY),
    ],
    ids=["reversed", "future", "too early", "all time", "too many"],
)
def test_a_range_that_makes_no_sense_is_refused(first, last, problem):
    with pytest.raises(BadDates) as caught:
        plan_crawl(first, last)
    assert caught.value.problem == problem
    assert str(caught.value)


def test_today_by_utc_is_the_last_day_there_is(monkeypatch):
    monkeypatch.setattr("operations.crawl_plan.utc_today", lambda: DAY)
    assert plan_crawl(DAY, DAY).dates == [DAY]
    with pytest.raises(BadDates):
        plan_crawl(NEXT, NEXT)
