"""The ways from a day to others: the strip, the calendar, the day before and after."""

import datetime as dt
import re

import pytest

from papers.pages.day_calendar import NEAR_DAYS, STRIP_DAYS, month_of, parse_month, place_of
from papers.queries.days import days_after, days_up_to
from tests.factories import DAY, make_paper

pytestmark = pytest.mark.django_db

WEEKDAYS = [dt.date(2026, 5, 1) + dt.timedelta(days=number) for number in range(61)]
WEEKDAYS = [day for day in WEEKDAYS if day.weekday() < 5]


@pytest.fixture
def two_months() -> list[dt.date]:
    """The working days of May and June, each with as many papers as its number says; without 28 May and 10 June."""
    days = [day for day in WEEKDAYS if day not in (dt.date(2026, 5, 28), dt.date(2026, 6, 10))]
    for day in days:
        make_paper(paper_date=day)
    make_paper(paper_date=DAY)
    return days


def strip_dates(day: dt.date) -> list[dt.date]:
    return [near.date for near in place_of(day).strip]


def test_the_strip_has_the_days_with_papers_round_the_one_shown(two_months):
    dates = strip_dates(DAY)
    assert len(dates) == STRIP_DAYS and DAY in dates
    assert dates == [day for day in two_months if dates[0] <= day <= dates[-1]]
    assert dates[0] < DAY < dates[-1]


@pytest.mark.parametrize("place", [0, 1, -2, -1])
def test_the_strip_is_as_long_at_the_ends(two_months, place):
    shown = two_months[place]
    assert len(strip_dates(shown)) == STRIP_DAYS
    near = [day for day in place_of(shown).strip if day.is_near]
    assert len(near) == NEAR_DAYS and any(day.is_shown for day in near)


def test_the_strip_counts_the_papers_and_marks_the_day(client, two_months):
    page = client.get(f"/day/{DAY}/").content.decode()
    shown = re.search(r'<a class="day-strip__day" href="([^"]+)" aria-current="date">(.*?)</a>', page, re.DOTALL)
    assert shown and shown[1] == f"/day/{DAY}/"
    assert re.sub(r"<[^>]+>", "", shown[2]).split() == ["周五", "6/5", "2", "篇"]


def test_an_empty_day_stands_in_its_own_strip_and_in_no_other(two_months):
    empty = dt.date(2026, 6, 10)
    assert [day.papers for day in place_of(empty).strip if day.is_shown] == [0]
    assert empty not in strip_dates(empty + dt.timedelta(days=1))


def test_the_days_before_and_after_skip_empty_ones(client, two_months):
    place = place_of(dt.date(2026, 6, 9))
    assert (place.earlier, place.later) == (dt.date(2026, 6, 8), dt.date(2026, 6, 11))
    page = client.get("/day/2026-06-09/").content.decode()
    assert re.search(r'rel="prev" href="/day/2026-06-08/"', page)
    assert re.search(r'rel="next" href="/day/2026-06-11/"', page)


def test_the_newest_day_has_none_after_it(client, two_months):
    page = client.get(f"/day/{two_months[-1]}/").content.decode()
    assert place_of(two_months[-1]).later is None and not re.search(r'rel="next" href="/day/2', page)


def test_a_month_tells_days_with_papers_from_empty_ones(client, two_months):
    page = client.get("/day/?month=2026-06").content.decode()
    assert re.search(r'<a class="month__day" href="/day/2026-06-05/">5 <span class="month__papers">2<', page)
    assert '<span class="month__day">10</span>' in page and '<span class="month__day">6</span>' in page
    assert page.count('class="month__day"') == 30


def test_a_month_on_its_own_page_is_named_by_the_heading_alone(client, two_months):
    page = client.get("/day/?month=2026-06").content.decode()
    shown = re.sub(r'<caption.*?</caption>|aria-label="[^"]*"|<title>.*?</title>|<meta [^>]*>', "", page)
    assert shown.count("2026年6月") == 1 and "← 2026年5月" in shown
    assert client.get(f"/day/{two_months[0]}/").content.decode().count('class="month__name"') == 1


def test_a_month_begins_on_monday(two_months):
    weeks = month_of(dt.date(2026, 5, 1)).weeks
    assert [day and day.date.day for day in weeks[0]] == [None, None, None, None, 1, 2, 3]
    assert weeks[-1][-1] and weeks[-1][-1].date == dt.date(2026, 5, 31)


def test_the_calendar_of_a_day_is_that_of_its_month(two_months):
    month = place_of(DAY).month
    counts = {day.date: day.papers for week in month.weeks for day in week if day}
    assert len(counts) == 30 and counts[DAY] == 2 and counts[dt.date(2026, 6, 10)] == 0
    assert (month.earlier, month.later) == (dt.date(2026, 5, 29), None)


def test_months_lead_to_the_nearest_with_papers(client, two_months):
    make_paper(paper_date=dt.date(2025, 11, 3))
    page = client.get("/day/?month=2026-05").content.decode()
    assert "?month=2025-11" in page and "?month=2026-06" in page


def test_an_empty_month_says_so_and_where_to_go(client, two_months):
    page = client.get("/day/?month=2026-09").content.decode()
    assert "这个月没有论文" in page and 'href="/day/?month=2026-06">看 2026年6月</a>' in page


@pytest.mark.parametrize(
    "month", ["2026-13", "2026-6", "202606", "0000-01", "2026-06-05", "x", "２０２６-06", "9" * 999]
)
def test_what_is_no_month_is_not_found(client, month):
    assert client.get("/day/", {"month": month}).status_code == 404


@pytest.mark.parametrize("month", ["0001-01", "9999-12"])
def test_months_far_off_are_months(client, month):
    make_paper()
    assert client.get("/day/", {"month": month}).status_code == 200
    assert client.get(f"/day/{month}-01/").status_code == 200
    assert client.get(f"/day/{month}-31/").status_code == 200
    assert parse_month(month).day == 1


def test_a_month_has_one_address(client):
    assert client.get("/day/?utm=1&month=2026-06").headers["Location"] == "/day/?month=2026-06"
    assert client.get("/day/?month=2026%2D06").headers["Location"] == "/day/?month=2026-06"


def test_no_more_is_read_than_the_days_that_are_shown(two_months, django_assert_num_queries):
    with django_assert_num_queries(2):
        place_of(DAY)
    assert [count.date for count in days_up_to(DAY, 3)] == [DAY, dt.date(2026, 6, 4), dt.date(2026, 6, 3)]
    assert [count.date for count in days_after(DAY, 1)] == [dt.date(2026, 6, 8)]
