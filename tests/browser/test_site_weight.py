"""What a browser asks for to show a page: the page, one stylesheet, one script."""

import pytest

from tests.factories import DAY, make_paper, make_summary

# What browsers fetch beside the page, when they like, and keep for all pages.
BESIDE = ("favicon", "icon", "webmanifest", "opensearch")


@pytest.mark.parametrize("address", ["/", f"/day/{DAY}/", "/papers/2606.90001/", "/search/?q=attention", "/status/"])
def test_a_page_takes_three_requests(page_as, site, address):
    make_summary(make_paper(arxiv_id="2606.90001"))
    page = page_as(None)
    asked = []
    page.on("request", lambda request: asked.append(request.url.removeprefix(site)))
    page.goto(site + address, wait_until="networkidle")
    needed = [url for url in asked if not any(word in url for word in BESIDE)]
    assert sorted(needed) == sorted([address, "/static/site.css", "/static/site.js"])
