"""Locks, logs and the log of who did what, in a browser."""

import datetime as dt

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from operations import owners
from operations.logs import start_log
from operations.models import CrawlLog, RunState, Task, TaskLock
from tests.browser.looking import no_wider_than_screen
from tests.other_owners import in_another_container, of_another_boot


def held_by(owner: str, log: CrawlLog | None = None) -> TaskLock:
    since = timezone.now() - dt.timedelta(minutes=3)
    return TaskLock.objects.create(
        task="crawl", lock_key="2026-06-05", status="running", owner=owner, acquired_at=since, log=log
    )


def open_release(page: Page, site: str) -> None:
    page.goto(f"{site}/admin/operations/tasklock/")
    page.get_by_role("link", name="释放……").click()


def test_an_operator_releases_a_dead_owners_lock_with_a_reason(page_as, site):
    log = start_log(Task.CRAWL)
    held_by(of_another_boot(), log)
    page = page_as("operator", width=390)
    page.goto(f"{site}/admin/operations/tasklock/")
    expect(page.get_by_text("old-host 上的进程 4242").first).to_be_visible()
    expect(page.get_by_text("已不在").first).to_be_visible()
    no_wider_than_screen(page)
    page.get_by_role("link", name="释放……").click()
    no_wider_than_screen(page)
    page.get_by_role("button", name="释放").click()  # the browser asks for the reason
    expect(page.get_by_label("原因")).to_be_focused()
    page.get_by_label("原因").fill("机器断电重启")
    page.get_by_role("button", name="释放").click()
    expect(page.get_by_text("锁已释放")).to_be_visible()
    log.refresh_from_db()
    assert log.status == RunState.FAILED
    assert "operator: 机器断电重启" in CrawlLog.objects.get(task=Task.SCHEDULER).detail


def test_of_an_owner_in_another_container_one_must_be_sure(page_as, site):
    lock = held_by(in_another_container())
    page = page_as("operator", javascript=False)
    open_release(page, site)
    page.get_by_label("原因").fill("gone")
    page.get_by_role("button", name="释放").click()
    expect(page.get_by_text("确定它已经不在了才能释放")).to_be_visible()
    page.get_by_label("我确定持有者已经不在了").check()
    page.get_by_role("button", name="释放").click()
    expect(page.get_by_text("锁已释放")).to_be_visible()
    lock.refresh_from_db()
    assert lock.status == "failed"


def test_an_owner_at_work_offers_no_release(page_as, site):
    lock = held_by(owners.current_owner())
    page = page_as("operator")
    page.goto(f"{site}/admin/operations/tasklock/")
    expect(page.get_by_text("在运行").first).to_be_visible()
    expect(page.get_by_role("link", name="释放……")).to_have_count(0)
    page.goto(f"{site}/admin/locks/{lock.pk}/release/")
    expect(page.get_by_text("持有者还在运行，不能释放")).to_be_visible()
    expect(page.get_by_role("button", name="释放")).to_have_count(0)


@pytest.mark.parametrize("role", ["editor", "auditor"])
def test_others_release_nothing(page_as, site, role):
    lock = held_by(of_another_boot())
    page = page_as(role)
    page.goto(f"{site}/admin/operations/tasklock/")
    expect(page.get_by_role("link", name="释放……")).to_have_count(0)
    answer = page.goto(f"{site}/admin/locks/{lock.pk}/release/")
    assert answer.status == 403
    lock.refresh_from_db()
    assert lock.status == "running"


def test_an_auditor_finds_the_log_of_a_day_on_a_phone(page_as, site):
    began = timezone.now() - dt.timedelta(minutes=9)
    for day, error in ((4, None), (5, "the source refused: " + "x" * 500)):
        CrawlLog.objects.create(
            task=Task.CRAWL,
            status=RunState.FAILED if error else RunState.SUCCESS,
            date=dt.date(2026, 6, day),
            error=error,
            started_at=began,
            completed_at=began + dt.timedelta(seconds=65),
        )
    page = page_as("auditor", width=390)
    page.goto(f"{site}/admin/operations/crawllog/")
    no_wider_than_screen(page)
    page.get_by_label("日期", exact=True).fill("2026-06-05")
    page.get_by_role("button", name="筛选").click()
    expect(page.locator("#result_list tbody tr")).to_have_count(1)
    expect(page.locator("#result_list")).to_contain_text("1 分 5 秒")
    page.locator("#result_list tbody a").first.click()
    expect(page.get_by_text("the source refused").first).to_be_visible()
    no_wider_than_screen(page)


def test_what_an_operator_did_is_read_by_an_auditor(page_as, site):
    held_by(of_another_boot())
    operator = page_as("operator")
    open_release(operator, site)
    operator.get_by_label("原因").fill("power cut")
    operator.get_by_role("button", name="释放").click()
    expect(operator.get_by_text("锁已释放")).to_be_visible()
    page = page_as("auditor", width=390)
    page.goto(f"{site}/admin/admin/logentry/")
    no_wider_than_screen(page)
    row = page.locator("#result_list tbody tr")
    expect(row).to_contain_text("operator")
    expect(row).to_contain_text("释放锁：power cut")
