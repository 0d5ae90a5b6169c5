"""Tokens in the admin: made, shown once, revoked; who did it stands in the record."""

import re

import pytest
from django.contrib.admin.models import LogEntry

from papersite.api_tokens import create_token, find_token, why_not_in_force
from papersite.models import ApiToken, TokenScope
from tests.roles import client_of

ADD = "/admin/papersite/apitoken/add/"
LIST = "/admin/papersite/apitoken/"


def make_by_hand(client, **changed):
    return client.post(ADD, {"name": "mirror", "scope": "personal", "days": "30", **changed})


def test_a_token_is_shown_once_and_kept_nowhere(owner):
    answer = make_by_hand(owner)
    text = re.search(r"ps_[0-9a-f]{8}_[\w-]{43}", answer.content.decode())[0]
    token = find_token(text)
    assert (token.name, token.scope, token.created_by) == ("mirror", "personal", "owner")
    assert (token.ends_at - token.created_at).days == 30
    assert "no-store" in answer["Cache-Control"]
    for address in (LIST, f"{LIST}{token.pk}/change/", f"{LIST}{token.pk}/history/", "/admin/admin/logentry/"):
        page = owner.get(address).content.decode()
        assert text not in page and token.token_hash not in page
        assert text.rpartition("_")[2] not in page
    assert text not in str(list(LogEntry.objects.values_list("object_repr", "change_message")))


def test_making_and_revoking_stand_in_the_record(owner):
    make_by_hand(owner)
    token = ApiToken.objects.get()
    owner.post(LIST, {"action": "revoke", "_selected_action": [token.pk]})
    token.refresh_from_db()
    assert why_not_in_force(token).startswith("was revoked")
    made, revoked = LogEntry.objects.order_by("pk")
    assert made.is_addition() and made.object_repr == revoked.object_repr == str(token)
    assert "撤销" in revoked.get_change_message()


def test_revoking_again_changes_and_records_nothing(owner):
    token, _text = create_token("old", TokenScope.READ, days=None, by=None)
    for _ in range(2):
        owner.post(LIST, {"action": "revoke", "_selected_action": [token.pk]})
    assert LogEntry.objects.count() == 1


@pytest.mark.parametrize(
    "changed",
    [
        {"name": ""},
        {"name": "taken"},
        {"name": "ps_0123abcd"},
        {"name": "x" * 101},
        {"name": "a\x00b"},
        {"scope": "all"},
        {"days": "0"},
        {"days": "99999999"},
        {"days": "soon"},
    ],
)
def test_a_form_that_cannot_be_is_shown_again(owner, changed):
    create_token("taken", TokenScope.READ, days=None, by=None)
    answer = make_by_hand(owner, **changed)
    assert answer.status_code == 200 and answer.context["adminform"].form.errors
    assert ApiToken.objects.count() == 1


def test_the_list_says_which_count(owner):
    create_token("in force", TokenScope.READ, days=3, by=None)
    page = owner.get(LIST).content.decode()
    assert "有效" in page and "已到期" not in page
    ApiToken.objects.update(ends_at="2026-01-01T00:00Z")
    assert "已到期" in owner.get(LIST).content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(("role", "sees"), [("auditor", True), ("operator", False), ("editor", False)])
def test_who_finds_the_way_to_them(role, sees):
    client = client_of(role)
    assert (LIST in client.get("/admin/").content.decode()) is sees
    assert client.get(LIST).status_code == (200 if sees else 403)
    assert make_by_hand(client).status_code == 403
