"""The site stopped in the middle of a summary: the paper goes back to the queue as if it had never been begun."""

import time

import pytest

from tests.faults.installation import Installation, free_port

pytestmark = pytest.mark.slow

SLOW_AGENT = "import sys, time\nsys.stdin.read()\ntime.sleep(300)\n"


def test_stopping_the_site_costs_a_summary_in_work_nothing(tmp_path, replay):
    replay.start("--today", "2026-08-21")
    addresses = {"hf_url": replay.hf_url, "arxiv_url": replay.arxiv_url, "arxiv_api_url": replay.arxiv_url}
    site = Installation(tmp_path / "data", **addresses)
    site.use_agent(SLOW_AGENT)
    assert site.run("crawl", "--date", "2026-08-21") == 0
    serve = site.start("serve", "--port", str(free_port()))
    try:
        deadline = time.monotonic() + 120
        while not site.rows("SELECT id FROM summary_status WHERE status = 'processing'"):
            assert time.monotonic() < deadline, site.tail()
            time.sleep(0.5)
        time.sleep(2)
        serve.terminate()
        assert serve.wait(30) == 0
        assert site.wait_until_gone(5) == []
        states = site.rows("SELECT DISTINCT status, retry_count, interruptions FROM summary_status")
        assert states == [("pending", 0, 0)]
    finally:
        site.kill_all()
