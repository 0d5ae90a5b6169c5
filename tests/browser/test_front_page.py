"""The first page, for each role, at a desk and on a phone."""

import datetime as dt

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from operations.models import CrawlJob, CrawlLog, DayListing, Heartbeat, RunState, Task
from operations.schedules import ensure_schedules
from papers.models import ErrorType, SummaryState
from tests.browser.looking import no_wider_than_screen
from tests.factories import make_paper


def today() -> dt.date:
    return timezone.now().astimezone(dt.UTC).date()


@pytest.fixture
def trouble(site):
    """A day whose crawl failed, an account that does not add up, a paper that failed for good, one in work."""
    now = timezone.now()
    ensure_schedules()
    Heartbeat.objects.create(name="worker", beat_at=now)
    CrawlLog.objects.create(
        task=Task.CRAWL, status=RunState.FAILED, date=today(), started_at=now, completed_at=now, error="HTTP 503 " * 30
    )
    DayListing.objects.create(date=today(), entry_key="x", arxiv_id="2605.00001", first_seen_at=now)
    make_paper(state=SummaryState.PERMANENT_FAILURE, status={"error_type": ErrorType.TIMEOUT})
    make_paper(state=SummaryState.PROCESSING, status={"started_at": now, "owner": "x"})


def test_an_operator_crawls_a_failed_day_again_from_here(page_as, site, trouble):
    page = page_as("operator")
    page.goto(f"{site}/admin/")
    need = page.get_by_role("listitem").filter(has_text="最近一次抓取失败")
    expect(need).to_contain_text("HTTP 503")
    need.get_by_role("button", name="重新抓取").click()
    expect(page.get_by_text("已安排抓取")).to_be_visible()
    assert list(CrawlJob.objects.get().days.values_list("date", flat=True)) == [today()]


def test_a_day_that_does_not_add_up_is_crawled_again_from_its_line(page_as, site, trouble):
    page = page_as("owner", width=390, dark=True)
    page.goto(f"{site}/admin/")
    no_wider_than_screen(page)
    page.get_by_role("button", name=f"重新抓取 {today()}").click()
    expect(page.get_by_text("已安排抓取")).to_be_visible()
    assert CrawlJob.objects.count() == 1


def test_an_operator_follows_a_need_to_the_failures(page_as, site, trouble):
    page = page_as("operator", javascript=False)
    page.goto(f"{site}/admin/")
    page.get_by_role("listitem").filter(has_text="永久失败").get_by_role("link", name="查看失败").click()
    expect(page).to_have_url(f"{site}/admin/failures/")


@pytest.mark.parametrize(("role", "width", "dark"), [
    ("operator", 390, False), ("operator", 1440, True), ("editor", 390, True), ("auditor", 390, False),
])  # fmt: skip
def test_the_page_fits_and_shows_to_each_what_is_theirs(page_as, site, trouble, role, width, dark):
    page = page_as(role, width=width, dark=dark)
    page.goto(f"{site}/admin/")
    no_wider_than_screen(page)
    needs = page.get_by_role("region", name="需要处理")
    expect(needs).to_contain_text("1 篇论文永久失败")
    assert needs.get_by_role("button").count() == (2 if role == "operator" else 0)
    assert page.get_by_role("region", name="每日更新").count() == (0 if role == "editor" else 1)


def test_a_calm_day_is_said_calmly(page_as, site):
    ensure_schedules()
    page = page_as("operator")
    page.goto(f"{site}/admin/")
    expect(page.get_by_text("一切正常，没有需要处理的事。")).to_be_visible()
