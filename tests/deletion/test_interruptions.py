"""A deletion that is cut off, wherever: nothing is left half-done, and the next one goes on."""

import os

import pytest
from django.utils import timezone

from operations import maintenance
from operations.deletion import batches, folders, run
from operations.deletion.jobs import DeletionRunning, claim, start_job, stop_job
from operations.deletion.run import delete_now, run_job
from operations.files import META_NAME, paper_folder, temporary_folder, write_atomically
from operations.housekeeping import prune
from operations.locks import LockHeld
from operations.maintenance import MaintenanceOn
from operations.meta_files import write_meta_files
from operations.models import CrawlLog, DataDeleteJob, TaskLock
from operations.stopping import WorkStopped, ask_workers_to_stop, let_workers_work, raise_if_stopping
from operations.sweep import sweep
from operations.tasks import delete_papers, tick
from papers.models import Paper
from tests.deletion.whole import contents, files_under, problems, traces
from tests.factories import DAY

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]


@pytest.fixture
def five(full_paper, monkeypatch) -> set[str]:
    """Five papers that go in three batches."""
    monkeypatch.setattr(batches, "BATCH", 2)
    return {full_paper("note").arxiv_id for _ in range(5)}


def delete(**more) -> DataDeleteJob:
    return delete_now(DAY, DAY, **{"include_notes": True, "by": "ada"} | more)


def assert_gone_on(five: set[str], data_dir) -> None:
    """Go on, and see that together all is deleted, each paper counted once."""
    assert delete().status == "success"
    assert sum(DataDeleteJob.objects.values_list("paper_count", flat=True)) == 5
    assert traces(five, data_dir) == [] and problems() == []
    assert not TaskLock.objects.filter(status="running").exists()
    assert not CrawlLog.objects.filter(status="running").exists()


def after(calls: int):
    """Return what says stop at its nth call."""
    left = [calls]

    def stopped() -> None:
        left[0] -= 1
        if left[0] == 0:
            raise WorkStopped("enough")

    return stopped


def test_a_wish_to_stop_is_heard_between_two_batches(five, data_dir):
    job = delete(stopped=after(2))
    assert (job.status, job.error, job.paper_count) == ("failed", "stopped at 2 of 5", 2)
    assert (job.log.status, job.log.error, job.log.detail) == ("failed", "stopped at 2 of 5", "enough")
    assert job.completed_at and TaskLock.objects.get(task="delete").status == "failed"
    assert Paper.objects.count() == 3
    assert_gone_on(five, data_dir)


def test_a_job_is_stopped_from_a_page(five, data_dir):
    job = start_job(DAY, DAY, include_notes=True, by="ada")
    stopped = run_job(job.pk, progress=lambda _deleted: stop_job(job.pk, by="bob"))
    assert (stopped.status, stopped.error) == ("failed", "stopped at 2 of 5")
    assert not stop_job(job.pk, by="bob")
    assert_gone_on(five, data_dir)


def test_a_job_no_worker_has_is_stopped_at_once(five):
    job = start_job(DAY, DAY, include_notes=True, by="ada")
    assert stop_job(job.pk, by="bob")
    job.refresh_from_db()
    assert (job.status, job.error, job.log.status) == ("failed", "stopped at 0 of 5", "failed")
    assert run_job(job.pk).paper_count == 0 and Paper.objects.count() == 5


def test_maintenance_stops_a_job_between_two_batches_and_lets_none_begin(five, data_dir):
    job = delete(progress=lambda _deleted: maintenance.switch_on("new disk", by="bob"))
    assert (job.status, job.error) == ("failed", "stopped at 2 of 5")
    assert "new disk" in job.log.detail
    with pytest.raises(MaintenanceOn):
        delete()
    maintenance.switch_off(by="bob")
    assert_gone_on(five, data_dir)


def test_a_waiting_job_waits_on_during_maintenance(five):
    job = start_job(DAY, DAY, include_notes=True, by="ada")
    maintenance.switch_on("new disk", by="bob")
    tick()
    delete_papers(job.pk)
    job.refresh_from_db()
    assert (job.status, job.owner, Paper.objects.count()) == ("running", None, 5)


def test_the_site_stopping_ends_a_job_that_runs_and_leaves_one_that_waits(five):
    job = start_job(DAY, DAY, include_notes=True, by="ada")
    ask_workers_to_stop()
    delete_papers(job.pk)
    job.refresh_from_db()
    assert (job.status, job.owner) == ("running", None)
    let_workers_work()
    done = run_job(job.pk, progress=lambda _deleted: ask_workers_to_stop(), stopped=raise_if_stopping)
    assert (done.status, done.error) == ("failed", "stopped at 2 of 5")


@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt(), SystemExit("time limit")], ids=repr)
@pytest.mark.parametrize("place", ["_delete_where", "move_aside", "_remember", "_count"])
def test_whatever_breaks_a_batch_leaves_its_papers_whole(five, data_dir, monkeypatch, error, place):
    whole, calls = contents(five), []
    files = {arxiv_id: files_under(paper_folder(arxiv_id)) for arxiv_id in five}
    original = getattr(batches, place)

    def break_after(*arguments):
        calls.append(original(*arguments))
        raise error

    with monkeypatch.context() as patched:
        patched.setattr(batches, place, break_after)
        with pytest.raises(type(error)):
            delete()
    job = DataDeleteJob.objects.get()
    assert job.status == "failed" and job.error.startswith("stopped at 0 of 5")
    assert ("disk full" in job.error) is isinstance(error, OSError)
    assert contents(five) == whole
    assert {arxiv_id: files_under(paper_folder(arxiv_id)) for arxiv_id in five} == files
    assert_gone_on(five, data_dir)


def test_a_task_that_has_run_long_leaves_the_rest_to_another(five, data_dir):
    job = start_job(DAY, DAY, include_notes=True, by="ada")
    for deleted in (2, 4, 5):
        job = run_job(job.pk, seconds=0)
        assert (job.status, job.owner, job.paper_count) == ("running", None, deleted)
        assert not TaskLock.objects.filter(status="running").exists()
        assert not CrawlLog.objects.filter(status="running").exists()
        sweep()
    assert run_job(job.pk, seconds=0).status == "success"
    assert traces(five, data_dir) == []


# ---------------------------------------------------------------- one at a time


def test_no_other_job_is_begun_beside_one_that_waits_or_runs(five):
    job = start_job(DAY, DAY, include_notes=True, by="ada")
    with pytest.raises(DeletionRunning, match="waits for a worker"):
        delete()
    assert claim(job.pk)
    with pytest.raises(DeletionRunning, match="is being run by process"):
        delete()
    assert DataDeleteJob.objects.count() == 1


def test_a_lock_that_someone_alive_holds_is_respected(five):
    columns = {"task": "delete", "lock_key": "all", "status": "running", "owner": "someone"}
    TaskLock.objects.create(acquired_at=timezone.now(), **columns)
    with pytest.raises(LockHeld):
        delete()
    assert not DataDeleteJob.objects.exists()


def test_two_workers_never_run_one_job(five):
    job = start_job(DAY, DAY, include_notes=True, by="ada")
    assert claim(job.pk)
    assert claim(job.pk) is None
    assert run_job(job.pk).paper_count == 0
    assert Paper.objects.count() == 5


def test_who_lost_a_job_deletes_nothing_more(five, dead):
    def lose(_deleted: int) -> None:
        DataDeleteJob.objects.update(owner=dead)

    job = delete(progress=lose)
    assert (job.status, job.paper_count, Paper.objects.count()) == ("running", 2, 3)
    assert all(paper_folder(paper.arxiv_id).is_dir() for paper in Paper.objects.all())


# ---------------------------------------------------------------- the dead


class Killed(BaseException):
    """What ends a process as `kill -9` does, as far as this can be had within one."""


@pytest.fixture
def killed(five, monkeypatch, dead):
    """A job whose process was killed in its second batch: before the commit, or after it with the files still there."""

    def kill(*, committed: bool = False) -> DataDeleteJob:
        place, name = (folders.shutil, "rmtree") if committed else (batches, "_count")
        original, calls = getattr(place, name), []

        def strike(*arguments, **more):
            calls.append(arguments)
            if committed and len(calls) == 2:
                raise Killed
            original(*arguments, **more)
            if len(calls) == 2:
                raise Killed

        with monkeypatch.context() as patched:
            patched.setattr(place, name, strike)
            patched.setattr(folders, "current_owner", lambda: dead)
            # The dead tidy nothing up.
            patched.setattr(folders, "_settle", lambda here: 0)
            patched.setattr(run, "close", lambda *_arguments, **_more: True)
            with pytest.raises(Killed):
                delete()
        for model in (DataDeleteJob, TaskLock, CrawlLog):
            model.objects.filter(status="running").update(owner=dead)
        return DataDeleteJob.objects.get()

    return kill


@pytest.mark.parametrize("committed", [False, True])
def test_the_sweep_closes_the_job_of_a_killed_process_and_puts_right_what_it_left(five, killed, data_dir, committed):
    job = killed(committed=committed)
    assert any("left" in problem for problem in problems())
    assert sweep().deletions == 1
    job.refresh_from_db()
    words = "stopped at 4 of 5" if committed else "stopped at 2 of 5"
    assert (job.status, job.error) == ("failed", words)
    assert (job.log.status, job.log.error) == ("failed", words)
    assert TaskLock.objects.get(task="delete").status == "failed"
    left = set(Paper.objects.values_list("arxiv_id", flat=True))
    assert len(left) == (1 if committed else 3)
    for arxiv_id in five:
        assert paper_folder(arxiv_id).is_dir() is (arxiv_id in left)
    assert problems() == []
    assert str(sweep()) == ""
    assert_gone_on(five, data_dir)


def test_the_next_job_needs_no_sweep(five, killed, data_dir):
    killed()
    assert_gone_on(five, data_dir)
    assert DataDeleteJob.objects.filter(error="stopped at 2 of 5").count() == 1


def test_what_was_written_anew_meanwhile_is_not_overwritten_by_what_goes_back(five, killed):
    killed()
    aside = next(i for i in Paper.objects.values_list("arxiv_id", flat=True) if not paper_folder(i).exists())
    write_atomically(paper_folder(aside) / META_NAME, "new")
    sweep()
    assert (paper_folder(aside) / META_NAME).read_text() == "new"
    assert (paper_folder(aside) / "summary.json").exists()


def test_a_living_deletion_is_not_settled_by_others(data_dir):
    with folders.put_aside() as here:
        sweep()
        assert here.is_dir()
    assert not here.exists()


def test_a_waiting_job_whose_wake_up_was_lost_is_woken_by_the_tick(five):
    from django_q.models import OrmQ

    job = start_job(DAY, DAY, include_notes=True, by="ada")
    tick()
    assert [row.task["args"] for row in OrmQ.objects.all() if row.task["func"].endswith("delete_papers")] == [(job.pk,)]


# ---------------------------------------------------------------- written after the deletion


def test_a_crawl_that_read_a_paper_before_its_deletion_leaves_no_folder(full_paper, monkeypatch):
    from operations import meta_files

    paper = full_paper()
    texts = meta_files.meta_texts([paper.arxiv_id])
    delete()
    monkeypatch.setattr(meta_files, "meta_texts", lambda ids: texts)
    assert write_meta_files([paper.arxiv_id]) == 1
    assert not paper_folder(paper.arxiv_id).exists()


@pytest.mark.parametrize("cleaner", [prune, delete, sweep])
def test_a_folder_written_after_all_is_removed_for_good(full_paper, cleaner):
    paper = full_paper()
    delete()
    write_atomically(paper_folder(paper.arxiv_id) / META_NAME, "late")
    if cleaner is sweep:
        assert any(paper.arxiv_id in problem for problem in problems())
        return
    cleaner()
    assert not paper_folder(paper.arxiv_id).exists()


def test_a_folder_of_a_paper_that_came_back_stays(full_paper):
    paper = full_paper()
    delete()
    full_paper(arxiv_id=paper.arxiv_id)
    prune()
    assert (paper_folder(paper.arxiv_id) / META_NAME).exists()


def test_downloads_on_another_disk_stand_in_no_deletions_way(full_paper, monkeypatch):
    paper = full_paper()
    downloads, rename = str(temporary_folder(paper.arxiv_id)), os.rename

    def refuse(source, target):
        if source == downloads:
            raise OSError(18, "Invalid cross-device link")
        rename(source, target)

    monkeypatch.setattr(folders.os, "rename", refuse)
    assert delete().status == "success"
