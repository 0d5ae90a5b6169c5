"""How much a reader's browser has to fetch for a day of papers."""

import gzip
import json
from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders

from tests.factories import DAY, SUMMARY, make_paper, make_summary

# Bytes, compressed as they are sent.
MOST_OF_A_PAGE = 20_000
MOST_WITH_STYLE_AND_SCRIPT = 60_000
PAPERS = 25


def recorded_papers(recorded: Path) -> Iterator[tuple[dict[str, Any], dict[str, str]]]:
    """Yield papers as they were listed, with a model's Chinese words on them."""
    words = {}
    for line in (recorded / "hf_zh.jsonl").read_text("utf-8").splitlines():
        entry = json.loads(line)
        words[entry["id"]] = entry["ai"]
    for day in sorted((recorded / "hf_daily").glob("*.json"), reverse=True):
        for entry in json.loads(day.read_text("utf-8")):
            paper = entry["paper"]
            if paper["id"] in words and paper.get("ai_keywords"):
                yield paper, words[paper["id"]]


@pytest.fixture
def day(db, recorded) -> str:
    """The address of a day of 25 papers, each with all the tags that a card can show."""
    for place, (listed, words) in enumerate(islice(recorded_papers(recorded), PAPERS)):
        paper = make_paper(
            arxiv_id=listed["id"],
            title_en=" ".join(listed["title"].split()),
            authors=[author["name"] for author in listed["authors"]],
            tags=listed["ai_keywords"],
            upvotes=place * 3,
            code_url=listed.get("githubRepo") or "",
        )
        line = words.get("tldr") or words["task"]
        make_summary(paper, title_zh=line[:30], summary=SUMMARY | {"one_line": line}, tags=[line[:4]])
    return f"/day/{DAY}/"


def test_a_day_is_light(client, day):
    answer = client.get(day, headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(answer.content).count(b"<article") == PAPERS
    assert len(answer.content) <= MOST_OF_A_PAGE


def test_with_style_and_script_it_is_light_too(client, day):
    page = len(client.get(day, headers={"Accept-Encoding": "gzip"}).content)
    files = [Path(finders.find(name)).read_bytes() for name in ("site.css", "site.js")]
    assert page + sum(len(gzip.compress(file)) for file in files) <= MOST_WITH_STYLE_AND_SCRIPT
