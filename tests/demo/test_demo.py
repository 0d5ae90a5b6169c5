"""`python -m demo`, as `make demo` runs it."""

import os
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

import httpx
import psutil
import pytest

from tests.serving.conftest import PROJECT, eventually, is_of


def demo(data_dir: Path, *options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "demo", "--data-dir", str(data_dir), *options]
    return subprocess.run(command, cwd=PROJECT, text=True, capture_output=True, timeout=120)


def dump(data_dir: Path) -> list[str]:
    with sqlite3.connect(data_dir / "papersite.sqlite3") as database:
        return list(database.iterdump())


def rows(data_dir: Path, query: str) -> list[tuple]:
    with sqlite3.connect(data_dir / "papersite.sqlite3") as database:
        return database.execute(query).fetchall()


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    """A DATA_DIR in which the demo was made."""
    data_dir = tmp_path_factory.mktemp("demo")
    (data_dir / "demo-password").touch()  # as a demo leaves it that was ended before it wrote
    run = demo(data_dir, "--once")
    assert run.returncode == 0, run.stderr
    return data_dir


def test_each_paper_ends_as_this_world_means_it_to(made):
    ends = dict(
        rows(
            made,
            "SELECT arxiv_id, status || ' ' || coalesce(s.quality, error_type) FROM papers p "
            "JOIN summary_status s ON s.paper_id = p.id",
        )
    )
    assert ends == {
        "2606.90011": "done normal",
        "2606.90024": "done normal",
        "2606.90037": "done normal",
        "2606.90102": "done normal",
        "2606.90115": "permanent_failure pdf_download_failed",
        "2606.90128": "done degraded",
        "2606.90203": "done normal",
        "2606.90216": "permanent_failure json_not_found",
        "2606.90229": "done low",
        "hep-th/9901999": "done normal",
    }


def test_a_paper_listed_twice_is_filed_under_its_first_day(made):
    assert rows(made, "SELECT paper_date FROM papers WHERE arxiv_id = '2606.90011'") == [("2026-06-03",)]


def test_a_mended_answer_keeps_its_mathematics(made):
    [(one_line,)] = rows(
        made, "SELECT one_line FROM paper_summaries s JOIN papers p ON p.id = paper_id WHERE arxiv_id = '2606.90037'"
    )
    assert r"\frac{1}{2}\sum_{i>r}\sigma_i^2" in one_line


def test_the_second_time_is_quick_and_changes_nothing(made):
    before = dump(made)
    login = re.search(r"login.* admin / [\w-]{12} .*", demo(made, "--once").stdout)
    began = time.monotonic()
    run = demo(made, "--once")
    assert time.monotonic() - began < 15
    assert dump(made) == before
    assert login and login[0] in run.stdout
    assert "10 papers of 3 days: 8 done, 2 permanent failure" in run.stdout


def test_it_says_that_the_port_is_taken(made):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        run = demo(made, "--port", str(taken.getsockname()[1]))
    assert run.returncode == 1
    assert "in use" in run.stderr


def test_of_two_at_once_the_second_names_the_first(tmp_path):
    command = [sys.executable, "-m", "demo", "--once", "--data-dir", str(tmp_path)]
    both = [subprocess.Popen(command, cwd=PROJECT, text=True, stderr=subprocess.PIPE) for _ in range(2)]
    said = [process.communicate(timeout=120)[1] for process in both]
    assert sorted(process.returncode for process in both) == [0, 1], said
    [first, second] = sorted(both, key=lambda process: process.returncode)
    message = said[both.index(second)]
    assert f"by process {first.pid}" in message and "Traceback" not in message


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_it_serves_until_it_is_ended_and_leaves_no_process(made, number):
    command = [sys.executable, "-m", "demo", "--data-dir", str(made), "--port", "0"]
    process = subprocess.Popen(command, cwd=PROJECT, text=True, stdout=subprocess.PIPE, start_new_session=True)
    try:
        assert process.stdout
        address = next(found[0] for line in process.stdout if (found := re.search(r"http://127\S+", line)))
        page = httpx.get(f"{address}day/2026-06-05/", timeout=30).text
        assert "灵巧手" in page
    finally:
        os.kill(process.pid, number)
    assert process.wait(40) == (0 if number == signal.SIGINT else -number)
    assert eventually(lambda: not any(is_of(found, made) for found in psutil.process_iter()))
