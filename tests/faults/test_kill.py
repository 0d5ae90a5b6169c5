"""`kill -9` at random moments of a crawl, of summaries and of the whole site: nothing lost, doubled, stuck or left.

Each moment's choice comes from its number alone, so that one that fails can be run again.
"""

import json
import random
import time
from pathlib import Path

import psutil
import pytest

from tests.factories import SUMMARY
from tests.faults.installation import Installation, free_port, kill

pytestmark = pytest.mark.slow

DAYS = ("2026-08-17", "2026-08-21")
MOMENTS = 30
# Takes a while, and has a child that would outlive it and does not listen to TERM.
AGENT = f"""
import json, signal, subprocess, sys, time
signal.signal(signal.SIGTERM, signal.SIG_IGN)
sys.stdin.read()
subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(600)"], start_new_session=True)
time.sleep(0.7)
print({json.dumps(SUMMARY, ensure_ascii=False)!r})
"""


def command_line(process: psutil.Process) -> str:
    """Return what a process runs; nothing where it has died since it was seen."""
    try:
        return " ".join(process.cmdline())
    except psutil.Error:
        return ""


def is_agent(process: psutil.Process) -> bool:
    return "agent.py" in command_line(process) and "guard.py" not in command_line(process)


def strike(site: Installation, choice: random.Random) -> None:
    """Kill the agent, one process of the tree, or all of them."""
    alive = site.processes()
    kind = choice.choice(["agent", "one", "all", "all"])
    if kind == "agent":
        kill([process for process in alive if is_agent(process)][:1])
    elif kind == "one":
        kill(choice.sample(alive, min(len(alive), 1)))
    else:
        site.kill_all()


@pytest.fixture
def site(tmp_path: Path, replay) -> Installation:
    replay.start("--today", DAYS[1])
    site = Installation(
        tmp_path / "data",
        hf_url=replay.hf_url,
        arxiv_url=replay.arxiv_url,
        arxiv_api_url=replay.arxiv_url,
    )
    site.use_agent(AGENT)
    assert site.run("migrate", "-v0") == 0
    yield site
    site.kill_all()


def assert_all_is_well(site: Installation, listed: set[str]) -> None:
    assert site.run("check_data") == 0, site.tail()
    assert {row[0] for row in site.rows("SELECT arxiv_id FROM papers")} == listed
    assert site.rows("SELECT entry_key, date, COUNT(*) FROM day_listings GROUP BY 1, 2 HAVING COUNT(*) > 1") == []
    assert site.rows("SELECT * FROM task_locks WHERE status = 'running'") == []
    assert site.rows("SELECT * FROM crawl_logs WHERE status = 'running'") == []
    assert site.rows("SELECT id FROM papers EXCEPT SELECT rowid FROM papers_fts") == []
    assert site.rows("SELECT rowid FROM papers_fts EXCEPT SELECT id FROM papers") == []
    assert set(site.counts("SELECT status, COUNT(*) FROM summary_status GROUP BY 1")) <= {"done", "permanent_failure"}


def listed_papers(replay) -> set[str]:
    import httpx

    found = set()
    for day in range(17, 22):
        url = f"{replay.hf_url}/api/daily_papers?date=2026-08-{day}&limit=100"
        found |= {entry["paper"]["id"] for entry in httpx.get(url, trust_env=False).json()}
    return found


def test_kills_at_random_moments_of_crawl_and_summaries(site, replay):
    crawl = ("crawl", "--from", DAYS[0], "--to", DAYS[1])
    for moment in range(MOMENTS):
        choice = random.Random(moment)
        site.start(*(crawl if moment % 3 == 0 else ("summarize",)))
        time.sleep(choice.uniform(0.3, 5))
        strike(site, choice)
        # A command that lost its agent alone goes on; all others are gone, and with them what they started.
        if not any("manage.py" in command_line(process) for process in living(site)):
            assert site.wait_until_gone(10) == [], f"left after moment {moment}"
        else:
            site.kill_all()
    assert site.run(*crawl) == 0, site.tail()
    assert site.run("summarize") in (0, 1), site.tail()
    assert site.wait_until_gone(5) == []
    assert_all_is_well(site, listed_papers(replay))


def living(site: Installation) -> list[psutil.Process]:
    return [process for process in site.processes() if process.is_running()]


def test_kills_at_random_moments_of_the_whole_site(site, replay):
    assert site.run("crawl", "--from", DAYS[0], "--to", DAYS[1]) == 0
    for moment in range(10):
        choice = random.Random(1000 + moment)
        serve = site.start("serve", "--port", str(free_port()))
        time.sleep(choice.uniform(1, 12))
        strike(site, choice)
        time.sleep(1)
        if serve.is_running() and serve.status() != psutil.STATUS_ZOMBIE:
            serve.terminate()
        assert site.wait_until_gone(30) == [], f"left after moment {moment}\n{site.tail()}"
    assert site.run("summarize") in (0, 1), site.tail()
    assert_all_is_well(site, listed_papers(replay))
