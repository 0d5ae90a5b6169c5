"""Tokens: what is kept of them, when they count, and the command that makes them."""

import datetime as dt
import hashlib
import io

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection
from django.utils import timezone

from papersite import api_tokens
from papersite.api_tokens import (
    NameTaken,
    UnknownToken,
    UnusableName,
    create_token,
    find_token,
    note_use,
    revoke,
    why_not_in_force,
)
from papersite.models import ApiToken, TokenScope

pytestmark = pytest.mark.django_db


def made(name="mirror", scope=TokenScope.READ, days=None):
    return create_token(name, scope, days=days, by="someone")


def run(*words):
    out = io.StringIO()
    call_command("api_token", *words, stdout=out)
    return out.getvalue()


def test_of_a_token_the_hash_alone_is_kept():
    token, text = made()
    assert text.startswith(f"{token.prefix}_") and len(text) == 55
    assert token.token_hash == hashlib.sha256(text.encode()).hexdigest()
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM api_tokens")
        assert text[len(token.prefix) + 1 :] not in str(cursor.fetchall())


def test_a_token_is_found_by_the_whole_of_it():
    token, text = made()
    assert find_token(text) == token
    for wrong in ("", text[:-1], text + "x", text.upper(), token.prefix, token.token_hash, "é" * 500, "\udcff"):
        assert find_token(wrong) is None


def test_hashes_are_compared_in_constant_time(monkeypatch):
    _token, text = made()
    compared = []
    monkeypatch.setattr(api_tokens.hmac, "compare_digest", lambda *two: compared.append(two))
    assert find_token(text) is None and len(compared) == 1


def test_a_token_counts_until_it_ends_or_is_revoked():
    token, _text = made(days=2)
    assert why_not_in_force(token) is None
    token.ends_at = timezone.now() - dt.timedelta(days=1)
    assert why_not_in_force(token) == f"ended on {token.ends_at:%Y-%m-%d}"
    assert why_not_in_force(revoke("mirror")) == f"was revoked on {timezone.now():%Y-%m-%d}"


def test_a_use_is_noted_once_a_minute(django_assert_num_queries):
    token, _text = made()
    with django_assert_num_queries(1):
        note_use(token)
    first = ApiToken.objects.get().last_used_at
    note_use(token)  # as another process that read the row before
    seen = ApiToken.objects.get()
    assert seen.last_used_at == first
    with django_assert_num_queries(0):
        note_use(seen)
    seen.last_used_at = first - dt.timedelta(minutes=2)
    seen.save()
    note_use(seen)
    assert ApiToken.objects.get().last_used_at >= first


def test_two_tokens_in_force_have_two_names_but_a_revoked_one_gives_its_name_back():
    made()
    with pytest.raises(NameTaken):
        made(" mirror ")
    old = revoke("mirror")
    new, _text = made()
    assert revoke("mirror") == new
    assert revoke(old.prefix) == old


@pytest.mark.parametrize("name", ["", "  ", "x" * 101, "a\x00b", "ps_0123abcd", "\ud800"])
def test_a_name_that_cannot_be(name):
    with pytest.raises(UnusableName):
        made(name)


def test_the_database_refuses_another_scope():
    made()
    with pytest.raises(IntegrityError):
        ApiToken.objects.update(scope="everything")


def test_an_unknown_token_cannot_be_revoked():
    with pytest.raises(UnknownToken):
        revoke("nothing")


# ---------------------------------------------------------------- the command


def test_create_prints_the_token_and_nothing_else():
    text = run("create", "mirror", "--scope", "personal", "--days", "7").removesuffix("\n")
    token = find_token(text)
    assert token.scope == "personal" and (token.ends_at - token.created_at).days == 7
    assert find_token(run("create", "for ever", "--scope", "read").strip()).ends_at is None


def test_list_tells_of_each_and_never_a_secret():
    _token, text = made("first", days=3)
    made("second", TokenScope.OPERATE)
    revoke("second")
    second, first = run("list").splitlines()
    assert "first" in first and "ends on" in first and "never used" in first
    assert "second" in second and "was revoked on" in second and "operate" in second
    assert text not in first


def test_revoke_by_name_or_beginning_twice_is_as_once():
    token, _text = made()
    assert "was revoked on" in run("revoke", "mirror")
    when = ApiToken.objects.get().revoked_at
    assert "was revoked on" in run("revoke", token.prefix)
    assert ApiToken.objects.get().revoked_at == when


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (["create", "mirror", "--scope", "read"], 1),
        (["revoke", "nothing"], 1),
        (["create", "", "--scope", "read"], 2),
        (["create", "ps_0123abcd", "--scope", "read"], 2),
    ],
)
def test_exit_codes(words, code):
    made()
    with pytest.raises(CommandError) as failed:
        run(*words)
    assert failed.value.returncode == code


@pytest.mark.parametrize(
    "words",
    [
        [],
        ["create"],
        ["create", "x"],
        ["create", "x", "--scope", "all"],
        *(["create", "x", "--scope", "read", "--days", days] for days in ("0", "-1", "²", "9999999999", "1.5")),
    ],
)
def test_wrong_use_is_told(words):
    with pytest.raises(CommandError):  # exit code 2 on the command line, as argparse has it
        run(*words)
    assert not ApiToken.objects.exists()
