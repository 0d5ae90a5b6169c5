"""Every page of the console, on a desk and on a phone: nothing sticks out, nothing is missing, nothing complains."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import Page

from operations.admin.urls import console_urls
from papers.models import Paper
from tests.admin.test_roles import CONSOLE as READERS
from tests.browser.looking import no_wider_than_screen, unlabelled_fields, unreadable_texts
from tests.everything import address_of, make_everything, models_of_the_admin

CONSOLE = console_urls(lambda view: view)
APPS = sorted({model._meta.app_label for model in models_of_the_admin()})
# What these answer with is put into another page.
PARTS_OF_PAGES = ("_progress", "_state")
DESK, PHONE = 1440, 390
# A folder for pictures of all pages, to be looked at.
PICTURES = os.environ.get("PICTURES")


def console_pages(rows) -> Iterator[str]:
    yield from (reverse(f"admin:{name}") for name in ("index", "password_change"))
    for page in CONSOLE:
        may_read, _may_change = READERS[page.name]
        if not may_read or page.name.endswith(PARTS_OF_PAGES):
            continue
        yield address_of(page, rows)


def pages_of_rows(app: str, rows) -> Iterator[str]:
    for model in models_of_the_admin():
        if model._meta.app_label == app:
            name, row = f"admin:{app}_{model._meta.model_name}", rows[model]
            yield reverse(f"{name}_changelist")
            yield reverse(f"{name}_change", args=[row.pk])
            if app in ("auth", "papers"):
                yield reverse(f"{name}_add")
    if app == "papers":
        yield reverse("admin:papers_paper_history", args=[rows[Paper].pk])


def look_at(page: Page, address: str) -> None:
    """Look at one page in both sizes; a page that nobody may open has nothing to be looked at."""
    page.set_viewport_size({"width": DESK, "height": 900})
    answer = page.goto(address)
    assert answer
    if answer.status in (403, 405):
        return
    assert answer.status == 200, address
    assert page.locator("h1").count() == 1, address
    assert not unlabelled_fields(page), address
    for theme in ("dark", "light"):
        page.emulate_media(color_scheme=theme)
        assert not unreadable_texts(page), f"{address} {theme}"
    for width in (DESK, PHONE):
        page.set_viewport_size({"width": width, "height": 844})
        no_wider_than_screen(page)
        keep_picture(page, width)


def keep_picture(page: Page, width: int) -> None:
    if PICTURES:
        name = page.url.split("/admin/")[1].strip("/").replace("/", "-") or "index"
        Path(PICTURES).mkdir(exist_ok=True)
        page.screenshot(path=f"{PICTURES}/{name}-{width}.png", full_page=True)


def test_the_consoles_own_pages(page_as, site):
    page = page_as("owner")
    for address in console_pages(make_everything()):
        look_at(page, site + address)


@pytest.mark.slow
@pytest.mark.parametrize("app", APPS)
def test_lists_and_rows(page_as, site, app):
    page = page_as("owner")
    for address in pages_of_rows(app, make_everything()):
        look_at(page, site + address)
