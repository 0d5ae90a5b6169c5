"""The lists of tags and authors and the pages of one of them, as readers use them."""

import datetime as dt
import os
import re
from pathlib import Path
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import no_wider_than_screen, serious_faults, unlabelled_fields, unreadable_texts
from tests.factories import DAY, make_paper, make_summary

PICTURES = os.environ.get("PICTURES")
LOOKS = pytest.mark.parametrize(
    ("kind", "width", "dark", "language"),
    [
        ("tags", 390, False, "zh-hans"),
        ("authors", 390, True, "en"),
        ("authors", 1440, True, "zh-hans"),
        ("tags", 1440, False, "en"),
    ],
)
KINDS = pytest.mark.parametrize(("kind", "find"), [("tags", "标签里的字"), ("authors", "姓名里的字")])
WORD = "Pneumonoultramicroscopicsilicovolcanoconiosis" * 2
HEBREW = "יעל כהן"


def make_names(kind: str) -> None:
    """A common name on two pages of papers, rare ones on two pages of the list, and names that no design expects."""
    papers = [make_one(kind, ["Common Name"], paper_date=DAY - dt.timedelta(days=20 * number)) for number in range(27)]
    make_summary(papers[0], title_zh="最新的一篇")
    make_one(kind, ["Common Name", WORD, HEBREW, "RLHF", "强化学习 📚", *(f"Rare {number:02}" for number in range(60))])


def make_one(kind: str, names: list[str], **columns):
    return make_paper(**{"authors": [], "tags": [], kind: names}, **columns)


def looks_right(page: Page, name: str) -> None:
    no_wider_than_screen(page)
    assert serious_faults(page) == []
    assert unreadable_texts(page) == []
    assert unlabelled_fields(page) == []
    if PICTURES:
        Path(PICTURES).mkdir(exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


@LOOKS
def test_lists_and_single_pages_look_right(page_as, site, kind, width, dark, language):
    make_names(kind)
    page = page_as(None, width=width, dark=dark, language=language)
    # The others stand among all pages.
    places = {"list": "", "found": "?q=rare", "one": "Common%20Name/", "right-to-left": f"{quote(HEBREW)}/"}
    for name, place in places.items():
        page.goto(f"{site}/{kind}/{place}")
        looks_right(page, f"{kind}-{name}-{width}-{'dark' if dark else 'light'}-{language[:2]}")


@KINDS
def test_a_name_is_found_and_its_papers_are_gone_through(page_as, site, kind, find):
    make_names(kind)
    page = page_as(None)
    page.goto(site)
    page.get_by_role("navigation", name="主导航").get_by_role(
        "link", name={"tags": "标签", "authors": "作者"}[kind]
    ).click()
    expect(page.locator(".counted tbody th").first).to_have_text("Common Name")
    expect(page.locator(".counted tbody tr")).to_have_count(60)
    page.get_by_role("link", name="下一页").click()
    expect(page).to_have_url(f"{site}/{kind}/?page=2")
    page.get_by_role("searchbox", name=find).fill("rl")
    page.get_by_role("button", name="查找").click()
    expect(page.locator(".counted tbody th")).to_have_text(["RLHF"])
    page.get_by_role("link", name="看全部").click()
    page.get_by_role("link", name="Common Name").click()
    expect(page.get_by_text("28 篇论文")).to_be_visible()
    expect(page.locator(".paper-card")).to_have_count(25)
    page.get_by_role("link", name="下一页").click()
    expect(page.locator(".paper-card")).to_have_count(3)
    page.get_by_role("checkbox").first.check()
    expect(page.locator("#compare-text")).to_have_text("已选 1 篇，再选一篇就可以对比")
    expect(page.get_by_role("link", name="用阅读器订阅")).to_have_attribute("href", re.compile("^/feeds/"))
    page.get_by_role("link", name={"tags": "标签", "authors": "作者"}[kind], exact=True).last.click()
    expect(page).to_have_url(f"{site}/{kind}/")


@KINDS
def test_names_are_used_by_keyboard_alone(page_as, site, kind, find):
    make_names(kind)
    page = page_as(None)
    page.goto(site)
    page.keyboard.press("g")
    page.keyboard.press(kind[0])
    expect(page).to_have_url(f"{site}/{kind}/")
    box = page.get_by_role("searchbox", name=find)
    for _step in range(20):
        page.keyboard.press("Tab")
        if box.evaluate("box => box === document.activeElement"):
            break
    expect(box).to_be_focused()
    page.keyboard.type("comm")
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{site}/{kind}/?q=comm")
    page.get_by_role("link", name="Common Name").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", level=1)).to_have_text("Common Name")
    page.keyboard.press("j")
    expect(page.locator(".paper-card__title a").first).to_be_focused()
    page.keyboard.press("x")
    expect(page.get_by_role("checkbox").first).to_be_checked()
    page.keyboard.press("l")
    expect(page).to_have_url(f"{site}/{kind}/Common%20Name/?page=2")
    page.keyboard.press("h")
    expect(page).to_have_url(f"{site}/{kind}/Common%20Name/?")
    expect(page.get_by_role("checkbox").first).to_be_checked()


@KINDS
def test_a_reader_on_a_phone_needs_no_javascript(page_as, site, kind, find):
    make_names(kind)
    page = page_as(None, width=390, javascript=False)
    page.goto(f"{site}/{kind}/")
    assert page.get_by_role("link", name="Common Name").bounding_box()["height"] >= 40
    page.get_by_role("searchbox", name=find).fill("强化")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="强化学习").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("强化学习 📚")
    expect(page.locator(".paper-card")).to_have_count(1)
    page.get_by_text("导出", exact=True).click()
    expect(page.get_by_role("link", name="BibTeX")).to_be_visible()
    no_wider_than_screen(page)
    page.goto(f"{site}/{kind}/nobody/")
    page.get_by_role("main").get_by_role("link", name=re.compile("^看所有")).click()
    expect(page).to_have_url(f"{site}/{kind}/")
