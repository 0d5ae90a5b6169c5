"""Who may call: what each lack is answered with, and that no refusal tells of what is there."""

import pytest
from django.contrib.auth.models import User
from django.test import Client, RequestFactory
from django.utils import timezone

from papersite.api_auth import ApiActor, operate, personal
from papersite.api_errors import ApiError
from papersite.api_tokens import create_token, revoke
from papersite.models import ApiToken, TokenScope
from tests.factories import make_paper
from tests.roles import PASSWORD, client_of, make_user

pytestmark = pytest.mark.django_db

BOOKMARKS = "/api/v1/bookmarks"


def with_header(value: str) -> Client:
    return Client(headers={"authorization": value})


def refused(answer, status, code):
    assert answer.status_code == status
    assert answer.json()["code"] == code
    assert "no-store" in answer.headers["Cache-Control"]
    assert answer.headers.get("WWW-Authenticate") == ("Bearer" if status == 401 else None)
    return answer.json()["detail"]


@pytest.mark.parametrize(
    "value",
    [
        "",
        "Bearer",
        "Bearer ",
        "Bearer a b",
        "bearer \t",
        "Bearer ps_00000000_wrong",
        "Bearer " + "x" * 10_000,
        "Bearer é\x80",
        "Basic dXNlcjpwYXNz",
        "Basic",
        "Token x",
        "nonsense",
        "\x00",
        ",",
    ],
)
@pytest.mark.parametrize("path", [BOOKMARKS, "/api/v1/papers/2605.00001/note"])
def test_any_header_that_is_no_token_is_401(value, path):
    refused(with_header(value).get(path), 401, "unauthorized")


def test_without_anything_it_says_what_to_do(client):
    assert "Authorization: Bearer" in refused(client.get(BOOKMARKS), 401, "unauthorized")


def test_a_token_with_the_scope_is_let_in_whatever_the_case_of_its_scheme(script):
    assert script("personal").get(BOOKMARKS).status_code == 200
    _token, text = create_token("loud", TokenScope.PERSONAL, days=None, by=None)
    assert with_header(f"BEARER  {text}").get(BOOKMARKS).status_code == 200


@pytest.mark.parametrize("scope", ["read", "operate"])
def test_a_token_of_another_scope_is_told_which_it_lacks(script, scope):
    assert "`personal`" in refused(script(scope).get(BOOKMARKS), 403, "forbidden")


def test_an_ended_or_revoked_token_is_told_so_at_once():
    _token, text = create_token("mirror", TokenScope.PERSONAL, days=1, by=None)
    script = with_header(f"Bearer {text}")
    assert script.get(BOOKMARKS).status_code == 200
    now = timezone.now()
    ApiToken.objects.update(ends_at=now)
    assert f"ended on {now:%Y-%m-%d}" in refused(script.get(BOOKMARKS), 401, "unauthorized")
    revoke("mirror")
    assert "was revoked on" in refused(script.get(BOOKMARKS), 401, "unauthorized")


def test_only_the_right_secret_is_told_more_than_that_it_is_unknown():
    token, text = create_token("mirror", TokenScope.PERSONAL, days=None, by=None)
    revoke("mirror")
    for wrong in (token.prefix, f"{token.prefix}_{'x' * 43}", text[:-1], token.token_hash):
        assert refused(with_header(f"Bearer {wrong}").get(BOOKMARKS), 401, "unauthorized") == "This token is unknown."


@pytest.mark.parametrize("method", ["GET", "PUT", "DELETE"])
@pytest.mark.parametrize("header", ["", "Bearer wrong"])
def test_no_refusal_tells_whether_a_paper_is_there(method, header):
    make_paper(arxiv_id="2605.00001")
    answers = [
        with_header(header).generic(method, f"/api/v1/papers/{arxiv_id}/bookmark", "{broken", "application/json")
        for arxiv_id in ("2605.00001", "2605.99999", "no-id")
    ]
    assert {answer.status_code for answer in answers} == {401}
    assert len({answer.content for answer in answers}) == 1


def test_the_use_of_a_token_is_kept_also_where_anybody_may_read(script, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"api_rate": 300})
    assert script("read").get("/api/v1/papers").status_code == 200
    assert ApiToken.objects.get().last_used_at is not None


@pytest.mark.parametrize("header", ["Bearer wrong", "Basic x", "\x00"])
def test_what_is_public_asks_for_no_token_and_minds_no_wrong_one(header):
    assert with_header(header).get("/api/v1/papers").status_code == 200


# ---------------------------------------------------------------- sessions


def test_the_owner_reads_by_session_and_others_are_told_what_they_lack():
    assert client_of("owner").get(BOOKMARKS).status_code == 200
    for role in ("operator", "editor", "auditor"):
        assert "`papers.personal`" in refused(client_of(role).get(BOOKMARKS), 403, "forbidden")


def test_a_session_that_is_over_is_401(client):
    client.cookies["sessionid"] = "gone"
    refused(client.get(BOOKMARKS), 401, "unauthorized")


def test_a_closed_account_is_401():
    client = client_of("owner")
    User.objects.update(is_active=False)
    refused(client.get(BOOKMARKS), 401, "unauthorized")


def test_whatever_writes_by_session_needs_the_csrf_token():
    make_paper(arxiv_id="2605.00001")
    client = Client(enforce_csrf_checks=True)
    make_user("owner")
    client.get("/admin/login/")
    sent = {"username": "owner", "password": PASSWORD, "csrfmiddlewaretoken": client.cookies["csrftoken"].value}
    client.post("/admin/login/", sent)
    path = "/api/v1/papers/2605.00001/bookmark"
    assert client.get(BOOKMARKS).status_code == 200
    for method in ("put", "delete"):
        refused(getattr(client, method)(path, "{}", "application/json"), 403, "csrf_failed")
    crossed = client.put(path, "csrfmiddlewaretoken=x", "text/plain", headers={"x-csrftoken": "x" * 64})
    refused(crossed, 403, "csrf_failed")
    headers = {"x-csrftoken": client.cookies["csrftoken"].value}
    assert client.put(path, "{}", "application/json", headers=headers).status_code == 200


def test_a_token_needs_no_csrf_token(script):
    make_paper(arxiv_id="2605.00001")
    client = script("personal")
    client.handler.enforce_csrf_checks = True
    assert client.put("/api/v1/papers/2605.00001/bookmark", "{}", "application/json").status_code == 200


def test_a_wrong_token_is_not_made_good_by_a_session_but_a_proxys_own_header_does_no_harm():
    client = client_of("owner")
    refused(client.get(BOOKMARKS, headers={"authorization": "Bearer wrong"}), 401, "unauthorized")
    assert client.get(BOOKMARKS, headers={"authorization": "Basic dXNlcjpwYXNz"}).status_code == 200


# ---------------------------------------------------------------- who it was


def asked_with(text: str):
    return RequestFactory().get("/", headers={"authorization": f"Bearer {text}"})


def test_the_actor_says_who_it_was():
    token, text = create_token("mirror", TokenScope.OPERATE, days=None, by=None)
    assert operate[0](asked_with(text)) == ApiActor("token mirror", None, token)
    request = RequestFactory().get("/")
    request.user = make_user("operator")
    request.COOKIES["sessionid"] = "there"
    assert operate[1](request) == ApiActor("operator", request.user, None)


def test_operate_does_not_include_what_is_the_owners_and_personal_does_not_operate():
    for scope, ways in ((TokenScope.OPERATE, personal), (TokenScope.PERSONAL, operate)):
        _token, text = create_token(f"for {scope}", scope, days=None, by=None)
        with pytest.raises(ApiError) as refusal:
            ways[0](asked_with(text))
        assert refusal.value.status_code == 403


def test_the_document_names_both_ways(client):
    document = client.get("/api/v1/openapi.json").json()
    schemes = document["components"]["securitySchemes"]
    assert schemes["BearerToken"]["scheme"] == "bearer"
    assert (schemes["Session"]["in"], schemes["Session"]["name"]) == ("cookie", "sessionid")
    for path, ways in document["paths"].items():
        for operation in ways.values():
            if "security" in operation:
                assert {"401", "403", "429"} <= set(operation["responses"]), path
