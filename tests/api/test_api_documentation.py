"""Every example of docs/api.md does what it says."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from papers.models import UserBookmark, UserNote, UserReadingStatus
from papersite.api_errors import CODES
from papersite.api_tokens import create_token
from papersite.models import ApiToken, TokenScope
from tests.factories import make_paper

PAGE = (Path(__file__).resolve().parents[2] / "docs/api.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


def run(command: list[str], address: str) -> str:
    _token, text = create_token("of the page", TokenScope.PERSONAL, days=1, by=None)
    with_site = [part.replace("http://127.0.0.1:8000", address) for part in command]
    done = subprocess.run(with_site, env={**os.environ, "TOKEN": text}, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def site(transactional_db, live_server) -> str:
    for arxiv_id in ("2406.01234", "hep-th/9901001"):
        make_paper(arxiv_id=arxiv_id)
    return live_server.url


def test_the_commands_with_curl(site):
    script = next(block for block in blocks("sh") if "/bookmark" in block)
    listed = run(["bash", "-e", "-c", script], site)
    assert '"for Thursday"' in listed and "Compare *table 3*." in listed
    assert UserBookmark.objects.get().note == "for Thursday"
    assert UserReadingStatus.objects.get().status == "read_full"
    assert not UserNote.objects.exists()


def test_the_script_in_python(site):
    run(["bash", "-e", "-c", next(block for block in blocks("sh") if "/bookmark" in block)], site)
    ApiToken.objects.all().delete()
    script = next(block for block in blocks("python") if "/reading-status" in block)
    assert run([sys.executable, "-c", script], site).startswith("2406.01234 read_full ")


@pytest.mark.django_db
def test_the_commands_on_the_server(capsys):
    for line in re.findall(r"manage\.py api_token (.+)", blocks("")[0]):
        call_command("api_token", *[word.strip('"') for word in re.findall(r'"[^"]+"|\S+', line)])
    assert "was revoked on" in capsys.readouterr().out


def test_the_codes():
    named = dict(re.findall(r"^\| (\d{3}) \| `(\w+)`", PAGE, re.M))
    named["403"] = "forbidden"  # and csrf_failed
    assert named == {str(status): CODES[status][0] for status in map(int, named)}
