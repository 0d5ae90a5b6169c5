"""The page of a search, as readers use it."""

import os
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, Route, expect

from papers.models import SummaryState
from tests.browser.looking import no_wider_than_screen, serious_faults, unlabelled_fields, unreadable_texts
from tests.factories import DAY, SUMMARY, make_paper, make_summary

PICTURES = os.environ.get("PICTURES")
SIZES = pytest.mark.parametrize(
    ("width", "dark", "language"),
    [(390, False, "zh-hans"), (390, True, "en"), (1440, True, "zh-hans"), (1440, False, "en")],
)


def make_library() -> None:
    """Papers that a search finds in several pages, and that differ in all that it can be narrowed by."""
    for number in range(23):
        paper = make_paper(
            title_en=f"Sparse Attention {number:02}",
            paper_date=DAY.replace(year=2026 - number % 3),
            upvotes=number,
            tags=["Agents", "Reasoning" if number % 2 else "推理"],
            code_url="https://github.com/a/b" if number % 4 == 0 else "",
        )
        make_summary(
            paper, title_zh=f"稀疏注意力之{number:02}", summary=SUMMARY | {"difficulty": ("中等", "困难")[number % 2]}
        )
    make_paper(arxiv_id="2606.44444", title_en="Graph $O(n)$ Networks", state=SummaryState.PENDING)


def looks_right(page: Page, name: str = "") -> None:
    no_wider_than_screen(page)
    assert serious_faults(page) == []
    assert unreadable_texts(page) == []
    assert unlabelled_fields(page) == []
    if PICTURES and name:
        Path(PICTURES).mkdir(exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


def field(page: Page):
    return page.get_by_role("searchbox", name=re.compile("搜索论文|Search papers"))


def status(page: Page):
    return page.locator("[data-search-status]")


@SIZES
def test_every_state_of_a_search_looks_right(page_as, site, width, dark, language):
    make_library()
    page = page_as(None, width=width, dark=dark, language=language)
    states = {
        "found": "?q=attention",
        "filtered": "?q=attention&tag=Agents&year=2025&state=done&order=newest",
        "nothing-left": "?q=attention&year=1999",
        "rubbish": "?q=%00%ff(%22NEAR*" + "W" * 300 + "&page=x&order=y&year=z&tag=" + "t" * 90,
    }
    for name, query in states.items():
        page.goto(f"{site}/search/{query}")
        looks_right(page, f"search-{name}-{width}-{'dark' if dark else 'light'}-{language[:2]}")
    page.goto(f"{site}/search/")
    field(page).press_sequentially("2606.44444")
    expect(page.get_by_role("link", name="Graph")).to_be_visible()
    looks_right(page, f"search-id-{width}-{'dark' if dark else 'light'}-{language[:2]}")


def test_results_follow_what_is_typed(page_as, site):
    make_library()
    page = page_as(None)
    page.goto(f"{site}/search/")
    field(page).press_sequentially("attenton")
    expect(status(page)).to_have_text("找到 0 篇")
    field(page).press("ArrowLeft")
    field(page).press("ArrowLeft")
    page.keyboard.type("i")
    expect(status(page)).to_have_text("找到 24 篇")
    expect(field(page)).to_be_focused()
    assert field(page).evaluate("field => [field.value, field.selectionStart]") == ["attention", 7]
    expect(page).to_have_url(f"{site}/search/?q=attention")
    expect(page).to_have_title("搜索：attention · Papersite")
    expect(page.locator("link[rel=alternate]")).to_have_attribute("href", "/feeds/search/?q=attention")
    page.reload()
    expect(status(page)).to_have_text("找到 24 篇")
    field(page).fill("attention 07")
    expect(status(page)).to_have_text("找到 1 篇")
    page.get_by_role("button", name="English").click()
    expect(page).to_have_url(f"{site}/search/?q=attention+07")
    expect(page.get_by_role("heading", level=1)).to_have_text(re.compile("^Search papers"))
    field(page).fill("")
    expect(page).to_have_url(f"{site}/search/")
    expect(page.locator(".paper-card")).to_have_count(0)


def test_filters_and_the_order_stay_while_the_words_change(page_as, site):
    make_library()
    page = page_as(None)
    page.goto(f"{site}/search/?q=attention")
    page.locator(".search__rail").get_by_role("link", name=re.compile("^2025 ")).click()
    page.get_by_role("link", name="按日期").click()
    expect(page).to_have_url(f"{site}/search/?q=attention&year=2025&order=newest")
    field(page).press("End")
    page.keyboard.type(" 07")
    expect(page).to_have_url(f"{site}/search/?q=attention+07&year=2025&order=newest")
    expect(status(page)).to_have_text("找到 1 篇")
    page.get_by_role("link", name=re.compile("年份 2025")).click()
    expect(page).to_have_url(f"{site}/search/?q=attention+07&order=newest")
    page.go_back()
    expect(field(page)).to_have_value("attention 07")
    expect(page).to_have_url(f"{site}/search/?q=attention+07&year=2025&order=newest")
    expect(status(page)).to_have_text("找到 1 篇")


def test_an_older_answer_never_comes_over_a_newer_one(page_as, site):
    make_library()
    page = page_as(None)
    held: list[Route] = []
    page.goto(f"{site}/search/")
    page.route("**/search/?q=graph", lambda route: held.append(route))
    with page.expect_request("**/search/?q=graph"):
        field(page).fill("graph")
    field(page).fill("attention 07")
    expect(status(page)).to_have_text("找到 1 篇")
    for route in held:
        route.continue_()
    page.evaluate("() => new Promise(resolve => setTimeout(resolve, 300))")
    expect(status(page)).to_have_text("找到 1 篇")
    expect(page.locator(".paper-card__title")).to_have_text("稀疏注意力之07")


def test_nothing_is_asked_while_an_input_method_composes(page_as, site):
    make_library()
    page = page_as(None)
    page.goto(f"{site}/search/")
    field(page).focus()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/search/" in request.url else None)
    keys = page.context.new_cdp_session(page)
    for part in ("x", "xi", "xi s", "xi shu"):
        keys.send("Input.imeSetComposition", {"text": part, "selectionStart": len(part), "selectionEnd": len(part)})
    page.evaluate("() => new Promise(resolve => setTimeout(resolve, 400))")
    assert asked == []
    keys.send("Input.insertText", {"text": "稀疏"})
    expect(status(page)).to_have_text("找到 23 篇")
    assert [address.partition("?")[2] for address in asked] == ["q=" + quote("稀疏")]
    expect(page.locator(".paper-card mark").first).to_have_text("稀疏")


def test_the_id_of_a_paper_is_offered_and_enter_goes_there(page_as, site):
    make_library()
    page = page_as(None)
    page.goto(f"{site}/search/?q=attention")
    field(page).fill("2606.44444")
    expect(status(page)).to_have_text("这是一篇论文的编号，按回车打开。")
    expect(page.get_by_role("link", name="Graph")).to_have_attribute("href", f"{site}/papers/2606.44444/")
    expect(page.locator(".paper-card")).to_have_count(0)
    field(page).press("End")
    page.keyboard.type("5")
    expect(status(page)).to_have_text("找到 0 篇")
    field(page).press("Backspace")
    expect(page.get_by_role("link", name="Graph")).to_be_visible()
    field(page).press("Enter")
    expect(page).to_have_url(f"{site}/papers/2606.44444/")
    page.go_back()
    expect(page).to_have_url(re.compile("/search/"))
    expect(field(page)).to_be_visible()


def test_a_failing_connection_leaves_the_results_and_the_form(page_as, site):
    make_library()
    page = page_as(None)
    page.goto(f"{site}/search/?q=attention+07")
    page.route("**/search/?q=graph", lambda route: route.abort())
    field(page).fill("graph")
    expect(status(page)).to_have_text("没有连上，下面还是上次的结果。按回车再搜一次。")
    expect(page.locator(".paper-card__title")).to_have_text("稀疏注意力之07")
    expect(page).to_have_url(f"{site}/search/?q=attention+07")
    field(page).fill("attention 07")
    expect(status(page)).to_have_text("找到 1 篇")
    field(page).fill("graph")
    expect(status(page)).to_have_text(re.compile("没有连上"))
    page.unroute("**/search/?q=graph")
    field(page).press("Enter")
    expect(page).to_have_url(f"{site}/search/?q=graph")
    expect(page.locator(".paper-card")).to_have_count(1)


def test_a_search_is_used_by_keyboard_alone(page_as, site):
    make_library()
    page = page_as(None)
    page.goto(f"{site}/search/")
    page.keyboard.press("/")
    expect(field(page)).to_be_focused()
    page.keyboard.type("attention")
    expect(status(page)).to_have_text("找到 24 篇")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    page.keyboard.press("x")
    page.keyboard.press("j")
    page.keyboard.press("x")
    expect(page.locator("#compare-text")).to_have_text("已选 2 篇")
    page.keyboard.press("/")
    page.keyboard.type("attention 07")
    expect(status(page)).to_have_text("找到 1 篇")
    expect(page.locator("#compare-text")).to_have_text("已选 2 篇")
    page.keyboard.press("Escape")
    page.keyboard.press("j")
    expect(page.locator(".paper-card__title a")).to_be_focused()
    page.keyboard.press("x")
    expect(page.locator("#compare-text")).to_have_text("已选 3 篇")
    page.keyboard.press("o")
    expect(page.get_by_role("heading", level=1)).to_have_text("稀疏注意力之07")
    page.go_back()
    expect(page).to_have_url(f"{site}/search/?q=attention+07")
    expect(page.get_by_role("checkbox", name=re.compile("稀疏注意力之07"))).to_be_checked()


def test_a_reader_on_a_phone_searches_without_javascript(page_as, site):
    make_library()
    page = page_as(None, width=390, javascript=False)
    page.goto(f"{site}/")
    page.get_by_role("searchbox").fill("attention")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site}/search/?q=attention")
    expect(status(page)).to_have_text("找到 24 篇")
    page.get_by_role("link", name="下一页").click()
    expect(page.locator(".paper-card")).to_have_count(4)
    page.get_by_text("筛选", exact=True).click()
    page.get_by_role("link", name=re.compile("^困难 ")).click()
    expect(status(page)).to_have_text("找到 11 篇")
    field(page).fill("attention 07")
    page.get_by_role("button", name="搜索").click()
    expect(page).to_have_url(re.compile(r"q=attention\+07&difficulty="))
    expect(page.locator(".paper-card")).to_have_count(1)
    field(page).fill("2606.44444")
    page.get_by_role("button", name="搜索").click()
    expect(page).to_have_url(f"{site}/papers/2606.44444/")
