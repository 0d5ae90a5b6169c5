"""Every public page in every state, on a phone and on a desk, in both themes and languages.

Nothing complains, nothing sticks out, all can be read, axe-core finds nothing serious, and a page costs three requests.
PICTURES names a folder for pictures of all of them, to be looked at.
"""

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple
from urllib.parse import quote

import pytest
from django.template.loader import render_to_string
from playwright.sync_api import Page

from tests.browser.looking import no_wider_than_screen, serious_faults, unlabelled_fields, unreadable_texts
from tests.browser.readers_world import DAY, EMPTY, FAILED, HALF_DONE, UNASKED, WORD, make_own, make_world

PICTURES = os.environ.get("PICTURES")
ERRORS = ("400", "403", "403_csrf", "404", "500")
# The narrowest screen that WCAG knows (1.4.10): a desk of 1280 pixels at 400 %.
NARROWEST = 320


class Look(NamedTuple):
    """How a page is looked at."""

    width: int
    dark: bool
    language: str

    @property
    def name(self) -> str:
        return f"{self.width}-{'dark' if self.dark else 'light'}-{self.language[:2]}"


# Two that have nothing in common, for every page; two more for those that are read every day.
EVERY = [Look(390, False, "zh-hans"), Look(1440, True, "en")]
MORE = [Look(390, True, "en"), Look(1440, False, "zh-hans")]

MAIN = {
    "home": "/",
    "paper": "/papers/2606.10001/",
    "search": "/search/?q=attention",
    "tags": "/tags/",
    "compare": "/compare/?ids=2606.10001,2606.10003,2606.10008",
    "status": f"/status/?to={EMPTY}",
}
OTHERS = {
    "day-full-filtered": f"/day/{DAY}/?tag=agents",
    "day-full-nothing-left": f"/day/{DAY}/?tag=nothing",
    "day-half-done": f"/day/{HALF_DONE}/",
    "day-empty": f"/day/{EMPTY}/",
    "day-failed": f"/day/{FAILED}/",
    "day-unasked": f"/day/{UNASKED}/",
    "day-future": "/day/2999-01-01/",
    "day-none": "/day/yesterday/",
    "month": "/day/?month=2026-06",
    "paper-mathematics": "/papers/2606.10002/",
    "paper-old-id": "/papers/hep-th/9901001/",
    "paper-664-authors": "/papers/2606.10003/",
    "paper-long": "/papers/2606.10004/",
    "paper-right-to-left": "/papers/2606.10005/",
    "paper-many-tags": "/papers/2606.10006/",
    "paper-low": "/papers/2606.10007/",
    "paper-degraded": "/papers/2606.10008/",
    "paper-withdrawn": "/papers/2606.10009/",
    "paper-pending": "/papers/2606.10010/",
    "paper-processing": "/papers/2606.10011/",
    "paper-failed": "/papers/2606.10012/",
    "paper-permanent": "/papers/2606.10013/",
    "paper-bare": "/papers/2606.10014/",
    "paper-unknown": "/papers/2606.77777/",
    "search-empty": "/search/",
    "search-no-hits": "/search/?q=xyzzy",
    "search-long": "/search/?q=" + quote(f'"{WORD[:200]}"'),
    "search-wordless": "/search/?q=-",
    "search-filtered": "/search/?q=agents&tag=agents",
    "search-beyond": "/search/?q=attention&page=99",
    "tags-none": "/tags/?q=nothing-of-the-kind",
    "tag": "/tags/agents/",
    "tag-long": f"/tags/{WORD[:60]}/",
    "tag-unknown": "/tags/nothing-of-the-kind/",
    "authors": "/authors/",
    "author": "/authors/Ada%20Lovelace/",
    "author-unknown": "/authors/Nobody/",
    "compare-empty": "/compare/",
    "compare-one": "/compare/?ids=2606.10001",
    "compare-odd": "/compare/?ids=2606.10004,2606.10005,2606.10010,2606.10014",
    "status-now": "/status/",
    "feeds": "/feeds/",
    **{f"error-{name}": f"/error-{name}/" for name in ERRORS},
}
OWN = {
    "own-day": f"/day/{HALF_DONE}/",
    "own-paper": "/papers/2606.10001/",
    "own-paper-long": "/papers/2606.10004/",
    "own-search": "/search/?q=attention",
    "own-lists": "/mine/",
}
EMPTY_SITE = ("/", f"/day/{DAY}/", "/search/", "/search/?q=attention", "/tags/", "/authors/", "/status/", "/feeds/")


@pytest.fixture
def look_at(page_as, site) -> Callable[..., None]:
    """Look at pages one after the other, and say at the end what is wrong with any of them."""

    def walk(pages: dict[str, str], look: Look, role: str | None = None) -> None:
        page = page_as(role, width=look.width, dark=look.dark, language=look.language)
        asked: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        for name in ERRORS:
            _show_error(page, name)
        faults = []
        for name, address in pages.items():
            asked.clear()
            page.goto(site + address)
            found = _requests(asked) + _faults(page) + _too_wide(page, look)
            faults += [f"{name} {look.name}: {fault}" for fault in found]
            _keep_picture(page, f"{name}-{look.name}")
        assert not faults, "\n".join(faults)

    return walk


def _show_error(page: Page, name: str) -> None:
    """Put an error page at an address of its own: none leads to all of them."""
    body = render_to_string(f"{name}.html")
    page.route(f"**/error-{name}/", lambda route: route.fulfill(body=body, content_type="text/html"))


def _faults(page: Page) -> list[str]:
    headings = page.locator("h1").count()
    found = [f"{headings} headings of the first level"] if headings != 1 else []
    return found + unlabelled_fields(page) + serious_faults(page) + unreadable_texts(page)


def _requests(asked: list[str]) -> list[str]:
    """Return what was asked for beyond the page, its style and its script."""
    return [f"asks for {url}" for url in asked[1:] if not re.search(r"/static/site(\.\w+)?\.(css|js)$", url)]


def _too_wide(page: Page, look: Look) -> list[str]:
    """Look at the page as it is, and on a phone at the narrowest one too, with letters set wide apart (WCAG 1.4.12)."""
    found = _sideways(page)
    if look.width < 600:
        page.set_viewport_size({"width": NARROWEST, "height": 844})
        found += _sideways(page)
        page.evaluate(_SPACED)
        found += _sideways(page)
        page.evaluate("document.adoptedStyleSheets = []")
        page.set_viewport_size({"width": look.width, "height": 844})
    else:
        page.evaluate("document.documentElement.style.fontSize = '212%'")  # letters alone, twice as large
        found += _sideways(page)
        page.evaluate("document.documentElement.style.fontSize = ''")
    return found


_SPACED = """() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync("* { line-height: 1.5 !important; letter-spacing: 0.12em !important; word-spacing: 0.16em !important }");
  document.adoptedStyleSheets.push(sheet);
}"""


def _sideways(page: Page) -> list[str]:
    try:
        no_wider_than_screen(page)
    except AssertionError as error:
        return [str(error)]
    return []


def _keep_picture(page: Page, name: str) -> None:
    if PICTURES:
        Path(PICTURES).mkdir(exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


@pytest.mark.parametrize("look", EVERY, ids=lambda look: look.name)
def test_every_page(look_at, look):
    make_world()
    look_at(MAIN | OTHERS, look)


@pytest.mark.parametrize("look", MORE, ids=lambda look: look.name)
def test_the_pages_of_every_day_in_the_other_ways_too(look_at, look):
    make_world()
    look_at(MAIN, look)


@pytest.mark.parametrize("look", EVERY, ids=lambda look: look.name)
def test_a_site_without_a_paper(look_at, look):
    look_at({f"empty-site-{number}": address for number, address in enumerate(EMPTY_SITE)}, look)


@pytest.mark.parametrize("look", EVERY, ids=lambda look: look.name)
def test_the_owners_pages(look_at, look):
    make_world()
    make_own()
    look_at(OWN, look, role="owner")
