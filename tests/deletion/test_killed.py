"""A deletion of 6,500 papers, killed again and again and gone on with: nothing orphaned, nothing else touched.

The moments are random, each from its number alone, so that one that fails can be run again.
"""

import json
import random
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.deletion.library import FIRST, LAST
from tests.faults.installation import PROJECT_DIR, Installation, kill

pytestmark = pytest.mark.slow

INSIDE, OUTSIDE = 6500, 500
KILLS = 12
DELETE = ("delete_papers", "--from", str(FIRST), "--to", str(LAST), "--yes")


@pytest.fixture
def site(tmp_path: Path):
    site = Installation(tmp_path / "data")
    assert site.run("migrate", "-v0") == 0
    yield site
    site.kill_all()


def library(site: Installation, *arguments: str) -> dict:
    command = [sys.executable, "-m", "tests.deletion.library", *arguments]
    done = subprocess.run(command, cwd=PROJECT_DIR, env=site.environment, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def jobs(site: Installation) -> int:
    return site.rows("SELECT count(*) FROM data_delete_jobs")[0][0]


def kill_on_its_way(site: Installation, moment: int) -> None:
    """Start the deletion and kill it some time after its job was stored."""
    before, process = jobs(site), site.start(*DELETE)
    while jobs(site) == before and process.poll() is None:
        time.sleep(0.01)
    time.sleep(random.Random(moment).uniform(0, 1.0))
    kill([process])
    process.wait(10)


def test_a_deletion_killed_at_random_moments_is_gone_on_with(site):
    library(site, "build", str(INSIDE), str(OUTSIDE))
    untouched = library(site, "fingerprint")
    assert (untouched["papers"], untouched["files"]) == (OUTSIDE, 3 * OUTSIDE)
    assert library(site, "verify")["problems"] == []
    for moment in range(KILLS):
        kill_on_its_way(site, moment)
    left = site.rows("SELECT count(*) FROM papers")[0][0] - OUTSIDE
    assert 0 < left < INSIDE, "the kills fell outside of the deletion"
    assert site.run(*DELETE) == 0, site.tail()
    assert library(site, "verify") == {"deleted": INSIDE, "stored": OUTSIDE, "traces": [], "problems": []}
    assert library(site, "fingerprint") == untouched
    assert site.rows("SELECT sum(paper_count) FROM data_delete_jobs") == [(INSIDE,)]
    assert_all_is_closed(site)


def assert_all_is_closed(site: Installation) -> None:
    ended = site.rows("SELECT status, error, paper_count, total FROM data_delete_jobs ORDER BY id")
    assert [row[0] for row in ended] == ["failed"] * KILLS + ["success"]
    assert all(error == f"stopped at {count} of {total}" for _status, error, count, total in ended[:-1])
    assert site.rows("SELECT 1 FROM task_locks WHERE status = 'running'") == []
    logs = site.rows("SELECT status, error FROM crawl_logs WHERE task = 'delete' ORDER BY id")
    assert logs == [row[:2] for row in ended]
    assert not (site.folder / "papers" / ".deleted").exists()
    assert list((site.folder / "papers").glob("*")) != []
