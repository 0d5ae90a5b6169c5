"""The account of each day adds up, and says so when it does not."""

import datetime

import pytest
from django.utils import timezone

from operations.day_accounts import DayAccount, Reason, day_accounts, known_days
from operations.models import DayListing, DeletedPaper
from papers.models import ErrorType, Paper, SummaryState, SummaryStatus

pytestmark = pytest.mark.django_db

DAY = datetime.date(2026, 5, 14)
BEFORE = datetime.date(2026, 5, 13)


def listed(arxiv_id, date=DAY, reason=None):
    return DayListing.objects.create(
        date=date, entry_key=arxiv_id, arxiv_id=arxiv_id, skipped_reason=reason, first_seen_at=timezone.now()
    )


def stored(arxiv_id, date=DAY, state=SummaryState.DONE, error_type=None):
    paper = Paper.objects.create(arxiv_id=arxiv_id, title_en="T", paper_date=date, crawled_at=timezone.now())
    if state:
        SummaryStatus.objects.create(paper=paper, status=state, error_type=error_type)
    return paper


def account(date=DAY) -> DayAccount:
    return day_accounts([date])[0]


def test_a_day_without_listings_is_an_empty_account_that_adds_up():
    assert account() == DayAccount(date=DAY)
    assert account().adds_up
    assert account().is_empty


def test_each_fate_of_a_listed_paper_is_counted_once():
    for number, state in enumerate(SummaryState.values):
        listed(f"2605.0000{number}")
        stored(f"2605.0000{number}", state=state, error_type="timeout" if "fail" in state else None)
    listed("2605.00010")
    stored("2605.00010", date=BEFORE)
    listed("2605.00011", reason="no title")
    listed("2605.00012")
    DeletedPaper.objects.create(arxiv_id="2605.00012", paper_date=DAY, deleted_at=timezone.now())
    stored("2605.00013", state=SummaryState.PENDING)

    day = account()
    assert (day.listed, day.stored, day.earlier, day.skipped, day.deleted, day.missing) == (8, 5, 1, 1, 1, 0)
    assert (day.done, day.waiting, day.processing, day.failed, day.permanent) == (1, 1, 1, 1, 1)
    assert day.by_hand == 1
    assert day.failures == (Reason("timeout", 2),)
    assert day.skips == (Reason("no title", 1),)
    assert day.adds_up


def test_a_listed_paper_without_a_trace_is_missing():
    listed("2605.00001")
    assert account().missing == 1
    assert not account().adds_up


def test_a_paper_filed_under_a_later_day_than_one_that_listed_it_is_missing_there():
    listed("2605.00001", date=BEFORE)
    listed("2605.00001", date=DAY)
    stored("2605.00001", date=DAY)
    assert account(BEFORE).missing == 1
    assert account(DAY).stored == 1


def test_a_stored_paper_without_a_status_does_not_add_up():
    listed("2605.00001")
    stored("2605.00001", state=None)
    assert account().without_status == 1
    assert not account().adds_up


def test_a_deleted_paper_that_came_back_is_stored():
    listed("2605.00001")
    DeletedPaper.objects.create(arxiv_id="2605.00001", paper_date=DAY, deleted_at=timezone.now())
    stored("2605.00001")
    assert (account().stored, account().deleted) == (1, 0)


def test_a_paper_listed_twice_is_stored_once_and_earlier_once():
    listed("2605.00001", date=BEFORE)
    listed("2605.00001", date=DAY)
    stored("2605.00001", date=BEFORE)
    assert (account(BEFORE).stored, account(DAY).earlier) == (1, 1)
    assert account(DAY).by_hand == account(BEFORE).by_hand == 0


def test_an_entry_without_any_id_is_skipped_with_its_reason():
    DayListing.objects.create(date=DAY, entry_key="f" * 64, skipped_reason="no id", first_seen_at=timezone.now())
    assert account().skips == (Reason("no id", 1),)
    assert account().adds_up


def test_a_failure_without_an_error_type_is_unknown():
    listed("2605.00001")
    stored("2605.00001", state=SummaryState.PERMANENT_FAILURE)
    assert account().failures == (Reason(ErrorType.UNKNOWN, 1),)


def test_accounts_come_in_the_order_asked_by_two_queries_for_any_number_of_days(django_assert_num_queries):
    days = [DAY - datetime.timedelta(days=number) for number in range(2000)]
    listed("2605.00001")
    listed("2605.00002", date=days[1500])
    with django_assert_num_queries(2):
        accounts = day_accounts(days)
    assert [one.date for one in accounts] == days
    assert [one.date for one in accounts if one.listed] == [DAY, days[1500]]


def test_no_days_ask_nothing(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert day_accounts([]) == []


def test_known_days_are_those_listed_or_stored():
    listed("2605.00001")
    stored("2605.00002", date=BEFORE)
    assert known_days() == [DAY, BEFORE]
