"""What protects someone who is signed in."""

import os
import subprocess
import sys

import pytest
from django.contrib.auth.models import User
from django.test import Client

from papersite.configuration import PROJECT_DIR
from tests.factories import make_paper
from tests.roles import PASSWORD, client_of, make_user


def signed_in(name="owner") -> Client:
    client = Client()
    client.post("/admin/login/", {"username": name, "password": PASSWORD})
    return client


def is_in(client: Client) -> bool:
    return client.get("/admin/").status_code == 200


def test_the_cookie_is_closed_to_scripts_and_to_other_sites(db):
    make_user("owner")
    cookie = signed_in().cookies["sessionid"]
    assert cookie["httponly"] and cookie["samesite"] == "Lax" and cookie["max-age"] == 7 * 24 * 3600


def test_signing_in_changes_the_session(db):
    make_user("owner")
    client = Client()
    client.get("/admin/login/")
    session = client.session
    session["planted"] = "by someone else"
    session.save()
    client.cookies["sessionid"] = planted = session.session_key
    client.post("/admin/login/", {"username": "owner", "password": PASSWORD})
    assert client.cookies["sessionid"].value != planted
    assert is_in(client)
    thief = Client()
    thief.cookies["sessionid"] = planted
    assert not is_in(thief)


def test_one_signs_out_by_a_form_alone(db):
    client = client_of("owner")
    assert client.get("/admin/logout/").status_code == 405
    assert is_in(client)
    session = client.cookies["sessionid"].value
    assert client.post("/admin/logout/").status_code == 302 or not is_in(client)
    thief = Client()
    thief.cookies["sessionid"] = session
    assert not is_in(thief)


def test_a_forged_form_neither_signs_in_nor_out(db):
    make_user("owner")
    client = Client(enforce_csrf_checks=True)
    assert client.post("/admin/login/", {"username": "owner", "password": PASSWORD}).status_code == 403
    client.force_login(User.objects.get(), backend="django.contrib.auth.backends.ModelBackend")
    assert client.post("/admin/logout/").status_code == 403
    assert is_in(client)


def test_a_new_password_ends_all_other_sessions(db):
    make_user("editor")
    here, elsewhere = signed_in("editor"), signed_in("editor")
    fresh = "another fine long password"
    form = {"old_password": PASSWORD, "new_password1": fresh, "new_password2": fresh}
    assert here.post("/admin/password_change/", form).status_code == 302
    assert is_in(here)
    assert not is_in(elsewhere)


def test_an_account_that_is_closed_is_out_at_once(db):
    client = client_of("operator")
    User.objects.update(is_active=False)
    assert not is_in(client)


@pytest.mark.parametrize(
    "address", ["/admin/", "/admin/papers/paper/", "/admin/login/", "/admin/password_change/", "/admin/deletion/"]
)
def test_pages_of_the_admin_are_kept_nowhere(db, address):
    kept = (
        client_of("owner").get(address)["Cache-Control"]
        if "login" not in address
        else Client().get(address)["Cache-Control"]
    )
    assert "no-store" in kept and "private" in kept


def test_a_reader_gets_no_session_and_no_cookie(db):
    paper = make_paper()
    client = Client()
    for address in ("/", "/status/", "/search/?q=attention", paper.get_absolute_url(), "/api/v1/health"):
        assert client.get(address).status_code == 200
    assert not client.cookies


@pytest.mark.parametrize(
    "away", ["https://evil.example/", "//evil.example/", "/\\evil.example", "https:evil.example", "javascript:alert(1)"]
)
def test_after_signing_in_nobody_is_led_away(db, away):
    make_user("owner")
    answer = Client().post(f"/admin/login/?next={away}", {"username": "owner", "password": PASSWORD, "next": away})
    assert answer["Location"] == "/admin/"


def test_after_signing_in_one_is_where_one_wanted_to_be(db):
    make_user("owner")
    wanted = "/admin/papers/paper/?q=x"
    answer = Client().post("/admin/login/", {"username": "owner", "password": PASSWORD, "next": wanted})
    assert answer["Location"] == wanted


@pytest.mark.parametrize(
    ("address", "secure"), [("https://papers.example.org", True), ("http://papers.example.org", False)]
)
def test_under_https_cookies_are_for_https_alone(tmp_path, address, secure):
    ask = (
        "from django.conf import settings as s; "
        "print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_HSTS_SECONDS > 0)"
    )
    own = {"PAPERSITE_BASE_URL": address, "PAPERSITE_DATA_DIR": str(tmp_path)}
    done = subprocess.run(
        [sys.executable, "-c", ask], cwd=PROJECT_DIR, env=os.environ | own, capture_output=True, text=True
    )
    assert done.stdout.split() == [str(secure)] * 3
