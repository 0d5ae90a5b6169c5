"""What is brought back is what was backed up: every row of every table, every byte of every file."""

import datetime as dt
import os
import stat

import pytest
from django.contrib.sessions.models import Session
from django.db import connection
from django.utils import timezone
from django_q.tasks import async_task

from operations.backup.making import make_backup
from operations.backup.manifest import Origin
from operations.crawl_jobs import start_crawl
from operations.files import RAW_NAME, SUMMARY_NAME, paper_folder
from operations.locks import attach_log, take
from operations.logs import start_log
from operations.models import CrawlJobDay, CrawlLog, DataDeleteJob, DayState, LockState, RunState, Task, TaskLock
from operations.states import claim_next, due
from papers.models import AssetStatus, Paper, SummaryState, SummaryStatus
from tests.backup.library import (
    DATABASE,
    add_summarised,
    add_waiting,
    archived_database,
    archived_files,
    check_data,
    files_of,
    manifest_of,
    tables_of,
)

ELSEWHERE = "another-host:7:7@another-boot:9"


def database_of(elsewhere):
    return elsewhere / DATABASE


def test_every_row_and_every_byte_comes_back(library, archive, elsewhere, restore_into, data_dir):
    before = tables_of(connection.settings_dict["NAME"])
    restored = restore_into(archive, elsewhere)
    after = tables_of(database_of(elsewhere))
    assert after["crawl_logs"][: len(before["crawl_logs"])] == before["crawl_logs"]
    assert [row[1:3] for row in after["crawl_logs"][len(before["crawl_logs"]) :]] == [("scheduler", "success")]
    assert {**after, "crawl_logs": None} == {**before, "crawl_logs": None}
    assert files_of(elsewhere) == files_of(data_dir)
    assert (restored.settled.files, restored.settled.index, restored.aside) == (0, 0, None)
    assert check_data(elsewhere) == "All is well.\n"


def test_the_archive_is_a_tar_that_anyone_can_read(library, archive, tmp_path, data_dir):
    assert tables_of(archived_database(archive, tmp_path / "out")) == tables_of(connection.settings_dict["NAME"])
    assert archived_files(archive) == files_of(data_dir)
    manifest = manifest_of(archive)
    assert (manifest["format"], manifest["rows"]["papers"], manifest["files"]["count"]) == (1, 3, 7)
    assert "papers.0001_initial" in manifest["migrations"]


def test_the_archive_is_for_its_owner_alone(archive):
    assert stat.S_IMODE(archive.stat().st_mode) == 0o600
    assert list(archive.parent.iterdir()) == [archive]


def test_an_empty_site_comes_back(data_dir, transactional_db, back_up, elsewhere, restore_into):
    restore_into(back_up().path, elsewhere)
    assert check_data(elsewhere) == "All is well.\n"


def test_the_old_data_is_kept_aside(library, archive, restore_into, elsewhere):
    restore_into(archive, elsewhere)
    (elsewhere / "papers/2605.00001/mine.txt").write_text("mine")
    old_tables, old_files = tables_of(database_of(elsewhere)), files_of(elsewhere)
    Paper.objects.filter(arxiv_id="2605.00003").delete()
    second = archive.with_name("second.tar.gz")
    make_backup(second, origin=Origin.COMMAND)
    restored = restore_into(second, elsewhere)
    assert restored.aside is not None
    assert tables_of(restored.aside / DATABASE) == old_tables
    assert files_of(restored.aside) == old_files
    assert len(tables_of(database_of(elsewhere))["papers"]) == 2
    assert not (elsewhere / "restore").exists()


def test_a_damaged_old_database_is_kept_aside_with_its_logs(library, archive, restore_into, elsewhere):
    for name in (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm"):
        (elsewhere / name).write_bytes(b"no database " + name.encode() + b"x" * 5000)
    restored = restore_into(archive, elsewhere)
    assert (restored.aside / f"{DATABASE}-wal").read_bytes().startswith(b"no database")
    assert sorted(path.name for path in restored.aside.iterdir()) == [DATABASE, f"{DATABASE}-shm", f"{DATABASE}-wal"]
    assert not (elsewhere / f"{DATABASE}-wal").exists()
    assert check_data(elsewhere) == "All is well.\n"


def test_files_beside_those_of_papers_stay_out(library, back_up, data_dir, tmp_path_factory):
    folder = paper_folder("2605.00001")
    outside = tmp_path_factory.mktemp("outside") / "secret"
    outside.write_text("secret")
    (folder / "link.txt").symlink_to(outside)
    (folder / "folder").mkdir()
    os.mkfifo(folder / "pipe")
    (folder / ".summary.json.abc").write_text("half")
    (folder / "ünïcode").write_text("odd")
    (data_dir / "papers" / "2699.00001").mkdir()
    (data_dir / "papers" / "2699.00001" / "meta.json").write_text("{}")
    made = back_up()
    assert set(archived_files(made.path)) == {
        *(f"papers/2605.00001/{name}" for name in ("meta.json", "raw_output.txt", "summary.json")),
        *(f"papers/hep-th/9901001/{name}" for name in ("meta.json", "raw_output.txt", "summary.json")),
        "papers/2605.00003/meta.json",
    }
    assert made.manifest.files.left_out == 3


def test_an_id_that_is_none_leads_to_no_folder(library, back_up, data_dir):
    (data_dir / "elsewhere").mkdir()
    (data_dir / "elsewhere" / "secret.txt").write_text("secret")
    Paper.objects.filter(arxiv_id="2605.00003").update(arxiv_id="../elsewhere")
    assert not [name for name in archived_files(back_up().path) if "secret" in name]


# ---------------------------------------------------------------- what changes while the backup is made


@pytest.fixture
def meanwhile(monkeypatch):
    """Do something between the snapshot of the database and the reading of files."""

    def arrange(act):
        from operations.backup import making

        whole = making.read_contents

        def then_act(path):
            act()
            return whole(path)

        monkeypatch.setattr(making, "read_contents", then_act)

    return arrange


def test_what_comes_after_the_snapshot_is_not_part_of_it(library, back_up, meanwhile, elsewhere, restore_into):
    def act():
        add_summarised("2605.00004")
        paper = Paper.objects.get(arxiv_id="2605.00003")
        folder = paper_folder(paper.arxiv_id)
        for name in (SUMMARY_NAME, RAW_NAME, "meta.json"):
            fresh = folder / f".{name}.new"
            fresh.write_text("{}")
            os.utime(fresh, (0, 0))  # an old file, moved here now
            fresh.replace(folder / name)

    meanwhile(act)
    made = back_up()
    assert made.manifest.files.left_out == 3
    restored = restore_into(made.path, elsewhere)
    assert restored.settled.files == 1
    assert set(files_of(elsewhere)) == set(archived_files(made.path)) | {"papers/2605.00003/meta.json"}
    assert check_data(elsewhere) == "All is well.\n"


def test_papers_deleted_after_the_snapshot_come_back_with_what_the_database_has(
    library, back_up, meanwhile, elsewhere, restore_into
):
    def act():
        Paper.objects.get(arxiv_id="2605.00001").delete()
        for path in paper_folder("2605.00001").iterdir():
            path.unlink()
        paper_folder("2605.00001").rmdir()

    meanwhile(act)
    restore_into(back_up().path, elsewhere)
    assert set(files_of(elsewhere)) >= {"papers/2605.00001/meta.json", "papers/2605.00001/summary.json"}
    assert "papers/2605.00001/raw_output.txt" not in files_of(elsewhere)
    assert check_data(elsewhere) == "All is well.\n"


def test_an_output_replaced_after_the_snapshot_is_noted_as_gone(library, back_up, meanwhile, elsewhere, restore_into):
    def act():
        fresh = paper_folder("2605.00001") / ".fresh"
        fresh.write_text("of the next run")
        fresh.replace(paper_folder("2605.00001") / RAW_NAME)

    meanwhile(act)
    restore_into(back_up().path, elsewhere)
    assert check_data(elsewhere) == "All is well.\n"
    rows = tables_of(database_of(elsewhere))
    assert len(rows["paper_summaries"]) == 2


# ---------------------------------------------------------------- work that was going on


def running_work():
    """Work of every kind, by processes of another machine."""
    now = timezone.now()
    paper = add_waiting("2605.00005")
    claim_next(due(paper_ids=[paper.pk]))
    Paper.objects.filter(pk=paper.pk).update(asset_status=AssetStatus.READY)
    lock = take(Task.CRAWL, "2026-06-05")
    attach_log(lock, start_log(Task.CRAWL, dt.date(2026, 6, 5)))
    start_log(Task.SCHEDULER)
    DataDeleteJob.objects.create(
        date_start=now.date(), date_end=now.date(), status=RunState.RUNNING, started_at=now, total=5, paper_count=2
    )
    job = start_crawl([dt.date(2026, 6, 5)], by="owner")
    CrawlJobDay.objects.filter(job=job).update(state=DayState.RUNNING, owner=ELSEWHERE, started_at=now, attempts=1)
    async_task("operations.tasks.backup_now")
    Session.objects.create(session_key="k" * 32, session_data="x", expire_date=now + dt.timedelta(days=1))
    # Of a container whose processes nobody here can look at: such owners count as alive.
    alive = _in_another_container(lock.owner)
    for model in (CrawlLog, TaskLock, SummaryStatus):
        model.objects.exclude(owner=None).update(owner=alive)
    CrawlJobDay.objects.exclude(owner=None).update(owner=alive)


def _in_another_container(owner: str) -> str:
    return owner.rpartition(":")[0] + ":4026531999"


def test_nothing_of_the_work_that_was_going_on_stays_stuck(library, back_up, elsewhere, restore_into):
    running_work()
    made = back_up()
    restored = restore_into(made.path, elsewhere)
    rows = tables_of(database_of(elsewhere))
    for table in rows:
        assert not any(
            value in ("running", "processing") for row in rows[table] for value in row if table not in ("crawl_jobs",)
        ), table
    assert rows["django_q_ormq"] == rows["django_session"] == []
    assert "locks freed" in restored.settled.swept and "papers given back" in restored.settled.swept
    assert check_data(elsewhere) == "All is well.\n"


def test_the_day_of_a_crawl_job_waits_again(library, back_up, elsewhere, restore_into):
    running_work()
    restore_into(back_up().path, elsewhere)
    from operations.backup.staging import working_in

    with working_in(elsewhere):
        assert list(CrawlJobDay.objects.values_list("state", flat=True)) == [DayState.WAITING]
        assert SummaryStatus.objects.get(paper__arxiv_id="2605.00005").status == SummaryState.PENDING
        assert Paper.objects.get(arxiv_id="2605.00005").asset_status == AssetStatus.CLEANED
        assert not TaskLock.objects.filter(status=LockState.RUNNING).exists()
        job = DataDeleteJob.objects.get()
        assert (job.status, job.paper_count) == (RunState.FAILED, 2)


def test_owners_of_finished_work_stay_as_they_are(library, back_up, elsewhere, restore_into):
    restore_into(back_up().path, elsewhere)
    assert any("host:1:1@boot:1" in map(str, row) for row in tables_of(database_of(elsewhere))["crawl_logs"])


def test_a_summary_that_only_a_file_knows_of_is_set_aside(library, back_up, elsewhere, restore_into):
    folder = paper_folder("2605.00003")
    (folder / SUMMARY_NAME).write_bytes((paper_folder("2605.00001") / SUMMARY_NAME).read_bytes())
    restore_into(back_up().path, elsewhere)
    assert "papers/2605.00003/summary.json.unusable" in files_of(elsewhere)
    assert len(tables_of(database_of(elsewhere))["paper_summaries"]) == 2
    assert check_data(elsewhere) == "All is well.\n"


def test_a_wrong_index_is_mended(library, back_up, elsewhere, restore_into):
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM papers_fts WHERE rowid = (SELECT min(id) FROM papers)")
    restored = restore_into(back_up().path, elsewhere)
    assert restored.settled.index == 1
    assert check_data(elsewhere) == "All is well.\n"
