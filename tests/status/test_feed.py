"""The state of the feed, rule by rule, at a frozen moment."""

import datetime as dt

import pytest

from operations.feed import FeedCode, allowed_silence, feed_state, working_day_before
from operations.models import CrawlLog, DayListing, Heartbeat, Maintenance, RunState, Task
from papers.models import SummaryState
from tests.factories import make_paper

pytestmark = pytest.mark.django_db

# A Thursday, two hours after the default crawl of 09:00 in Shanghai (01:00 UTC).
NOW = dt.datetime(2026, 5, 14, 3, tzinfo=dt.UTC)
TODAY = NOW.date()
SATURDAY = NOW + dt.timedelta(days=2)
HOUR = dt.timedelta(hours=1)


def crawled(date=TODAY, at=NOW - HOUR, status=RunState.SUCCESS, papers=1):
    CrawlLog.objects.create(task=Task.CRAWL, status=status, date=date, started_at=at, completed_at=at)
    for number in range(papers):
        key = f"{date:%y%m}.{date:%d}{number:03}"
        DayListing.objects.create(date=date, entry_key=key, arxiv_id=key, first_seen_at=at)


def beat(at=NOW):
    Heartbeat.objects.update_or_create(name="worker", defaults={"beat_at": at})


def test_a_new_installation_waits():
    assert feed_state(NOW).code == FeedCode.WAITING
    assert feed_state(NOW).since is None


def test_today_with_papers_is_fresh_since_its_last_crawl():
    crawled()
    state = feed_state(NOW)
    assert (state.code, state.since) == (FeedCode.FRESH, NOW - HOUR)


def test_before_todays_crawl_yesterdays_site_waits():
    crawled(date=TODAY - dt.timedelta(days=1), at=NOW - 5 * HOUR)
    assert feed_state(NOW).code == FeedCode.WAITING


def test_a_working_day_asked_and_still_empty_waits():
    crawled(date=TODAY - dt.timedelta(days=1), at=NOW - 24 * HOUR)
    crawled(papers=0)
    assert feed_state(NOW).code == FeedCode.WAITING


def test_an_empty_weekend_is_quiet():
    crawled(date=SATURDAY.date(), at=SATURDAY - HOUR, papers=0)
    assert feed_state(SATURDAY).code == FeedCode.QUIET


def test_a_second_empty_working_day_is_a_quiet_holiday():
    crawled(date=TODAY - dt.timedelta(days=1), at=NOW - 24 * HOUR, papers=0)
    crawled(papers=0)
    assert feed_state(NOW).code == FeedCode.QUIET


def test_an_empty_monday_after_a_full_friday_waits():
    monday = dt.datetime(2026, 5, 18, 3, tzinfo=dt.UTC)
    crawled(date=dt.date(2026, 5, 15), at=monday - 72 * HOUR)
    crawled(date=dt.date(2026, 5, 17), at=monday - 24 * HOUR, papers=0)
    crawled(date=monday.date(), at=monday - HOUR, papers=0)
    assert feed_state(monday).code == FeedCode.WAITING


def test_papers_on_a_weekend_are_fresh():
    crawled(date=SATURDAY.date(), at=SATURDAY - HOUR)
    assert feed_state(SATURDAY).code == FeedCode.FRESH


def test_no_success_for_longer_than_the_schedule_allows_is_stalled():
    crawled(date=TODAY - dt.timedelta(days=1), at=NOW - 27 * HOUR)
    state = feed_state(NOW)
    assert (state.code, state.since) == (FeedCode.STALLED, NOW - 27 * HOUR)


def test_a_site_left_off_for_a_month_is_stalled():
    crawled(date=TODAY - dt.timedelta(days=30), at=NOW - dt.timedelta(days=30))
    assert feed_state(NOW).code == FeedCode.STALLED


@pytest.mark.parametrize("minutes, code", [(1, FeedCode.FRESH), (6, FeedCode.STALLED)])
def test_a_worker_that_stopped_beating_is_noticed(minutes, code):
    crawled()
    beat(NOW - dt.timedelta(minutes=minutes))
    assert feed_state(NOW).code == code


def test_a_failed_crawl_of_today_is_failed_until_one_succeeds():
    crawled(at=NOW - 2 * HOUR)
    crawled(at=NOW - HOUR, status=RunState.FAILED, papers=0)
    assert feed_state(NOW).code == FeedCode.FAILED
    crawled(at=NOW, papers=0)
    assert feed_state(NOW).code == FeedCode.FRESH


@pytest.mark.parametrize("days", [3650, -1])
def test_a_failed_crawl_of_a_day_no_schedule_asks_for_changes_nothing(days):
    crawled()
    crawled(date=TODAY - dt.timedelta(days=days), at=NOW, status=RunState.FAILED, papers=0)
    assert feed_state(NOW).code == FeedCode.FRESH


def test_a_backfill_of_old_days_hides_no_dead_schedule():
    crawled(date=TODAY - dt.timedelta(days=2), at=NOW - 50 * HOUR)
    for back in range(300, 420):
        crawled(date=TODAY - dt.timedelta(days=back), at=NOW - HOUR, papers=0)
    assert feed_state(NOW).code == FeedCode.STALLED


def test_a_running_crawl_is_no_answer_yet():
    crawled(at=NOW, status=RunState.RUNNING, papers=0)
    assert feed_state(NOW).code == FeedCode.WAITING


def test_summaries_that_stopped_while_papers_wait_are_noticed():
    crawled()
    beat()
    make_paper(crawled_at=NOW - 3 * HOUR)
    state = feed_state(NOW)
    assert (state.code, state.since) == (FeedCode.STALLED, NOW - 3 * HOUR)


@pytest.mark.parametrize(
    "papers",
    [
        [{"crawled_at": NOW - HOUR}],
        [{"crawled_at": NOW - 9 * HOUR, "status": {"next_attempt_at": NOW + HOUR}}],
        [
            {"crawled_at": NOW - 9 * HOUR},
            {"state": SummaryState.DONE, "status": {"completed_at": NOW - HOUR}},
        ],
        [
            {"crawled_at": NOW - 9 * HOUR},
            {
                "state": SummaryState.PROCESSING,
                "status": {"started_at": NOW - 3 * HOUR, "lease_until": NOW + HOUR},
            },
        ],
    ],
    ids=["just arrived", "not due", "one just ended", "one is being made"],
)
def test_papers_that_wait_for_a_good_reason_are_no_stall(papers):
    crawled()
    for paper in papers:
        make_paper(**paper)
    assert feed_state(NOW).code == FeedCode.FRESH


def test_a_used_up_daily_limit_is_no_stall(settings):
    crawled()
    make_paper(crawled_at=NOW - 9 * HOUR)
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"summary_daily_limit": 0})
    assert feed_state(NOW).code == FeedCode.FRESH


@pytest.mark.parametrize(
    "cron, hours", [("0 9 * * *", 26), ("0 */2 * * *", 26), ("0 9 * * 1", 7 * 24 + 2), ("0 9 * * 1-5", 26)]
)
def test_the_schedule_says_how_long_silence_may_last(settings, cron, hours):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"crawl_cron": cron})
    assert allowed_silence(NOW) == hours * HOUR


def test_a_schedule_of_working_days_may_be_silent_over_the_weekend(settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"crawl_cron": "0 9 * * 1-5"})
    assert allowed_silence(SATURDAY) == 74 * HOUR


def test_the_working_day_before_monday_is_friday():
    assert working_day_before(dt.date(2026, 5, 18)) == dt.date(2026, 5, 15)


def test_the_state_is_asked_by_a_bounded_number_of_queries(django_assert_max_num_queries):
    crawled(papers=50)
    beat()
    for _ in range(20):
        make_paper(crawled_at=NOW - 9 * HOUR)
    with django_assert_max_num_queries(9):
        feed_state(NOW)


# ---------------------------------------------------------------- during maintenance


def hold(since=NOW - 3 * HOUR):
    Maintenance.objects.create(reason="secret reason", since=since, switched_by="alice")


def held(state) -> bool:
    return (state.code, state.since) == (FeedCode.WAITING, NOW - 3 * HOUR) and "维护" in state.detail


def test_crawls_that_maintenance_holds_are_not_stalled():
    crawled(date=TODAY - dt.timedelta(days=2), at=NOW - 50 * HOUR)
    beat()
    assert feed_state(NOW).code == FeedCode.STALLED
    hold()
    assert held(feed_state(NOW))


def test_summaries_that_maintenance_holds_are_not_stalled():
    crawled(at=NOW - 4 * HOUR)
    make_paper(crawled_at=NOW - 4 * HOUR)
    assert feed_state(NOW).code == FeedCode.STALLED
    hold()
    assert held(feed_state(NOW))


def test_a_day_that_waits_for_its_crawl_says_that_it_is_held():
    crawled(date=TODAY - dt.timedelta(days=1), at=NOW - 24 * HOUR)
    hold()
    assert held(feed_state(NOW))


def test_a_day_fetched_before_maintenance_is_fresh():
    crawled()
    hold()
    assert feed_state(NOW).code == FeedCode.FRESH


def test_a_worker_that_is_silent_during_maintenance_is_no_more_held_than_at_other_times():
    crawled()
    beat(NOW - HOUR)
    hold()
    assert feed_state(NOW).code == FeedCode.STALLED
