"""The list of keys names every key that works, and none that does not."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.test import Client

from tests.factories import make_paper, make_summary
from tests.roles import client_of

pytestmark = pytest.mark.django_db

SCRIPT = Path(settings.BASE_DIR) / "static/js/site/keyboard.js"
# Keys of the browser's own that the script minds, as the list shows them.
ENTER, ESCAPE = "↵", "Esc"
OF_THE_OWNER = {"s", "m", "g m"}
NEED_OTHERS = {"g"}  # does nothing by itself


def working(html: str) -> set[str]:
    """Return the keys that the script acts on, on a page with these links."""
    keys = re.search(r"const KEYS = \{(.*?)\n\};", SCRIPT.read_text(), re.DOTALL)
    assert keys
    single = set(re.findall(r'^  "?([^\s":]+)"?:? ?', keys[1], re.MULTILINE))
    single = {key.rstrip(":,").strip('"') for key in single}
    return single | {f"g {letter}" for letter in re.findall(r'data-go="(\w)"', html)} | {ENTER, ESCAPE}


def named(html: str) -> set[str]:
    """Return the keys in the list; two for one line are one after the other, or one beside the other."""
    lines = re.findall(r"<dt>(.*?)</dt>\s*<dd>(.*?)</dd>", re.search(r"<dialog.*?</dialog>", html, re.DOTALL)[0])
    assert all(words.strip() for _keys, words in lines)
    found: set[str] = set()
    for keys, _words in lines:
        letters = re.findall(r"<kbd>(.*?)</kbd>", keys)
        found |= {" ".join(letters)} if letters[0] == "g" else set(letters)
    return found


@pytest.mark.parametrize("language", ["zh-hans", "en"])
@pytest.mark.parametrize("role", [None, "operator", "owner"])
@pytest.mark.parametrize("address", ["/", "/papers/2606.50001/", "/mine/"])
def test_every_key_that_works_is_in_the_list(role, language, address):
    make_summary(make_paper(arxiv_id="2606.50001"))
    client = client_of(role) if role else Client()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
    answer = client.get(address, follow=True)
    html = answer.content.decode()
    if "data-keys-help" not in html:  # the page to sign in on
        return
    wanted = working(html) - NEED_OTHERS
    if role != "owner":
        assert "g m" not in wanted
        wanted -= OF_THE_OWNER
    assert named(html) == wanted
