"""The browser, the site it looks at, and the people who use it. See the package's docstring for how to use them."""

import os
import shutil
from collections.abc import Callable, Container, Iterator
from pathlib import Path

import pytest
from django.conf import settings
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright

from operations import status
from operations.agent.installation import AgentState
from tests.browser.looking import Faults
from tests.roles import client_of

HERE = Path(__file__).parent


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Count every test in a browser as slow: together they take minutes, so that `make test` stays quick without."""
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.slow)


_NAMES = ("chromium", "chromium-browser", "google-chrome")
# Chromium asks nobody but the site: neither for updates nor for names.
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1",
]
_HEIGHTS = {True: 844, False: 900}  # of a phone, of a desk
_PHONE = 600
# Milliseconds to wait for what should be there; pages of tests are made in far less.
_PATIENCE = 10_000


def _chromium() -> str:
    named = os.environ.get("CHROMIUM")
    if named:
        return named
    found = next(filter(None, map(shutil.which, _NAMES)), None)
    if found is None:
        pytest.skip("needs chromium (apt-get install chromium), or CHROMIUM with the path of one")
    return found


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One chromium for all tests of this process."""
    path = _chromium()
    # Playwright leaves a loop running in this thread, and Django refuses the database where it sees one.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "true"
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=path, args=_ARGUMENTS)
        yield chromium
        chromium.close()


@pytest.fixture
def site(browser: Browser, transactional_db: None, data_dir: Path, live_server, monkeypatch) -> str:
    """The address of the site, on a database and a data folder of the test's own, with an agent that can be run."""
    monkeypatch.setattr(status, "agent_state", lambda: AgentState(True, "", "pi 1"))
    return live_server.url


@pytest.fixture
def page_as(browser: Browser, site: str) -> Iterator[Callable[..., Page]]:
    """Open a page as someone; at the end of the test, fail if any page of it had a fault."""
    opened: list[tuple[BrowserContext, Faults]] = []

    def open_page(
        role: str | None,
        *,
        width: int = 1440,
        dark: bool = False,
        javascript: bool = True,
        language: str = "zh-hans",
        refusals: Container[int] = (),
    ) -> Page:
        context = browser.new_context(
            viewport={"width": width, "height": _HEIGHTS[width < _PHONE]},
            color_scheme="dark" if dark else "light",
            java_script_enabled=javascript,
            has_touch=width < _PHONE,
            reduced_motion="reduce",
        )
        context.set_default_timeout(_PATIENCE)
        context.add_cookies(_cookies(site, role, language))
        opened.append((context, Faults(context, site, refusals)))
        return context.new_page()

    yield open_page
    for context, _faults in opened:
        context.close()
    faults = [fault for _context, faults in opened for fault in faults.found]
    assert not faults, "\n".join(faults)


def _cookies(site: str, role: str | None, language: str) -> list:
    cookies = {settings.LANGUAGE_COOKIE_NAME: language}
    if role is not None:
        cookies[settings.SESSION_COOKIE_NAME] = client_of(role).cookies[settings.SESSION_COOKIE_NAME].value
    return [{"name": name, "value": value, "url": site} for name, value in cookies.items()]
