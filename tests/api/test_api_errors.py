"""Every error of the API is JSON with a sentence and a code, and the API describes itself."""

import pytest

from papersite.api_errors import CODES

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("method", "path", "status"),
    [
        ("get", "/api/v1/nothing", 404),
        ("get", "/api/v1/papers/", 404),
        ("get", "/api/v1/health/", 404),
        ("get", "/api/", 404),
        ("get", "/api/v2/papers", 404),
        ("get", "/api/v1/", 404),
        ("post", "/api/v1/papers", 405),
        ("delete", "/api/v1/papers/2605.00001", 405),
        ("put", "/api/v1/health", 405),
        ("post", "/api/v1/openapi.json", 405),
        ("options", "/api/v1/nothing", 404),
    ],
)
def test_errors_are_json(client, method, path, status):
    answer = getattr(client, method)(path)
    assert answer.status_code == status
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.json()["code"] == CODES[status][0]
    assert isinstance(answer.json()["detail"], str)


def test_a_wrong_method_is_told_the_right_ones(client):
    assert client.post("/api/v1/papers").headers["Allow"] == "GET, HEAD, OPTIONS"


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("papers", "GET, HEAD, OPTIONS"),
        ("papers/hep-th/9901001", "GET, HEAD, OPTIONS"),
        ("health", "GET, HEAD, OPTIONS"),
        ("openapi.json", "GET, HEAD, OPTIONS"),
        ("bookmarks", "GET, HEAD, OPTIONS"),
        ("papers/hep-th/9901001/note", "DELETE, GET, HEAD, OPTIONS, PUT"),
        ("papers/2605.00001/reading-status", "GET, HEAD, OPTIONS, PUT"),
    ],
)
def test_options_names_the_methods_to_everybody(client, path, allowed):
    answer = client.options(f"/api/v1/{path}")
    assert (answer.status_code, answer.content) == (204, b"")
    assert answer.headers["Allow"] == allowed
    assert "Content-Type" not in answer.headers


def test_a_host_that_is_not_ours_is_a_json_error(client):
    answer = client.get("/api/v1/papers", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_request"


@pytest.mark.parametrize("debug", [True, False])
def test_an_unexpected_fault_tells_nothing(client, monkeypatch, settings, debug):
    settings.DEBUG = debug

    def break_down(*_, **__):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("papers.api.list_ids", break_down)
    answer = client.get("/api/v1/papers")
    assert answer.status_code == 500
    assert answer.json() == {"detail": CODES[500][1], "code": "server_error"}


def test_head_is_get_without_a_body(client):
    answer = client.head("/api/v1/papers")
    assert answer.status_code == 200
    assert answer.content == b""
    assert int(answer.headers["Content-Length"]) > 0


def test_the_api_describes_every_answer_and_example(client):
    paths = client.get("/api/v1/openapi.json").json()["paths"]
    operations = {
        (method, path.removeprefix("/api/v1/")): one for path, ways in paths.items() for method, one in ways.items()
    }
    assert set(operations["get", "papers"]["responses"]) == {"200", "422", "429"}
    assert set(operations["get", "papers/{arxiv_id}"]["responses"]) == {"200", "404", "429"}
    assert set(operations["get", "health"]["responses"]) == {"200", "429", "503"}
    assert all("security" not in operations["get", path] for path in ("papers", "papers/{arxiv_id}", "health"))
    for operation in operations.values():
        assert operation["summary"] and operation["description"]
        assert all(parameter.get("description") for parameter in operation.get("parameters", []))


def test_the_pages_that_describe_it_ask_nothing_of_another_site(client):
    answer = client.get("/api/v1/docs")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "https://" not in page and "http://" not in page and "cdn" not in page.lower()
    assert "Content-Security-Policy" in answer.headers
