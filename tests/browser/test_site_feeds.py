"""Feeds, exports and the tags that reference managers read, as a reader and a reader's programs meet them."""

import bibtexparser
import feedparser
import pytest
from playwright.sync_api import Page, expect

from papers.models import Paper
from tests.browser.looking import no_wider_than_screen, serious_faults
from tests.factories import DAY, make_paper, make_summary


@pytest.fixture
def paper(site) -> Paper:
    paper = make_paper(arxiv_id="2606.00001", title_en="Walrus attention", authors=["Ada Lovelace"], tags=["walrus"])
    make_summary(paper)
    make_paper(arxiv_id="2606.00002", title_en="Another paper")
    return paper


def fetched(page: Page, address: str) -> str:
    """Return what a reader's program gets at an address."""
    response = page.request.get(address)
    assert response.ok
    return response.text()


@pytest.mark.parametrize(
    ("width", "dark", "language", "heading"),
    [(1440, False, "zh-hans", "订阅"), (390, True, "zh-hans", "订阅")],
    ids=["desk", "phone in the dark"],
)
def test_a_reader_finds_the_feeds_and_follows_a_search(page_as, site, paper, width, dark, language, heading):
    page = page_as(None, width=width, dark=dark, language=language)
    page.goto(f"{site}/feeds/")
    expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    no_wider_than_screen(page)
    assert serious_faults(page) == []
    for link in page.locator("link[rel=alternate]").all():
        assert feedparser.parse(fetched(page, f"{site}{link.get_attribute('href')}")).entries
    # The field leads to the feed itself, which browsers save or hand on.
    page.get_by_label("要订阅的搜索").fill("walrus")
    form = page.locator("form.feed__form")
    address = form.evaluate("form => form.action + '?' + new URLSearchParams(new FormData(form))")
    assert [entry.link for entry in feedparser.parse(fetched(page, address)).entries] == [f"{site}/papers/2606.00001/"]


@pytest.mark.parametrize("javascript", [True, False], ids=["with scripts", "without scripts"])
def test_a_reader_takes_a_paper_away_by_keyboard(page_as, site, paper, javascript):
    page = page_as(None, javascript=javascript)
    page.goto(f"{site}/papers/2606.00001/")
    menu = page.locator(".export-menu")
    before = page.locator(".paper__body").bounding_box()
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    assert page.locator(".paper__body").bounding_box() == before
    for name, suffix in (("BibTeX", "bib"), ("RIS", "ris"), ("CSL-JSON", "json"), ("Markdown", "md"), ("CSV", "csv")):
        page.keyboard.press("Tab")
        expect(menu.get_by_role("link", name=name)).to_be_focused()
        with page.expect_download() as started:
            page.keyboard.press("Enter")
        assert started.value.suggested_filename == f"2606.00001.{suffix}"
    if javascript:  # axe is one
        assert serious_faults(page) == []


def test_a_reader_takes_a_day_away_on_a_phone(page_as, site, paper):
    page = page_as(None, width=390)
    page.goto(f"{site}/day/{DAY}/")
    menu = page.locator(".export-menu").first
    menu.locator("summary").tap()
    no_wider_than_screen(page)
    with page.expect_download() as started:
        menu.get_by_role("link", name="BibTeX").tap()
    assert started.value.suggested_filename == f"papers-{DAY}.bib"
    text = started.value.path().read_text("utf-8")
    assert {entry["eprint"] for entry in bibtexparser.parse_string(text).entries} == {"2606.00001", "2606.00002"}


def test_a_browser_finds_the_app_the_icons_and_the_search(page_as, site, paper):
    page = page_as(None)
    page.goto(f"{site}/papers/2606.00001/")
    assert page.locator("meta[name=citation_author]").get_attribute("content") == "Lovelace, Ada"
    for kind in ("manifest", "search", "apple-touch-icon", "icon", "canonical"):
        address = page.locator(f"link[rel='{kind}']").first.evaluate("link => link.href")
        assert address.startswith(site) and page.request.get(address).ok
    manifest = page.request.get(f"{site}/site.webmanifest").json()
    for icon in manifest["icons"]:
        assert page.request.get(f"{site}{icon['src']}").headers["content-type"] == icon["type"]
