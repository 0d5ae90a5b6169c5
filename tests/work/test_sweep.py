"""What the sweep finds and puts right."""

import datetime as dt
import os
import subprocess
import sys
import time

import pytest
from django.utils import timezone

from operations import owners, states
from operations.files import temporary_folder
from operations.logs import start_log
from operations.models import CrawlLog, TaskLock
from operations.processes.leftovers import MARKER, new_mark
from operations.sweep import SETTLED, sweep
from papers.models import SummaryStatus
from tests.factories import make_paper
from tests.other_owners import that_died

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


@pytest.fixture
def dead() -> str:
    return that_died()


def test_nothing_is_done_and_nothing_logged_where_all_owners_live():
    paper = make_paper(state="pending")
    assert states.claim_next(states.due())
    TaskLock.objects.create(
        task="crawl", lock_key="a", status="running", owner=owners.current_owner(), acquired_at=timezone.now()
    )
    start_log("crawl")
    assert str(sweep()) == ""
    assert CrawlLog.objects.get().status == "running"
    assert SummaryStatus.objects.get(paper=paper).status == "processing"


def test_locks_logs_and_papers_of_the_dead_are_put_right_and_that_is_logged(dead):
    paper = make_paper(state="processing")
    SummaryStatus.objects.update(owner=dead, lease_until=timezone.now() + dt.timedelta(hours=1))
    log = start_log("crawl")
    CrawlLog.objects.update(owner=dead)
    TaskLock.objects.create(
        task="crawl", lock_key="a", status="running", owner=dead, acquired_at=timezone.now(), log=log
    )
    report = sweep()
    assert (report.locks, report.papers) == (1, 1)
    log.refresh_from_db()
    assert log.status == "failed"
    row = SummaryStatus.objects.get(paper=paper)
    assert (row.status, row.interruptions, row.owner) == ("pending", 1, None)
    assert CrawlLog.objects.get(task="scheduler").detail.startswith("sweep: ")
    assert str(sweep()) == ""


def test_the_text_of_a_paper_given_back_is_no_longer_at_hand(dead):
    paper = make_paper(state="processing", asset_status="ready")
    SummaryStatus.objects.update(owner=dead)
    sweep()
    paper.refresh_from_db()
    assert paper.asset_status == "cleaned"


@pytest.mark.parametrize(
    "columns",
    [
        {"owner": None},
        {"owner": "alive", "lease_until": dt.datetime(2026, 1, 1, tzinfo=dt.UTC)},
        {"owner": "alive", "lease_until": None},
    ],
    ids=["no owner", "lease over", "no lease"],
)
def test_a_paper_without_a_living_lease_is_given_back(columns):
    make_paper(state="processing")
    if columns["owner"]:
        columns["owner"] = owners.current_owner()
    SummaryStatus.objects.update(started_at=None, **columns)
    assert sweep().papers == 1
    assert SummaryStatus.objects.get().status == "pending"


def test_downloads_nobody_works_on_are_removed_and_others_kept():
    busy, idle = make_paper(state="processing"), make_paper(state="pending")
    SummaryStatus.objects.filter(paper=busy).update(
        owner=owners.current_owner(), lease_until=timezone.now() + dt.timedelta(hours=1)
    )
    old = time.time() - SETTLED.total_seconds() - 10
    for arxiv_id in (busy.arxiv_id, idle.arxiv_id, "hep-th/9901001", "2601.99999"):
        folder = temporary_folder(arxiv_id)
        folder.mkdir(parents=True)
        (folder / "paper.pdf").write_bytes(b"%PDF-")
        if arxiv_id != "2601.99999":
            os.utime(folder, (old, old))
    assert sweep().folders == 2
    assert temporary_folder(busy.arxiv_id).exists()
    assert temporary_folder("2601.99999").exists()
    assert not temporary_folder(idle.arxiv_id).exists()
    assert not temporary_folder("hep-th/9901001").parent.exists()


def test_an_agent_whose_worker_died_is_ended(dead, settings):
    def agent_of(mark: str) -> subprocess.Popen:
        command = [sys.executable, "-c", "import time; time.sleep(60)"]
        return subprocess.Popen(command, env={**os.environ, MARKER: new_mark(mark)}, start_new_session=True)

    data_dir = settings.PAPERSITE.data_dir
    orphan, cared_for, foreign = agent_of(f"{dead}|{data_dir}"), agent_of(owners.run_mark()), agent_of(f"{dead}|/else")
    try:
        assert sweep().processes == 1
        assert orphan.wait(5) == -9
        assert cared_for.poll() is None
        assert foreign.poll() is None
    finally:
        for process in (orphan, cared_for, foreign):
            process.kill()
            process.wait()
