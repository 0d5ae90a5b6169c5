"""Every example of docs/api.md does what it says."""

import datetime as dt
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command

from operations.models import CrawlJob, CrawlLog
from papers.models import Paper, UserBookmark, UserNote, UserReadingStatus
from papersite.api_errors import CODES
from papersite.api_tokens import create_token
from papersite.models import ApiToken, TokenScope
from tests.factories import make_paper

PAGE = (Path(__file__).resolve().parents[2] / "docs/api.md").read_text("utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", PAGE, re.M | re.S)


def run(command: list[str], address: str, scope: str = TokenScope.PERSONAL, folder: Path | None = None) -> str:
    _token, text = create_token(f"of the page {scope}", TokenScope(scope), days=1, by=None)
    with_site = [part.replace("http://127.0.0.1:8000", address) for part in command]
    done = subprocess.run(
        with_site, env={**os.environ, "TOKEN": text}, capture_output=True, text=True, timeout=60, cwd=folder
    )
    ApiToken.objects.all().delete()
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
    script = next(block for block in blocks("python") if "/reading-status" in block)
    assert run([sys.executable, "-c", script], site).startswith("2406.01234 read_full ")


def test_lists(site):
    make_paper(title_en="稀疏注意力 without", paper_date=dt.date(2026, 6, 9), tags=["agents"])
    script = next(block for block in blocks("sh") if "sort=upvotes" in block)
    listed = run(["bash", "-e", "-c", script], site)
    assert listed.count('"items"') == 2 and listed.count('"title_en": "稀疏注意力 without"') == 2
    assert "@article{" in listed or "@misc{" in listed


def test_running_the_work(site):
    script = next(block for block in blocks("sh") if "operations/crawl" in block)
    told = run(["bash", "-e", "-c", script], site, TokenScope.OPERATE)
    assert told.count('"look_at"') == 3 and '"dry_run": true' in told and '"waits"' not in told
    assert CrawlJob.objects.get().days.get().date == dt.date(2026, 6, 5)
    assert CrawlLog.objects.filter(status="running", owner=None).count() == 3


def test_the_mirror_follows_changes_and_deletions(site, tmp_path):
    script = next(block for block in blocks("python") if "mirror.json" in block)
    extra = [make_paper() for _ in range(5)]
    assert run([sys.executable, "-c", script], site, folder=tmp_path) == "7 papers\n"
    Paper.objects.filter(pk=extra[0].pk).update(upvotes=77)
    Paper.objects.filter(pk=extra[1].pk).delete()
    new = make_paper()
    assert run([sys.executable, "-c", script], site, folder=tmp_path) == "7 papers\n"
    papers = json.loads((tmp_path / "mirror.json").read_text())["papers"]
    assert set(papers) == set(Paper.objects.values_list("arxiv_id", flat=True)) and new.arxiv_id in papers
    assert papers[extra[0].arxiv_id]["upvotes"] == 77


@pytest.mark.django_db
def test_the_commands_on_the_server(capsys):
    for line in re.findall(r"manage\.py api_token (.+)", blocks("")[0]):
        call_command("api_token", *[word.strip('"') for word in re.findall(r'"[^"]+"|\S+', line)])
    assert "was revoked on" in capsys.readouterr().out


def test_the_codes():
    named = dict(re.findall(r"^\| (\d{3}) \| `(\w+)`", PAGE, re.M))
    named |= {"403": "forbidden", "409": "conflict"}  # these have codes of their own
    assert named == {str(status): CODES[status][0] for status in map(int, named)}
