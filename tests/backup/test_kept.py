"""The backups that the site keeps by itself."""

import datetime as dt
import os

import pytest
from django.utils import timezone
from django_q.models import OrmQ, Schedule

from operations import maintenance, tasks
from operations.backup import kept
from operations.backup.errors import BackupFailed
from operations.backup.kept import backups, backups_folder, is_backup_running, keep_backup, last_backup, remove_oldest
from operations.backup.making import make_backup
from operations.backup.manifest import Origin
from operations.backup.staging import working_in
from operations.logs import start_log
from operations.models import CrawlLog, RunState, Task
from operations.schedules import ensure_schedules
from operations.stopping import ask_workers_to_stop
from tests.backup.library import add_summarised

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def site(data_dir, settings):
    """Returns a function that makes a site that keeps so many backups."""

    def make(keep: int = 3) -> None:
        settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"backup_keep": keep})
        add_summarised("2605.00001")

    return make


def names():
    return [found.name for found in backups()]


def test_a_nightly_backup_is_made_logged_and_listed(site):
    site()
    name = tasks.nightly_backup()
    (found,) = backups()
    assert (found.name, found.manifest.papers, found.manifest.origin) == (name, 1, Origin.SCHEDULE)
    log = CrawlLog.objects.get(task=Task.SCHEDULER)
    assert (log.status, log.detail.startswith(f"backup: {name}, 1 papers, 3 files")) == (RunState.SUCCESS, True)
    last = last_backup()
    assert (last.name, last.state, last.is_running, last.has_failed, last.error) == (name, "success", False, False, "")
    assert os.listdir(backups_folder()) == [name]  # noqa: PTH208


def test_the_newest_are_kept(site):
    site(keep=2)
    made = [tasks.nightly_backup() for _number in range(4)]
    assert names() == [made[3], made[2]]


def test_other_files_are_never_removed(site):
    site(keep=1)
    folder = backups_folder()
    folder.mkdir()
    by_hand = folder / "papersite-20200101-000000.tar.gz"
    make_backup(by_hand, origin=Origin.COMMAND)
    for name in ("papersite-20200102-000000.tar.gz", "papersite-mine.tar.gz", "notes.txt"):
        (folder / name).write_text("mine")
    (folder / "papersite-20200103-000000.tar.gz").symlink_to(by_hand)
    before = {path.name for path in folder.iterdir()}
    tasks.nightly_backup()
    newest = tasks.nightly_backup()
    assert {path.name for path in folder.iterdir()} == before | {newest}


def test_a_damaged_file_does_not_count_as_a_backup(site):
    site(keep=1)
    good = tasks.nightly_backup()
    (backups_folder() / "papersite-29990101-000000.tar.gz").write_text("damaged")
    assert remove_oldest(1) == []
    assert good in names()
    assert [found.manifest is None for found in backups()] == [True, False]


def test_a_failed_backup_removes_nothing_and_says_why(site, monkeypatch):
    site(keep=1)
    good = tasks.nightly_backup()

    def fail(*_args, **_options):
        raise BackupFailed("the disk is on fire")

    monkeypatch.setattr(kept, "make_backup", fail)
    assert tasks.nightly_backup() == "the disk is on fire"
    last = last_backup()
    assert (last.has_failed, last.error) == (True, "the disk is on fire")
    assert names() == [good]
    assert CrawlLog.objects.filter(task=Task.SCHEDULER, error="backup: the disk is on fire").count() == 1


def test_an_unexpected_fault_is_logged_too(site, monkeypatch):
    site()

    def fail(*_args, **_options):
        raise RuntimeError("what")

    monkeypatch.setattr(kept, "make_backup", fail)
    with pytest.raises(RuntimeError):
        keep_backup(origin=Origin.SCHEDULE)
    assert last_backup().error == "RuntimeError: what"


def test_two_at_once_are_not_two_and_no_failure(site):
    from operations.backup.data_lock import backing_up

    site()
    good = tasks.nightly_backup()
    with backing_up(backups_folder().parent):
        assert "already" in tasks.backup_now()
    assert (last_backup().name, last_backup().has_failed) == (good, False)


def test_a_backup_is_made_during_maintenance(site):
    site()
    maintenance.switch_on("update", by="owner")
    assert tasks.nightly_backup() in names()


def test_a_backup_ends_when_the_site_is_stopped(site, monkeypatch):
    site()
    monkeypatch.setattr(tasks, "at_most_each_second", lambda call: call)
    ask_workers_to_stop()
    assert "stopped" in tasks.nightly_backup()
    assert names() == []
    assert list(backups_folder().iterdir()) == []
    assert last_backup().has_failed


def test_before_the_first_there_is_none(site):
    site()
    assert (last_backup(), backups()) == (None, [])


def test_a_backup_whose_process_died_is_not_running(site):
    site()
    log = start_log(Task.SCHEDULER)
    CrawlLog.objects.filter(pk=log.pk).update(detail="backup: x.tar.gz")
    assert is_backup_running() and last_backup().is_running
    CrawlLog.objects.filter(pk=log.pk).update(owner="host:1:1@another:1")
    assert not is_backup_running()


def test_a_wish_is_passed_on_once(site):
    site()
    assert tasks.request_backup()
    assert not tasks.request_backup()
    assert OrmQ.objects.count() == 1
    assert tasks.is_backup_asked_for()
    OrmQ.objects.all().delete()
    start = start_log(Task.SCHEDULER)
    CrawlLog.objects.filter(pk=start.pk).update(detail="backup: x.tar.gz")
    assert not tasks.request_backup()


def test_a_name_is_never_taken_twice(site):
    site(keep=10)
    made = [tasks.backup_now() for _number in range(3)]
    assert len(set(made)) == 3
    assert sorted(made) == made


def test_the_schedule_is_there_while_backups_are_kept(site, settings):
    site(keep=3)
    ensure_schedules()
    schedule = Schedule.objects.get(name="backup")
    assert (schedule.func, schedule.cron) == ("operations.tasks.nightly_backup", "0 3 * * *")
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"backup_keep": 0})
    ensure_schedules()
    assert not Schedule.objects.filter(name="backup").exists()


def test_with_none_to_keep_a_wish_is_granted_and_nothing_removed(site):
    site(keep=0)
    made = [tasks.backup_now(), tasks.backup_now()]
    assert sorted(names()) == made


def test_other_logs_of_the_scheduler_are_no_backups(site):
    site()
    CrawlLog.objects.create(
        task=Task.SCHEDULER,
        status=RunState.SUCCESS,
        detail="sweep: 1 locks freed",
        started_at=timezone.now() + dt.timedelta(hours=1),
    )
    assert last_backup() is None


def test_a_restored_backup_does_not_look_like_one_that_failed(site, restore_into, elsewhere):
    site()
    name = tasks.nightly_backup()
    restored = restore_into(backups()[0].path, elsewhere)
    assert "logs closed" not in restored.settled.swept
    with working_in(elsewhere):
        assert (last_backup().state, last_backup().name) == (RunState.SUCCESS, name)
