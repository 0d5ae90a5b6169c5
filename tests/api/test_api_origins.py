"""Pages of other sites: none may call unless it is named, and never with the visitor's cookies."""

import pytest
from django.test import modify_settings
from pydantic import ValidationError

from papersite.configuration import Configuration
from tests.roles import client_of

NAMED = "https://reader.example.org"
PREFLIGHT = {"origin": NAMED, "access-control-request-method": "PUT", "access-control-request-headers": "authorization"}

pytestmark = pytest.mark.django_db


@pytest.fixture
def named(settings):
    settings.CORS_ALLOWED_ORIGINS = [NAMED]
    with modify_settings(MIDDLEWARE={"prepend": "corsheaders.middleware.CorsMiddleware"}):
        yield


def of_cors(answer) -> dict[str, str]:
    return {name.lower(): value for name, value in answer.headers.items() if name.lower().startswith("access-control-")}


@pytest.mark.parametrize("path", ["/api/v1/papers", "/api/v1/bookmarks", "/"])
def test_without_the_setting_nobody_is_allowed(client, path):
    for answer in (client.get(path, headers={"origin": NAMED}), client.options(path, headers=PREFLIGHT)):
        assert of_cors(answer) == {}


def test_a_named_site_may_call_and_read_every_answer(client, named):
    for path, status in (("papers", 200), ("bookmarks", 401), ("nothing", 404)):
        answer = client.get(f"/api/v1/{path}", headers={"origin": NAMED})
        assert answer.status_code == status
        assert answer.headers["Access-Control-Allow-Origin"] == NAMED
        assert "origin" in answer.headers["Vary"].lower()
        assert "Retry-After" in answer.headers["Access-Control-Expose-Headers"]
        assert "Access-Control-Allow-Credentials" not in answer.headers


def test_a_preflight_is_answered_without_a_token(client, named):
    answer = client.options("/api/v1/papers/hep-th/9901001/note", headers=PREFLIGHT)
    assert answer.status_code == 200
    assert answer.headers["Access-Control-Allow-Origin"] == NAMED
    assert "PUT" in answer.headers["Access-Control-Allow-Methods"]
    assert "authorization" in answer.headers["Access-Control-Allow-Headers"]
    assert "Access-Control-Allow-Credentials" not in answer.headers


@pytest.mark.parametrize(
    "origin", ["https://evil.example", "null", NAMED + ".evil.example", NAMED.replace("https", "http")]
)
def test_another_site_may_not(client, named, origin):
    for answer in (
        client.get("/api/v1/papers", headers={"origin": origin}),
        client.options("/api/v1/papers", headers={**PREFLIGHT, "origin": origin}),
    ):
        assert "Access-Control-Allow-Origin" not in answer.headers


@pytest.mark.parametrize("path", ["/", "/mine/", "/admin/", "/status/"])
def test_only_the_api_is_opened(named, path):
    assert of_cors(client_of("owner").get(path, headers={"origin": NAMED})) == {}


@pytest.mark.parametrize("text", ["https://a.example,http://localhost:8080", "", "https://xn--bcher-kva.example"])
def test_origins_that_can_be(text, monkeypatch):
    monkeypatch.setenv("PAPERSITE_API_ORIGINS", text)
    assert Configuration().api_origins == [part for part in text.split(",") if part]


@pytest.mark.parametrize(
    "text",
    ["*", "a.example", "https://a.example/", "https://a.example/x", "https://A.example", "https://u@a.example", "null",
     "https://a.example?x", "ftp://a.example"],
)  # fmt: skip
def test_origins_that_cannot_be(text, monkeypatch):
    monkeypatch.setenv("PAPERSITE_API_ORIGINS", text)
    with pytest.raises(ValidationError):
        Configuration()
