"""The page of the schedules, for each role."""

import pytest
from django_q.models import OrmQ, Schedule
from playwright.sync_api import expect

from operations.schedules import DAILY_CRAWL, ensure_schedules
from tests.browser.looking import no_wider_than_screen
from tests.browser.working import run_queue


@pytest.fixture
def schedules(site) -> str:
    """The address of the page, of an installation that was started once."""
    ensure_schedules()
    return f"{site}/admin/schedules/"


def daily_crawl(page):
    return page.get_by_role("region", name="每天的抓取")


@pytest.mark.parametrize("javascript", [True, False], ids=["with", "without"])
def test_an_operator_looks_at_a_new_time_saves_it_and_takes_it_back(page_as, schedules, javascript):
    page = page_as("operator", width=390, javascript=javascript)
    page.goto(schedules)
    no_wider_than_screen(page)
    daily_crawl(page).get_by_label("新的时间").fill("15 7 * * *")
    daily_crawl(page).get_by_role("button", name="看看接下来三次").click()
    expect(daily_crawl(page).get_by_text("保存后接下来三次")).to_contain_text("07:15")
    assert Schedule.objects.get(name=DAILY_CRAWL).cron == "0 9 * * *"
    daily_crawl(page).get_by_role("button", name="保存").click()
    expect(page.get_by_text("已保存。下一次：")).to_contain_text("07:15")
    expect(daily_crawl(page).get_by_text("operator 于")).to_be_visible()
    assert Schedule.objects.get(name=DAILY_CRAWL).cron == "15 7 * * *"
    daily_crawl(page).get_by_role("button", name="恢复默认时间").click()
    expect(page.get_by_text("已恢复默认时间")).to_be_visible()
    assert Schedule.objects.get(name=DAILY_CRAWL).cron == "0 9 * * *"


def test_a_bad_time_is_refused_in_plain_words(page_as, schedules):
    page = page_as("operator")
    page.goto(schedules)
    daily_crawl(page).get_by_label("新的时间").fill("0 9 30 2 *")
    daily_crawl(page).get_by_role("button", name="保存").click()
    expect(daily_crawl(page).get_by_text("要有五段")).to_be_visible()
    expect(daily_crawl(page).get_by_label("新的时间")).to_have_value("0 9 30 2 *")


def test_work_is_run_at_once(page_as, schedules):
    page = page_as("owner", dark=True)
    page.goto(schedules)
    page.get_by_role("region", name="每天的清理和测量").get_by_role("button", name="现在运行一次").click()
    expect(page.get_by_text("已交给后台任务")).to_be_visible()
    assert OrmQ.objects.count() == 1
    assert run_queue() == 1


def test_an_auditor_reads_and_changes_nothing(page_as, schedules):
    page = page_as("auditor")
    page.goto(schedules)
    expect(daily_crawl(page)).to_contain_text("09:00")
    assert page.get_by_role("main").get_by_role("button").count() == 0


def test_an_editor_has_no_business_here(page_as, schedules):
    assert page_as("editor").goto(schedules).status == 403
