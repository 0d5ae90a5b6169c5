"""Nothing of the owner, or of anybody with a session, is ever in a page that somebody else gets."""

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.middleware.csrf import get_token
from django.template import engines
from django.test import Client, override_settings
from django.urls import include, path

from papers.pages.public import kept_pages, public_page
from tests.factories import DAY, make_paper, make_summary
from tests.roles import client_of

PUBLIC = "public, max-age=0, must-revalidate"
PRIVATE = "private, no-store"


@public_page
def greeting(request):
    """Show who asks, as a careless template might."""
    html = engines["django"].from_string("{{ request.is_owner }} {{ user.username }}").render({}, request)
    return HttpResponse(html)


@public_page
def with_form(request):
    return HttpResponse(get_token(request))


@public_page
def with_cookie(request):
    response = HttpResponse("page")
    response.set_cookie("seen", "1")
    return response


@public_page
def with_header(request):
    return HttpResponse("page", headers={"Link": "<https://example.org/>; rel=canonical"})


urlpatterns = [
    path("greeting/", greeting),
    path("with-form/", with_form),
    path("with-cookie/", with_cookie),
    path("with-header/", with_header),
    path("", include("papersite.urls")),
]


@pytest.fixture
def pages(db) -> list[str]:
    """Addresses of public pages with something on each."""
    make_summary(make_paper(arxiv_id="2606.55555"))
    return ["/", f"/day/{DAY}/", "/papers/2606.55555/", "/search/?q=attention"]


@pytest.fixture
def owner(db) -> Client:
    """The owner's browser."""
    return client_of("owner")


@pytest.mark.parametrize("owner_first", [True, False])
def test_the_owners_visit_leaves_nothing_behind(client, owner, pages, owner_first):
    for page in pages:
        before = None if owner_first else client.get(page).content
        private = owner.get(page)
        assert private.headers["Cache-Control"] == PRIVATE and "ETag" not in private.headers
        public = client.get(page)
        assert public.headers["Cache-Control"] == PUBLIC
        assert before in (None, public.content)
    assert owner.get(pages[0]).wsgi_request.is_owner is True


def test_the_owner_is_given_no_page_that_was_kept_for_others(client, owner, pages):
    for page in pages:
        client.get(page)
        client.get(page)
        assert owner.get(page).headers["Cache-Control"] == PRIVATE


@pytest.mark.parametrize("role", ["operator", "editor", "auditor"])
def test_who_works_here_but_is_not_the_owner_gets_what_everybody_gets(client, pages, role):
    working = client_of(role)
    for page in pages:
        theirs = working.get(page)
        assert theirs.wsgi_request.is_owner is False
        assert theirs.headers["Cache-Control"] == PUBLIC
        assert client.get(page).content == theirs.content


@override_settings(ROOT_URLCONF=__name__)
def test_a_page_made_for_someone_with_a_session_is_kept_for_nobody(client, db):
    assert client_of("editor").get("/greeting/").content == b"False editor"
    assert client.get("/greeting/").content == b"False "


@pytest.mark.parametrize("forged", ["x", "", "0" * 32, "é" * 10, "a" * 4000])
def test_a_forged_session_is_nobodys(client, pages, forged):
    client.cookies[settings.SESSION_COOKIE_NAME] = forged
    for page in pages:
        answer = client.get(page)
        assert answer.status_code == 200 and answer.wsgi_request.is_owner is False


def test_an_owner_who_signed_out_is_nobody(owner, pages):
    owner.post("/admin/logout/")
    assert owner.get(pages[0]).headers["Cache-Control"] == PUBLIC


@override_settings(ROOT_URLCONF=__name__)
@pytest.mark.parametrize("page", ["/with-form/", "/with-cookie/"])
def test_a_page_with_a_token_or_a_cookie_is_one_persons(client, db, page):
    make_paper()
    answer = client.get(page)
    assert answer.headers["Cache-Control"] == PRIVATE and answer.cookies
    assert kept_pages.bytes == 0


@override_settings(ROOT_URLCONF=__name__)
def test_a_kept_page_has_the_headers_of_its_view_and_those_of_the_site(client, db):
    make_paper()
    first, second = client.get("/with-header/"), client.get("/with-header/")
    assert kept_pages.bytes
    assert first.headers == second.headers
    assert {"Link", "ETag", "Content-Security-Policy", "Content-Language", "Content-Type"} <= second.headers.keys()


class TestAnswers:
    """Every answer is right whether the page was kept or made."""

    @pytest.fixture(params=[0, 2], ids=["made", "kept"])
    def page(self, client, pages, request) -> str:
        """A page that was asked for so often before."""
        for _time in range(request.param):
            client.get(pages[1])
        return pages[1]

    def test_plain_and_compressed_are_the_same_page(self, client, page):
        import gzip

        packed = client.get(page, headers={"Accept-Encoding": "gzip, br"})
        plain = client.get(page)
        assert packed.headers["Content-Encoding"] == "gzip" and "Content-Encoding" not in plain.headers
        assert gzip.decompress(packed.content) == plain.content
        assert packed.headers["ETag"] == plain.headers["ETag"]
        assert int(packed.headers["Content-Length"]) == len(packed.content)
        for answer in (packed, plain):
            assert {"Accept-Encoding", "Cookie"} == {part.strip() for part in answer.headers["Vary"].split(",")}

    def test_head_tells_what_get_would(self, client, page):
        got, head = client.get(page), client.head(page)
        assert head.content == b"" and head.headers == got.headers

    def test_not_modified_has_what_a_cache_needs_and_no_page(self, client, page):
        etag = client.get(page).headers["ETag"]
        answer = client.get(page, headers={"If-None-Match": f'"other", {etag}', "Accept-Encoding": "gzip"})
        assert answer.status_code == 304 and answer.content == b""
        assert answer.headers["ETag"] == etag and answer.headers["Cache-Control"] == PUBLIC
        assert "Cookie" in answer.headers["Vary"] and "Content-Encoding" not in answer.headers

    @pytest.mark.parametrize("etag", ['"other"', "nonsense", "W/", ""])
    def test_another_etag_gets_the_page(self, client, page, etag):
        assert client.get(page, headers={"If-None-Match": etag}).status_code == 200

    @pytest.mark.parametrize(("cookie", "value"), [(settings.LANGUAGE_COOKIE_NAME, "en"), ("papersite-theme", "dark")])
    def test_each_language_and_theme_has_its_own(self, client, page, cookie, value):
        plain = client.get(page)
        client.cookies[cookie] = value
        other = client.get(page)
        assert other.content != plain.content and other.headers["ETag"] != plain.headers["ETag"]
        del client.cookies[cookie]
        assert client.get(page).content == plain.content

    def test_the_language_of_a_kept_page_is_said(self, client, page):
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
        assert client.get(page).headers["Content-Language"] == "en"

    @pytest.mark.parametrize("value", ["purple", "", "DARK", "x" * 4000])
    def test_cookies_that_mean_nothing_make_no_other_page(self, client, page, value):
        plain = client.get(page)
        kept = kept_pages.bytes
        client.cookies["papersite-theme"] = value
        assert client.get(page).content == plain.content
        assert kept_pages.bytes == kept


def test_errors_and_redirects_are_asked_for_anew(client, pages):
    for page, status in {"/papers/2606.99999/": 404, "/day/2026-13-01/": 404, "/papers/2606.55555v2/": 301}.items():
        answer = client.get(page)
        assert answer.status_code == status and answer.headers["Cache-Control"] == PUBLIC
    assert kept_pages.bytes == 0


def test_another_name_of_the_site_has_its_own_pages(client, pages, settings):
    settings.ALLOWED_HOSTS = ["one.example", "two.example"]
    client.get("/", headers={"Host": "one.example"})
    kept = kept_pages.bytes
    client.get("/", headers={"Host": "two.example"})
    assert kept_pages.bytes > kept
    assert client.get("/", headers={"Host": "evil.example"}).status_code == 400
