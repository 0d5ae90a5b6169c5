"""`delete_papers` as a person runs it."""

import io
import os
import signal
import sys

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from operations import maintenance
from operations.deletion import batches
from operations.models import CrawlLog, DataDeleteJob, TaskLock
from papers.models import Paper
from tests.factories import DAY, make_paper

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]

RANGE = ("--from", DAY.isoformat(), "--to", DAY.isoformat())


class Run:
    """What a run printed, and how it ended."""

    def __init__(self, *options: str) -> None:
        out, self.code, self.complaint = io.StringIO(), 0, ""
        try:
            call_command("delete_papers", *options, stdout=out, stderr=io.StringIO())
        except CommandError as error:
            self.code, self.complaint = error.returncode, str(error)
        self.text = out.getvalue()


@pytest.fixture
def terminal(monkeypatch):
    """Let someone sit there and type."""

    def sit(answer: str) -> None:
        terminal = io.StringIO(answer)
        terminal.isatty = lambda: True  # type: ignore[method-assign]
        monkeypatch.setattr(sys, "stdin", terminal)

    return sit


def test_the_papers_of_a_range_are_deleted(full_paper):
    full_paper("note")
    full_paper("bookmark")
    run = Run(*RANGE, "--yes")
    assert run.code == 0
    assert run.text.startswith("2 papers to delete, with 1 notes, 1 bookmarks, 0 reading statuses, 8 files (0.0 MB).")
    assert "2 papers deleted." in run.text
    assert not Paper.objects.exists()
    assert DataDeleteJob.objects.get().requested_by == maintenance.person_at_the_terminal()


def test_papers_with_notes_can_be_kept(full_paper):
    noted = full_paper("note")
    full_paper()
    run = Run(*RANGE, "--keep-notes", "--yes")
    assert run.code == 0 and "1 papers are kept" in run.text
    assert Paper.objects.get() == noted


def test_a_dry_run_counts_and_stores_nothing(full_paper, dead):
    full_paper()
    TaskLock.objects.create(task="crawl", lock_key="x", status="running", owner=dead, acquired_at=timezone.now())
    run = Run(*RANGE, "--dry-run")
    assert run.code == 0 and run.text.startswith("1 papers to delete")
    assert Paper.objects.count() == 1
    assert not DataDeleteJob.objects.exists() and not CrawlLog.objects.exists()
    assert TaskLock.objects.get().status == "running", "no sweep either"


@pytest.mark.parametrize(
    "options",
    [(), RANGE[:2], RANGE[2:], ("--from", "2026-06-06", "--to", "2026-06-05")],
    ids=["nothing", "no end", "no beginning", "reversed"],
)
def test_what_is_no_range_is_wrong_use(options):
    assert Run(*options, "--yes").code == 2


@pytest.mark.parametrize(
    ("answer", "code"), [(f"{DAY} {DAY}\n", 0), ("yes\n", 1), ("\n", 1), ("", 1)], ids=["typed", "yes", "blank", "end"]
)
def test_someone_at_a_terminal_is_asked_to_type_the_range(terminal, answer, code):
    make_paper()
    terminal(answer)
    assert Run(*RANGE).code == code
    assert Paper.objects.exists() is bool(code)
    assert DataDeleteJob.objects.exists() is not bool(code)


def test_nobody_is_asked_where_there_is_no_terminal_or_yes_is_given(terminal):
    make_paper()
    assert Run(*RANGE).code == 0
    make_paper()
    terminal("no\n")
    assert Run(*RANGE, "--yes").code == 0
    assert not Paper.objects.exists()


def test_a_deletion_that_someone_alive_runs_is_exit_code_3(started):
    started()
    run = Run(*RANGE, "--yes")
    assert run.code == 3 and "waits for a worker" in run.complaint


def test_a_lock_that_someone_alive_holds_is_exit_code_3():
    columns = {"task": "delete", "lock_key": "all", "status": "running", "owner": "x"}
    TaskLock.objects.create(acquired_at=timezone.now(), **columns)
    assert Run(*RANGE, "--yes").code == 3


def test_maintenance_is_exit_code_1():
    make_paper()
    maintenance.switch_on("disk", by="ada")
    run = Run(*RANGE, "--yes")
    assert run.code == 1 and "held for maintenance" in run.complaint
    assert Paper.objects.exists()
    assert Run(*RANGE, "--dry-run").code == 0


def test_a_paper_still_in_work_is_exit_code_1_and_named(full_paper, in_work, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"agent_timeout": 0})
    paper = full_paper()
    in_work(paper)
    run = Run(*RANGE, "--yes")
    assert run.code == 1 and paper.arxiv_id in run.complaint and "run it again to go on" in run.complaint


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP], ids=lambda number: number.name)
def test_a_signal_is_heard_between_two_batches_and_the_next_run_goes_on(monkeypatch, number):
    monkeypatch.setattr(batches, "BATCH", 2)
    for _ in range(5):
        make_paper()
    original = batches._count

    def strike(*arguments) -> None:
        original(*arguments)
        if DataDeleteJob.objects.count() == 1 and Paper.objects.count() == 3:
            os.kill(os.getpid(), number)

    monkeypatch.setattr(batches, "_count", strike)
    run = Run(*RANGE, "--yes")
    assert (run.code, run.complaint) == (130, "stopped at 2 of 5; run it again to go on")
    assert Run(*RANGE, "--yes").code == 0
    assert list(DataDeleteJob.objects.order_by("id").values_list("paper_count", flat=True)) == [2, 3]
