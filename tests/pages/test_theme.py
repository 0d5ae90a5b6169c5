"""The theme a reader chose: remembered, and in the page as the server sends it."""

import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import Client

from papers.pages.public import THEME_COOKIE
from tests.factories import DAY, make_paper

TOKENS = (Path(__file__).resolve().parents[2] / "static/css/site/tokens.css").read_text("utf-8")
EVERYWHERE = ["/", f"/day/{DAY}/", "/status/", "/search/", "/nowhere/", "/papers/2606.00404/"]


def chosen(theme: str) -> Client:
    client = Client()
    client.cookies[THEME_COOKIE] = theme
    return client


@pytest.mark.parametrize("address", EVERYWHERE)
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_every_page_comes_in_the_chosen_theme(db, address, theme):
    make_paper()
    html = chosen(theme).get(address).content.decode()
    assert f'data-theme="{theme}"' in html
    assert f'<meta name="color-scheme" content="{theme}">' in html
    assert re.search(rf'value="{theme}" aria-pressed="true"', html)
    assert html.count('aria-pressed="true"') == 1


@pytest.mark.parametrize("theme", ["", "pink", 'dark" onload="x', "auto"])
def test_without_a_choice_the_page_follows_the_system(db, theme):
    html = chosen(theme).get("/").content.decode()
    assert "data-theme=" not in html
    assert '<meta name="color-scheme" content="light dark">' in html
    assert re.search(r'value="system" aria-pressed="true"', html)


def test_a_kept_page_of_one_theme_is_not_sent_in_another(db):
    make_paper()
    pages = [chosen(theme).get("/").content.decode() for theme in ("dark", "light", "", "dark")]
    assert ['data-theme="dark"' in page for page in pages] == [True, False, False, True]


def test_the_choice_is_kept_for_long_and_leads_back():
    client = Client(enforce_csrf_checks=True)
    answer = client.post("/theme/", {"theme": "dark", "next": "/search/?q=a"})
    assert answer.status_code == 302 and answer.headers["Location"] == "/search/?q=a"
    assert answer.cookies[THEME_COOKIE].value == "dark"
    assert answer.cookies[THEME_COOKIE]["max-age"] > 30 * 24 * 3600
    assert set(answer.cookies) == {THEME_COOKIE}


def test_the_systems_theme_takes_the_choice_away():
    client = chosen("dark")
    answer = client.post("/theme/", {"theme": "system", "next": "/"})
    assert answer.cookies[THEME_COOKIE]["max-age"] == 0


@pytest.mark.parametrize("target", ["https://evil.example/", "//evil.example", "javascript:alert(1)", "", None])
def test_the_switch_leads_to_no_other_site(target):
    answer = Client().post("/theme/", {"theme": "dark", **({} if target is None else {"next": target})})
    assert answer.headers["Location"] == "/"


def test_without_an_address_it_leads_back_to_where_the_browser_says_it_was():
    answer = Client().post("/theme/", {"theme": "dark"}, headers={"Referer": "http://testserver/status/"})
    assert answer.headers["Location"] == "http://testserver/status/"


def test_other_sites_cannot_switch():
    answer = Client().post("/theme/", {"theme": "dark"}, headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 403 and not answer.cookies


@pytest.mark.parametrize("form", [{}, {"theme": "pink"}, {"theme": ""}])
def test_a_theme_that_is_none_is_refused(form):
    answer = Client().post("/theme/", form)
    assert answer.status_code == 400 and not answer.cookies


def test_a_link_cannot_switch():
    assert Client().get("/theme/?theme=dark").status_code == 405


def test_the_browsers_bars_have_the_ground_of_the_page():
    found = re.search(r"--ground: light-dark\((#\w{6}), (#\w{6})\);", TOKENS)
    assert found
    html = render_to_string("_theme_meta.html", {"page_theme": ""})
    assert re.findall(r'data-theme-color="\w+" content="(#\w+)"', html) == [*found.groups()]


def test_the_page_of_a_broken_server_has_a_theme_without_a_request():
    assert 'content="light dark"' in render_to_string("500.html")
