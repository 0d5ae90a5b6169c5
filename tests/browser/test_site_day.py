"""The page of a day, as readers use it."""

import datetime as dt
import re

import pytest
from playwright.sync_api import Page, expect

from papers.models import Paper, SummaryQuality, SummaryState
from tests.browser.looking import no_wider_than_screen, serious_faults, unlabelled_fields, unreadable_texts
from tests.factories import DAY, make_paper, make_summary

SIZES = pytest.mark.parametrize(
    ("width", "dark", "language"),
    [(390, False, "zh-hans"), (390, True, "en"), (1440, True, "zh-hans"), (1440, False, "en")],
)


def make_day() -> list[Paper]:
    """A day in work, with everything that a card can have on it, and days round it."""
    for distance in (-30, -3, -2, -1, 3):
        make_paper(paper_date=DAY + dt.timedelta(days=distance))
    best = make_paper(upvotes=1234, tags=["Agents", "x" * 90], code_url="https://github.com/a/b")
    make_summary(best, title_zh="稀疏注意力" * 30, tags=["扩散模型"], difficulty="困难")
    names = [f"Author Number {number}" for number in range(664)]
    many = make_paper(upvotes=60, tags=["agents"], authors=names, title_en="W" * 250)
    make_summary(many, title_zh="安全的智能体", tags=["扩散模型"], quality=SummaryQuality.LOW)
    hebrew = {"title_en": "שלום עולם: מאמר על רשתות", "authors": ["יעל כהן"], "tags": ["עברית"], "is_withdrawn": True}
    failed = make_paper(upvotes=9, state=SummaryState.PERMANENT_FAILURE, status={"error_type": "timeout"}, **hebrew)
    waiting = make_paper(upvotes=3, title_en="Still Waiting", abstract="We study what waits. " * 60)
    return [best, many, failed, waiting]


def looks_right(page: Page) -> None:
    no_wider_than_screen(page)
    assert serious_faults(page) == []
    assert unreadable_texts(page) == []
    assert unlabelled_fields(page) == []


@SIZES
def test_a_day_looks_right(page_as, site, width, dark, language):
    make_day()
    page = page_as(None, width=width, dark=dark, language=language)
    for address in ("", "?tag=Agents&code=1", "?quality=degraded&code=1", "?sort=odd"):
        page.goto(f"{site}/day/{DAY}/{address}")
        looks_right(page)
    page.goto(f"{site}/day/{DAY + dt.timedelta(days=1)}/")
    looks_right(page)
    page.goto(f"{site}/day/?month=2026-06")
    looks_right(page)


def test_a_reader_on_a_phone_unfolds_filters_and_calendar_without_javascript(page_as, site):
    make_day()
    page = page_as(None, width=390, javascript=False)
    page.goto(f"{site}/day/{DAY}/")
    expect(page.locator(".day-news noscript")).to_be_visible()
    page.get_by_text("筛选", exact=True).click()
    no_wider_than_screen(page)
    page.get_by_role("link", name=re.compile("有代码 1")).click()
    expect(page.locator(".paper-card")).to_have_count(1)
    expect(page.get_by_text("4 篇里的 1 篇")).to_be_visible()
    page.get_by_role("link", name=re.compile("代码 有代码 .*取消筛选")).click()
    expect(page.locator(".paper-card")).to_have_count(4)
    page.get_by_text("日历", exact=True).click()
    no_wider_than_screen(page)
    assert page.get_by_role("link", name="2 1 篇", exact=True).bounding_box()["height"] >= 44
    page.get_by_role("link", name="2 1 篇", exact=True).click()
    expect(page).to_have_url(f"{site}/day/2026-06-02/")
    page.get_by_role("link", name="后一天").first.click()
    expect(page).to_have_url(f"{site}/day/2026-06-03/")


def test_the_calendar_and_the_filters_lie_open_beside_a_wide_list(page_as, site):
    make_day()
    page = page_as(None)
    page.goto(f"{site}/day/{DAY}/")
    expect(page.get_by_text("日历", exact=True)).to_be_hidden()
    rail = page.locator(".day__rail")
    rail.get_by_role("link", name=re.compile("扩散模型 2")).click()
    expect(page.locator(".paper-card")).to_have_count(2)
    expect(rail.get_by_role("link", name=re.compile("扩散模型 2"))).to_have_attribute("aria-current", "true")
    page.get_by_role("link", name="标题", exact=True).click()
    expect(page.locator(".paper-card h2").first).to_have_text("安全的智能体")
    page.get_by_role("link", name="清除筛选").click()
    expect(page).to_have_url(f"{site}/day/{DAY}/?sort=title")
    rail.get_by_role("link", name=re.compile("前一个有论文的月份")).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("2026年5月")
    page.get_by_role("link", name="6 1 篇", exact=True).click()
    expect(page).to_have_url(f"{site}/day/2026-05-06/")


def test_a_day_is_used_by_keyboard_alone(page_as, site):
    make_day()
    page = page_as(None)
    page.goto(f"{site}/day/{DAY}/")
    page.get_by_role("link", name="前一天").first.focus()
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site}/day/2026-06-04/")
    page.go_back()
    tick = page.get_by_role("checkbox", name=re.compile("安全的智能体"))
    tick.focus()
    page.keyboard.press("Space")
    expect(tick).to_be_checked()
    page.locator(".facet summary").first.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".chosen__filter")).to_have_count(1)


def test_summaries_are_offered_as_they_are_made_and_nothing_moves(page_as, site):
    *_others, waiting = make_day()
    for number in range(12):
        make_summary(make_paper(upvotes=20 + number), title_zh=f"第 {number} 篇")
    page = page_as(None)
    page.clock.install()
    page.goto(f"{site}/day/{DAY}/")
    expect(page.get_by_text("已总结 14 / 16 篇")).to_be_visible()
    tick = page.get_by_role("checkbox", name="对比：Still Waiting")
    tick.check()
    read = page.get_by_role("link", name="第 3 篇")
    read.scroll_into_view_if_needed()
    before = read.bounding_box()
    make_summary(waiting, title_zh="不再等待", one_line="一句话。" * 30)
    page.clock.fast_forward(16_000)
    offer = page.get_by_role("button", name="显示")
    expect(page.get_by_text("1 篇新总结")).to_be_visible()
    expect(page.get_by_text("已总结 15 / 16 篇")).to_be_attached()
    assert read.bounding_box() == before
    expect(page.get_by_text("Still Waiting").first).to_be_attached()
    place = offer.bounding_box()
    page.mouse.click(place["x"] + 5, place["y"] + 5)  # Playwright's own click would scroll
    expect(page.get_by_role("link", name="不再等待")).to_be_attached()
    assert abs(read.bounding_box()["y"] - before["y"]) < 2
    expect(page.get_by_role("checkbox", name="对比：不再等待")).to_be_checked()
    expect(offer).to_be_hidden()


def counts(page: Page, key: str) -> str:
    return " ".join(page.locator(f"section[aria-labelledby=facet-{key}]").inner_text().split())


def test_the_counts_at_the_filters_follow_what_is_shown(page_as, site):
    *_others, waiting = make_day()
    page = page_as(None)
    page.clock.install()
    page.goto(f"{site}/day/{DAY}/")
    assert counts(page, "state") == "状态 待总结 1 已总结 2 总结失败 1"
    page.locator("section[aria-labelledby=facet-tags] summary").click()
    link = page.locator("section[aria-labelledby=facet-state] a").first
    link.focus()
    make_summary(waiting, title_zh="不再等待")
    make_paper(state=SummaryState.PENDING)
    page.clock.fast_forward(16_000)
    page.get_by_role("button", name="显示").evaluate("button => button.click()")  # keeps the focus where it is
    expect(page.locator(".day-header__count")).to_have_text("5 篇论文")
    assert counts(page, "state") == "状态 待总结 1 已总结 3 总结失败 1"
    expect(link).to_be_focused()
    expect(page.locator("section[aria-labelledby=facet-tags] details")).to_have_attribute("open", "")


def test_filters_come_where_there_were_none(page_as, site):
    waiting = make_paper(abstract="We study.")
    page = page_as(None, width=390)
    page.clock.install()
    page.goto(f"{site}/day/{DAY}/?difficulty=困难")
    expect(page.locator("[data-day-count=found]")).to_have_text("1 篇里的 0 篇")
    page.goto(f"{site}/day/{DAY}/")
    expect(page.locator("[data-day-count=facets]")).to_have_count(0)
    make_summary(waiting, tags=["扩散模型"])
    page.clock.fast_forward(16_000)
    page.get_by_role("button", name="显示").click()
    page.get_by_text("筛选", exact=True).click()
    expect(page.locator("section[aria-labelledby=facet-tags]")).to_contain_text("扩散模型")


def test_a_page_that_has_nothing_to_wait_for_asks_for_nothing(page_as, site):
    make_summary(make_paper())
    page = page_as(None)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.clock.install()
    page.goto(f"{site}/day/{DAY}/")
    page.clock.fast_forward(120_000)
    assert not any("progress" in address for address in asked)


def test_a_failing_connection_is_borne(page_as, site):
    waiting = make_paper()
    page = page_as(None)
    page.clock.install()
    page.goto(f"{site}/day/{DAY}/")
    page.route(
        "**/progress/", lambda route: route.fulfill(status=200, body="<p>not the piece</p>", content_type="text/html")
    )
    page.clock.fast_forward(16_000)
    expect(page.get_by_text("已总结 0 / 1 篇")).to_be_visible()
    page.unroute("**/progress/")
    make_summary(waiting)
    page.clock.fast_forward(31_000)
    expect(page.get_by_text("已总结 1 / 1 篇")).to_be_visible()
    page.get_by_role("button", name="显示").click()
    expect(page.get_by_role("heading", level=2).first).to_have_text("面向长上下文推理的稀疏注意力")
