"""What every page of the readers has around it: the theme, the language, the ways, the sheet of paper."""

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import no_wider_than_screen, serious_faults
from tests.factories import DAY, make_paper, make_summary

DARK_GROUND, LIGHT_GROUND = "rgb(23, 22, 20)", "rgb(251, 250, 247)"


@pytest.fixture(autouse=True)
def papers(transactional_db) -> None:
    for number in range(1, 4):
        make_summary(make_paper(arxiv_id=f"2606.0000{number}", upvotes=10 - number))


def ground(page: Page) -> str:
    return page.evaluate("getComputedStyle(document.documentElement).backgroundColor")


def bars(page: Page) -> str:
    """The colour that the browser gives its own bars."""
    return page.evaluate(
        "[...document.querySelectorAll('meta[name=theme-color]')].find(meta => matchMedia(meta.media).matches).content"
    )


def test_a_theme_is_chosen_at_once_and_stays_on_all_pages(page_as, site):
    page = page_as(None)
    page.goto(f"{site}/day/{DAY}/")
    page.evaluate("window.unchanged = true")
    page.get_by_role("button", name="深色").click()
    expect(page.get_by_role("button", name="深色")).to_have_attribute("aria-pressed", "true")
    assert page.evaluate("window.unchanged")
    assert (ground(page), bars(page)) == (DARK_GROUND, "#171614")
    assert not serious_faults(page)
    page.goto(f"{site}/status/")
    assert (ground(page), bars(page)) == (DARK_GROUND, "#171614")
    page.get_by_role("button", name="跟随系统").click()
    page.reload()
    assert (ground(page), bars(page)) == (LIGHT_GROUND, "#fbfaf7")


def test_the_page_that_the_back_button_brings_has_the_theme_chosen_since(page_as, site):
    page = page_as(None)
    page.goto(f"{site}/day/{DAY}/")
    page.get_by_role("link", name="状态").click()
    page.get_by_role("button", name="深色").click()
    page.go_back()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


def test_without_javascript_the_theme_is_chosen_by_a_form(page_as, site):
    page = page_as(None, width=390, dark=True, javascript=False)
    page.goto(f"{site}/search/?q=attention")
    page.get_by_role("button", name="浅色").click()
    expect(page).to_have_url(f"{site}/search/?q=attention")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    expect(page.get_by_role("button", name="浅色")).to_have_attribute("aria-pressed", "true")


def test_the_console_and_the_site_have_one_theme(page_as, site):
    page = page_as("owner")
    page.goto(f"{site}/")
    page.get_by_role("button", name="深色").click()
    page.goto(f"{site}/admin/")
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.locator(".theme-toggle").first.click()
    expect(page.locator("html")).to_have_attribute("data-theme", "light")
    page.goto(f"{site}/")
    expect(page.locator("html")).to_have_attribute("data-theme", "light")


def test_the_language_is_chosen_where_one_is_and_stays(page_as, site):
    page = page_as(None, width=390)
    page.goto(f"{site}/search/?q=attention")
    page.get_by_role("button", name="English").click()
    expect(page).to_have_url(f"{site}/search/?q=attention")
    page.goto(f"{site}/status/")
    expect(page.locator("html")).to_have_attribute("lang", "en")


def test_the_first_tab_leads_past_the_ways_to_the_text(page_as, site):
    page = page_as(None)
    page.goto(f"{site}/day/{DAY}/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="跳到正文")).to_be_focused()
    expect(page.get_by_role("link", name="跳到正文")).to_be_in_viewport()
    page.keyboard.press("Enter")
    expect(page.get_by_role("main")).to_be_focused()


def test_a_phone_has_every_way_within_reach_of_a_thumb(page_as, site):
    page = page_as(None, width=390)
    page.goto(f"{site}/")
    links = page.get_by_role("navigation", name="主导航").get_by_role("link")
    assert links.count() >= 5
    assert all(box["height"] >= 44 for box in (link.bounding_box() for link in links.all()))
    tops = {round(link.bounding_box()["y"]) for link in links.all()}
    assert len(tops) == 1, "the ways lie in one row"
    page.get_by_role("searchbox", name="搜索论文").fill("attention")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile(r"/search/\?q=attention"))


@pytest.mark.parametrize("address", ["/", "/papers/2606.00001/", "/status/", "/search/?q=attention"])
def test_on_paper_there_is_nothing_to_press(page_as, site, address):
    page = page_as(None, dark=True)
    page.goto(site + address)
    page.emulate_media(media="print")
    pressed = page.locator("button:visible, input:visible, select:visible, nav:visible, dialog:visible")
    assert pressed.evaluate_all("all => all.map(one => one.outerHTML.slice(0, 80))") == []
    assert ground(page) == "rgb(255, 255, 255)"
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    no_wider_than_screen(page)


@pytest.mark.parametrize("address", ["/", "/papers/2606.00001/", "/status/"])
def test_with_the_systems_own_colours_the_place_is_still_marked(page_as, site, address):
    page = page_as(None)
    page.emulate_media(forced_colors="active")
    page.goto(site + address)
    assert not serious_faults(page)
    current = page.locator(".site-nav a[aria-current]")
    for link in current.all():
        assert "underline" in link.evaluate("link => getComputedStyle(link).textDecorationLine")
