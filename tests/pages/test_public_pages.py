"""What holds for every public page: caches, headers, languages, and errors."""

import re

import pytest
from django.conf import settings
from django.core.exceptions import PermissionDenied, SuspiciousOperation
from django.db import connection
from django.http import Http404
from django.test import Client, override_settings
from django.test.utils import CaptureQueriesContext
from django.urls import path
from django.utils import timezone

from papers.models import Paper, UserBookmark, UserNote
from papersite.urls import urlpatterns as real_urlpatterns
from tests.factories import DAY, make_paper, make_summary


@pytest.fixture
def pages(db) -> list[str]:
    """Addresses of every kind of public page, with something on each."""
    summarised = make_paper(arxiv_id="2606.55555")
    make_summary(summarised)
    make_paper(arxiv_id="2606.66666")
    return ["/", f"/day/{DAY}/", "/day/2020-01-01/", "/papers/2606.55555/", "/papers/2606.66666/", "/search/"]


def test_public_pages_touch_no_session_and_set_no_cookie(client, pages):
    for page in pages:
        response = client.get(page)
        assert response.status_code == 200
        assert not response.cookies
        assert not response.wsgi_request.session.accessed


def test_caches_may_keep_public_pages_but_must_ask_again(client, pages):
    for page in pages:
        response = client.get(page)
        assert response.headers["Cache-Control"] == "public, max-age=0, must-revalidate"
        assert "Cookie" in response.headers["Vary"]
        again = client.get(page, headers={"If-None-Match": response.headers["ETag"]})
        assert again.status_code == 304


def test_a_page_that_changed_has_another_etag(client, pages):
    before = client.get(f"/day/{DAY}/").headers["ETag"]
    make_paper()
    assert client.get(f"/day/{DAY}/", headers={"If-None-Match": before}).status_code == 200


def test_nothing_is_inline_and_nothing_comes_from_elsewhere(client, pages):
    for page in [*pages, "/nowhere/"]:
        response = client.get(page)
        html = response.content.decode()
        assert not re.search(r"<style|\sstyle=|\son\w+=|<script(?![^>]*\ssrc=)", html)
        # A canonical link and those of feeds name this site itself, and nothing is fetched from them.
        loaded = re.sub(r"<link rel=\"(?:canonical|alternate)\"[^>]*>", "", html)
        assert not re.search(r"<(?:link|script|img|iframe)[^>]*(?:href|src)=\"(?:https?:)?//", loaded)
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'self'" in policy and "unsafe" not in policy


def test_links_to_other_sites_give_nothing_away(client, pages):
    for page in pages:
        for link in re.findall(r"<a [^>]*href=\"https?://[^>]*>", client.get(page).content.decode()):
            assert 'rel="noopener noreferrer nofollow"' in link


@pytest.mark.parametrize("method", ["post", "put", "delete", "patch"])
def test_public_pages_are_only_read(client, db, method):
    assert getattr(client, method)("/").status_code == 405


def test_private_things_are_on_no_public_page(client, pages):
    paper = Paper.objects.get(arxiv_id="2606.55555")
    UserNote.objects.create(paper=paper, content="private-note", created_at=timezone.now(), updated_at=timezone.now())
    UserBookmark.objects.create(paper=paper, note="private-bookmark", created_at=timezone.now())
    for page in pages:
        html = client.get(page).content.decode()
        assert "private-note" not in html and "private-bookmark" not in html


class TestLanguage:
    def test_pages_are_in_the_language_of_the_installation_whatever_the_browser(self, client, pages):
        response = client.get("/", headers={"Accept-Language": "en"})
        assert 'lang="zh-Hans"' in response.content.decode()
        assert "Accept-Language" not in response.headers["Vary"]

    def test_the_chosen_language_is_remembered(self, pages):
        client = Client(enforce_csrf_checks=True)
        answer = client.post("/language/", {"language": "en", "next": f"/day/{DAY}/"})
        assert answer.status_code == 302 and answer.headers["Location"] == f"/day/{DAY}/"
        assert answer.cookies[settings.LANGUAGE_COOKIE_NAME]["max-age"] > 30 * 24 * 3600
        html = client.get("/").content.decode()
        assert '<html lang="en">' in html and ">English<" not in html and "Papers of" in html

    @pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)"])
    def test_the_switch_leads_to_no_other_site(self, client, db, target):
        assert client.post("/language/", {"language": "en", "next": target}).headers["Location"] == "/"

    def test_other_sites_cannot_switch(self, client, db):
        answer = client.post("/language/", {"language": "en"}, headers={"Sec-Fetch-Site": "cross-site"})
        assert answer.status_code == 403 and not answer.cookies

    @pytest.mark.parametrize("chosen", ["xx", "", "de", "zh-hant", "../en", "\x00"])
    def test_an_unknown_language_is_the_installations_own(self, client, pages, chosen):
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = chosen
        assert 'lang="zh-Hans"' in client.get("/").content.decode()

    def test_english_blocks_say_so(self, client, pages):
        html = client.get("/papers/2606.55555/").content.decode()
        assert re.search(r'<p class="paper__original" lang="en"', html)


def test_heavy_columns_stay_where_they_are(client, db):
    paper = make_paper(abstract="abstract " * 2000)
    make_summary(paper)
    with CaptureQueriesContext(connection) as captured:
        client.get(f"/day/{DAY}/")
        client.get(paper.get_absolute_url())
    assert captured.captured_queries
    assert not any("full_json" in query["sql"] for query in captured)


def _raise(error: Exception):
    def view(request):
        raise error

    return view


urlpatterns = [
    *real_urlpatterns,
    path("raise/400/", _raise(SuspiciousOperation("details"))),
    path("raise/403/", _raise(PermissionDenied("details"))),
    path("raise/404/", _raise(Http404("details"))),
    path("raise/500/", _raise(RuntimeError("details"))),
]


class TestErrors:
    @pytest.mark.parametrize(("code", "title"), [(400, "请求无法理解"), (403, "没有权限"), (404, "没有这个页面"), (500, "网站出错了")])  # fmt: skip
    @override_settings(ROOT_URLCONF=__name__)
    def test_each_error_has_a_page_with_a_way_on_and_no_details(self, code, title):
        # Without a database: the page must stand when that is what fails.
        response = Client(raise_request_exception=False).get(f"/raise/{code}/")
        html = response.content.decode()
        assert response.status_code == code
        assert title in html and 'href="/"' in html and "details" not in html

    def test_a_wrong_host_gets_the_page_too(self):
        response = Client(SERVER_NAME="evil.example").get("/")
        assert response.status_code == 400 and "请求无法理解" in response.content.decode()

    def test_a_form_without_its_token_says_what_to_do(self, db):
        response = Client(enforce_csrf_checks=True).post("/admin/login/", {"username": "x"})
        assert response.status_code == 403 and "刷新后再试" in response.content.decode()
