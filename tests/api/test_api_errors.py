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
        ("options", "/api/v1/papers", 405),
    ],
)
def test_errors_are_json(client, method, path, status):
    answer = getattr(client, method)(path)
    assert answer.status_code == status
    assert answer.headers["Content-Type"].startswith("application/json")
    assert answer.json()["code"] == CODES[status][0]
    assert isinstance(answer.json()["detail"], str)


def test_a_wrong_method_is_told_the_right_ones(client):
    assert client.post("/api/v1/papers").headers["Allow"] == "GET"


def test_a_host_that_is_not_ours_is_a_json_error(client):
    answer = client.get("/api/v1/papers", headers={"host": "evil.example"})
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_request"


@pytest.mark.parametrize("debug", [True, False])
def test_an_unexpected_fault_tells_nothing(client, monkeypatch, settings, debug):
    settings.DEBUG = debug

    def break_down(**_):
        raise RuntimeError("secret detail")

    monkeypatch.setattr("papers.api.select_papers", break_down)
    answer = client.get("/api/v1/papers")
    assert answer.status_code == 500
    assert answer.json() == {"detail": CODES[500][1], "code": "server_error"}


def test_head_is_get_without_a_body(client):
    answer = client.head("/api/v1/papers")
    assert answer.status_code == 200
    assert answer.content == b""
    assert int(answer.headers["Content-Length"]) > 0


def test_the_api_describes_every_answer_and_example(client):
    description = client.get("/api/v1/openapi.json").json()
    assert set(description["paths"]) == {"/api/v1/papers", "/api/v1/papers/{arxiv_id}", "/api/v1/health"}
    operations = {path: methods["get"] for path, methods in description["paths"].items()}
    assert set(operations["/api/v1/papers"]["responses"]) == {"200", "422"}
    assert set(operations["/api/v1/papers/{arxiv_id}"]["responses"]) == {"200", "404"}
    assert set(operations["/api/v1/health"]["responses"]) == {"200", "503"}
    for operation in operations.values():
        assert operation["summary"] and operation["description"]
        assert all(parameter.get("description") for parameter in operation.get("parameters", []))


def test_the_pages_that_describe_it_ask_nothing_of_another_site(client):
    answer = client.get("/api/v1/docs")
    page = answer.content.decode()
    assert answer.status_code == 200
    assert "https://" not in page and "http://" not in page and "cdn" not in page.lower()
    assert "Content-Security-Policy" in answer.headers
