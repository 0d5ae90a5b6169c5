"""The recorded world is whole, and its doors answer as the real ones do."""

import json
import subprocess
import sys

import httpx
import pypdfium2
import pytest

from demo import world
from demo.server import serving_world

IDS = sorted(world.arxiv_facts())


@pytest.fixture(scope="module")
def address():
    with serving_world() as address:
        yield address


def listed() -> list[str]:
    return [entry["paper"]["id"] for day in world.days() for entry in world.day_entries(day)]


def test_every_listed_paper_is_known_to_arxiv_and_every_known_one_is_listed():
    assert sorted(set(listed())) == IDS


def test_one_paper_is_listed_on_two_days():
    assert len(listed()) == len(IDS) + 1


@pytest.mark.parametrize("arxiv_id", IDS)
def test_every_paper_has_a_source_or_a_pdf(arxiv_id):
    assert world.source_of(arxiv_id) or world.printed_pdf_of(arxiv_id)


@pytest.mark.parametrize("arxiv_id", ["../arxiv.json", "", "..", "2606.90011/main.tex"])
def test_nothing_but_a_known_id_opens_a_file(arxiv_id):
    assert world.source_of(arxiv_id) is None
    assert world.printed_pdf_of(arxiv_id) is None


def test_the_printed_pdf_can_be_read():
    pdf = world.printed_pdf_of("2606.90102")
    assert pdf
    text = "".join(page.get_textpage().get_text_range() for page in pypdfium2.PdfDocument(pdf))
    assert "Listening Between Frames" in text and "12.4 points" in text


def test_a_day_is_paged_and_ends_with_an_empty_page(address):
    pages = [
        httpx.get(f"{address}/hf/api/daily_papers", params={"date": world.days()[1], "p": page, "limit": 3}).json()
        for page in range(3)
    ]
    assert [len(page) for page in pages] == [3, 1, 0]


@pytest.mark.parametrize(("date", "status"), [("2026-06-06", 200), ("rubbish", 400), ("", 400)])
def test_other_days_are_empty_and_bad_dates_refused(address, date, status):
    answer = httpx.get(f"{address}/hf/api/daily_papers", params={"date": date})
    assert answer.status_code == status
    assert status != 200 or answer.json() == []


@pytest.mark.parametrize("path", ["/arxiv/e-print/2606.90102", "/arxiv/pdf/2606.90115", "/", "/hf/api/papers/x"])
def test_what_is_not_there_is_404(address, path):
    assert httpx.get(f"{address}{path}").status_code == 404


@pytest.mark.parametrize("arxiv_id", sorted(set(IDS) - {"2606.90115"}))
def test_the_recorded_agent_answers_for_every_paper_that_has_a_text(arxiv_id):
    prompt = f"编号：{arxiv_id}\n标题：…"
    run = subprocess.run([sys.executable, "demo/agent.py"], input=prompt, text=True, capture_output=True, check=True)
    assert run.stdout.strip()


def test_the_recorded_agent_fails_for_a_paper_it_does_not_know():
    run = subprocess.run([sys.executable, "demo/agent.py"], input="2406.01234", text=True, capture_output=True)
    assert run.returncode == 1


def test_one_recorded_answer_needs_mending():
    with pytest.raises(json.JSONDecodeError):
        json.loads((world.FOLDER / "answers/2606.90037.txt").read_text("utf-8"))
