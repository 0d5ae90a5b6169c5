"""The site by keyboard alone, as people know it from miniflux and GitHub."""

import datetime as dt
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import serious_faults
from tests.factories import DAY, make_paper, make_summary


@pytest.fixture
def papers() -> list[str]:
    """Ids of four papers of a day, in its order; the first has a summary."""
    made = [make_paper(arxiv_id=f"2606.0000{number}", upvotes=50 - number) for number in range(1, 5)]
    make_summary(made[0])
    return [paper.arxiv_id for paper in made]


@pytest.fixture
def day(page_as, site, papers) -> Page:
    page = page_as(None)
    page.goto(f"{site}/day/{DAY}/")
    return page


def link_to(page: Page, arxiv_id: str):
    return page.locator(f'.paper-list h2 a[href*="{arxiv_id}"]')


def press(page: Page, *keys: str) -> None:
    for key in keys:
        page.keyboard.press(key)


def arrived(page: Page, part: str) -> None:
    """Wait for a page with `part` in its address, and for its scripts."""
    expect(page).to_have_url(re.compile(re.escape(part)))
    page.wait_for_load_state()


def test_a_list_is_gone_through_and_a_paper_opened(day, papers):
    press(day, "j")
    expect(link_to(day, papers[0])).to_be_focused()
    press(day, "j", "j", "k")
    expect(link_to(day, papers[1])).to_be_focused()
    expect(day.locator(".paper-list > .is-selected")).to_have_count(1)
    press(day, "j", "j", "j", "j")
    expect(link_to(day, papers[-1])).to_be_focused()
    expect(link_to(day, papers[-1])).to_be_in_viewport()
    press(day, "o")
    arrived(day, papers[-1])


def test_enter_opens_what_is_selected_and_j_goes_on_from_the_paper(day, papers):
    press(day, "j", "Enter")
    arrived(day, papers[0])
    press(day, "n")
    expect(day.locator("#motivation, #prerequisites").first).to_be_in_viewport()
    press(day, "j")
    arrived(day, papers[1])
    press(day, "k")
    arrived(day, papers[0])
    press(day, "u")
    arrived(day, str(DAY))


def test_pages_of_a_long_day_come_before_other_days(page_as, site, papers, monkeypatch):
    monkeypatch.setattr("papers.pages.day_list.PAGE_SIZE", 2)
    for distance in (-1, 1):
        make_paper(paper_date=DAY + dt.timedelta(days=distance))
    page = page_as(None)
    page.goto(f"{site}/day/{DAY}/")
    press(page, "l")
    arrived(page, f"/day/{DAY}/?page=2")
    press(page, "h")
    expect(page).to_have_url(f"{site}/day/{DAY}/")
    page.wait_for_load_state()
    press(page, "h")
    arrived(page, str(DAY - dt.timedelta(days=1)))


def test_papers_are_ticked_and_compared(day, papers):
    press(day, "j", "x", "j", "j", "x")
    expect(day.locator("input[form=compare]:checked")).to_have_count(2)
    press(day, "c")
    arrived(day, f"/compare/?ids={papers[0]},{papers[2]}")


def test_the_original_is_a_key_away_from_its_paper(page_as, site, papers):
    page = page_as(None)
    page.goto(f"{site}/papers/{papers[0]}/")
    page.evaluate("""() => addEventListener("click", event => {
      event.preventDefault(); // tests leave the site alone
      document.title = event.target.closest("a").href;
    })""")
    press(page, "v")
    expect(page).to_have_title(f"https://arxiv.org/abs/{papers[0]}")


def test_the_owner_marks_papers_without_the_mouse(page_as, site, papers):
    page = page_as("owner")
    page.goto(f"{site}/day/{DAY}/")
    marks = page.locator(".paper-list > li").nth(1)
    press(page, "j", "j", "s")
    expect(marks.get_by_role("button", name="收藏")).to_have_attribute("aria-pressed", "true")
    expect(link_to(page, papers[1])).to_be_focused()
    unread = marks.get_by_label("阅读状态").input_value()
    press(page, "m")
    expect(marks.get_by_label("阅读状态")).not_to_have_value(unread)
    expect(page.get_by_role("button", name="收藏", pressed=True)).to_have_count(1)
    press(page, "g", "m")
    arrived(page, "/mine/")


def test_the_selection_goes_with_the_focus(day, papers):
    link_to(day, papers[2]).focus()
    press(day, "j")
    expect(link_to(day, papers[3])).to_be_focused()


def test_days_and_places_are_a_key_or_two_away(page_as, site, papers):
    make_paper(paper_date=DAY.replace(day=4))
    page = page_as(None)
    page.goto(f"{site}/day/{DAY}/")
    press(page, "h")
    arrived(page, "/day/2026-06-04/")
    press(page, "l")
    arrived(page, f"/day/{DAY}/")
    press(page, "g", "s")
    arrived(page, "/status/")
    press(page, "g", "d")
    expect(page).to_have_url(f"{site}/")


def test_a_field_keeps_what_is_typed_in_it(day, site):
    field = day.get_by_role("searchbox")
    press(day, "/")
    expect(field).to_be_focused()
    day.keyboard.type("jk/?gs")
    expect(field).to_have_value("jk/?gs")
    expect(day).to_have_url(f"{site}/day/{DAY}/")
    press(day, "Escape")
    expect(field).not_to_be_focused()
    expect(field).to_have_value("jk/?gs")
    press(day, "j")
    expect(day.locator(".is-selected")).to_have_count(1)


@pytest.mark.parametrize("keys", ["Control+j", "Alt+j", "Meta+j"])
def test_keys_with_a_modifier_are_the_browsers(day, keys):
    press(day, keys)
    expect(day.locator(".is-selected")).to_have_count(0)


def test_an_input_method_at_work_is_left_alone(day):
    day.evaluate("""() => {
      for (const more of [{ isComposing: true }, { keyCode: 229 }])
        document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true, ...more }));
    }""")
    expect(day.locator(".is-selected")).to_have_count(0)


@pytest.mark.parametrize("dark", [False, True])
def test_the_list_of_keys_opens_and_closes_and_gives_the_focus_back(page_as, site, papers, dark):
    page = page_as(None, dark=dark)
    page.goto(f"{site}/day/{DAY}/")
    keys = page.get_by_role("dialog", name="键盘快捷键")
    press(page, "j", "?")
    expect(keys).to_be_visible()
    assert not serious_faults(page)
    press(page, "j")  # not for the list behind
    press(page, "Escape")
    expect(keys).to_be_hidden()
    expect(link_to(page, papers[0])).to_be_focused()
    opener = page.get_by_role("button", name="键盘快捷键")
    opener.click()
    keys.get_by_role("button", name="关闭").click()
    expect(keys).to_be_hidden()
    expect(opener).to_be_focused()


def test_single_keys_can_be_switched_off_and_stay_off(day):
    day.get_by_role("button", name="键盘快捷键").click()
    choice = day.get_by_label("使用单键快捷键")
    choice.uncheck()
    press(day, "Escape", "j", "?")
    expect(day.locator(".is-selected")).to_have_count(0)
    day.reload()
    press(day, "j")
    expect(day.locator(".is-selected")).to_have_count(0)
    day.get_by_role("button", name="键盘快捷键").click()
    expect(choice).not_to_be_checked()
    choice.check()
    press(day, "Escape", "j")
    expect(day.locator(".is-selected")).to_have_count(1)


def test_where_there_are_no_papers_keys_do_no_harm(page_as, site):
    page = page_as(None)
    for address in ("/", "/status/", "/nowhere/"):
        page.goto(site + address)
        press(page, "j", "k", "o", "x", "s", "m", "c", "v", "u", "h", "l", "n", "p", "g", "Tab", "g", '"', "g")
        expect(page).to_have_url(site + address)
