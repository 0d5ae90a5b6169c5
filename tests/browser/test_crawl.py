"""Crawls by hand in a browser: planned, begun, watched, stopped; by operators alone."""

import datetime as dt

import pytest
from playwright.sync_api import expect

from operations.crawl_jobs import start_crawl
from operations.models import CrawlJob
from papers.models import Paper
from tests.browser.looking import no_wider_than_screen
from tests.browser.working import run_queue
from tests.factories import make_paper

FIRST, LAST = dt.date(2026, 8, 20), dt.date(2026, 8, 21)


@pytest.fixture(autouse=True)
def _sources(site, replayed_sources, replay, settings):
    """The recorded sources on their last day."""
    replay.start("--today", LAST.isoformat())
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=replay.addresses)


def plan(page, site, first, last=None):
    page.goto(f"{site}/admin/crawl/")
    page.get_by_label("日期（或第一天）").fill(str(first))
    if last:
        page.get_by_label("最后一天").fill(str(last))
    page.get_by_role("button", name="先看看会做什么").click()


def test_an_operator_plans_a_range_begins_it_and_watches_it(page_as, site):
    make_paper(paper_date=FIRST)
    page = page_as("operator")
    plan(page, site, FIRST, LAST)
    expect(page.get_by_text("天还没有抓取过")).to_contain_text("2")
    expect(page.get_by_text("篇论文已收录在这些日子")).to_contain_text("1")
    page.get_by_role("button", name="开始抓取这 2 天").click()
    job = CrawlJob.objects.get()
    expect(page).to_have_url(f"{site}/admin/crawl/{job.pk}/")
    expect(page.get_by_role("status").filter(has_text="进行中")).to_be_visible()
    run_queue()
    # The page follows by itself.
    expect(page.get_by_role("status").filter(has_text="成功")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="2026-08-21")).to_contain_text("17")
    expect(page.get_by_role("button", name="停止")).to_have_count(0)
    assert Paper.objects.filter(paper_date=LAST).count() == 17
    page.get_by_role("row").filter(has_text="2026-08-21").get_by_role("link", name="日志").click()
    expect(page.get_by_role("heading", name="任务日志").first).to_be_visible()


def test_a_job_is_stopped_on_a_phone(page_as, site):
    job = start_crawl([FIRST, LAST], by="alice")
    page = page_as("operator", width=390, dark=True)
    page.goto(f"{site}/admin/crawl/{job.pk}/")
    no_wider_than_screen(page)
    page.get_by_role("button", name="停止").click()
    expect(page.get_by_text("已停止")).to_be_visible()
    expect(page.get_by_role("row").filter(has_text="未执行")).to_have_count(2)
    no_wider_than_screen(page)
    run_queue()
    assert not Paper.objects.exists()


def test_everything_works_without_javascript(page_as, site):
    page = page_as("operator", javascript=False)
    plan(page, site, LAST)
    page.get_by_role("button", name="开始抓取这 1 天").click()
    expect(page.get_by_text("等待中")).to_be_visible()
    run_queue()
    page.reload()
    expect(page.get_by_role("status").filter(has_text="成功")).to_be_visible()


def test_a_slip_is_said_and_does_nothing(page_as, site):
    page = page_as("operator", width=390)
    page.goto(f"{site}/admin/crawl/?first=2026-08-21&last=2026-08-20")
    expect(page.get_by_text("结束日期早于开始日期")).to_be_visible()
    expect(page.get_by_role("button", name="开始抓取")).to_have_count(0)
    no_wider_than_screen(page)
    assert not CrawlJob.objects.exists()


def test_the_days_of_chosen_papers_are_crawled_again_from_their_list(page_as, site):
    make_paper(arxiv_id="2608.00001", paper_date=LAST)
    page = page_as("operator")
    page.goto(f"{site}/admin/papers/paper/")
    page.get_by_role("checkbox", name="2608.00001").or_(page.locator("input.action-select")).first.check()
    page.get_by_label("动作").select_option("recrawl_date")
    page.get_by_role("button", name="执行").click()
    page.get_by_role("link", name="查看进度").click()
    expect(page).to_have_url(f"{site}/admin/crawl/{CrawlJob.objects.get().pk}/")


def test_an_auditor_reads_and_has_no_buttons(page_as, site):
    job = start_crawl([LAST], by="alice")
    page = page_as("auditor")
    page.goto(f"{site}/admin/crawl/?first=2026-08-21")
    expect(page.get_by_text("天还没有抓取过")).to_be_visible()
    expect(page.get_by_role("button", name="开始抓取")).to_have_count(0)
    page.get_by_role("link", name=f"#{job.pk}").click()
    expect(page.get_by_text("等待中")).to_be_visible()
    expect(page.get_by_role("button", name="停止")).to_have_count(0)


def test_an_editor_does_not_come_here(page_as, site):
    page = page_as("editor")
    answer = page.goto(f"{site}/admin/crawl/")
    assert answer and answer.status == 403
