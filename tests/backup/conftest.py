"""A library with all that belongs to it, and what is needed to compare two of them."""

import datetime as dt
from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone

from operations.backup.making import BackupMade, make_backup
from operations.backup.manifest import Origin
from operations.backup.restoring import Restored, restore_backup
from operations.models import CrawlLog, DayListing, DeletedPaper, QueuePause, RunState, Task
from papers.models import Paper, UserBookmark, UserNote, UserReadingStatus
from papers.models.personal import ReadingStatus
from tests.backup.library import add_summarised, add_waiting


@pytest.fixture
def library(data_dir, transactional_db) -> list[Paper]:
    """Papers with and without summaries and with private rows, logs, an account, in order by `check_data`."""
    papers = [add_summarised("2605.00001"), add_summarised("hep-th/9901001"), add_waiting("2605.00003")]
    UserBookmark.objects.create(paper=papers[0], note="重读", created_at=timezone.now())
    UserNote.objects.create(
        paper=papers[0], content="笔记：第三节最重要\n换行", created_at=timezone.now(), updated_at=timezone.now()
    )
    UserReadingStatus.objects.create(paper=papers[1], status=ReadingStatus.values[-1], updated_at=timezone.now())
    CrawlLog.objects.create(
        task=Task.CRAWL,
        status=RunState.SUCCESS,
        date=dt.date(2026, 6, 5),
        papers_found=3,
        papers_new=3,
        started_at=timezone.now(),
        completed_at=timezone.now(),
        owner="host:1:1@boot:1",
    )
    DayListing.objects.create(
        date=dt.date(2026, 6, 4), entry_key="2605.00009", arxiv_id="2605.00009", first_seen_at=timezone.now()
    )
    DeletedPaper.objects.create(arxiv_id="2605.00009", paper_date=dt.date(2026, 6, 4), deleted_at=timezone.now())
    QueuePause.objects.create(cause="model", message="no", since=timezone.now(), until=timezone.now())
    User.objects.create_superuser("owner", password="correct horse")
    return papers


@pytest.fixture
def archive(library, tmp_path_factory) -> Path:
    """A backup of the library."""
    path = tmp_path_factory.mktemp("archive") / "papersite.tar.gz"
    make_backup(path, origin=Origin.COMMAND)
    return path


@pytest.fixture
def back_up(tmp_path_factory) -> Callable[..., BackupMade]:
    """Make a backup in a folder of its own."""

    def make(**options) -> BackupMade:
        return make_backup(tmp_path_factory.mktemp("archive") / "backup.tar.gz", origin=Origin.COMMAND, **options)

    return make


@pytest.fixture
def elsewhere(tmp_path_factory) -> Path:
    """An empty DATA_DIR."""
    return tmp_path_factory.mktemp("elsewhere")


@pytest.fixture
def restore_into(settings) -> Callable[[Path, Path], Restored]:
    """Restore an archive into a DATA_DIR."""

    def restore(archive: Path, data_dir: Path) -> Restored:
        outside = settings.PAPERSITE
        settings.PAPERSITE = outside.model_copy(update={"data_dir": data_dir})
        try:
            return restore_backup(archive)
        finally:
            settings.PAPERSITE = outside

    return restore
