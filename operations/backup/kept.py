"""The backups that the site keeps by itself in DATA_DIR/backups: by night, and when someone asks in the admin."""

import datetime as dt
import logging
import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils import timezone

from operations.backup.archive import read_head
from operations.backup.errors import BackupError, DataInUse, megabytes
from operations.backup.making import KEPT_IN, BackupMade, make_backup
from operations.backup.manifest import Manifest, Origin
from operations.logs import STOPPED, finish_log, start_log
from operations.models import CrawlLog, RunState, Task
from operations.owners import is_abandoned
from operations.stopping import WorkStopped

logger = logging.getLogger(__name__)

_NAME = "papersite-%Y%m%d-%H%M%S.tar.gz"
_PATTERN = re.compile(r"papersite-\d{8}-\d{6}\.tar\.gz")
# Begins the detail of the log rows that are read back here.
_LOGGED = "backup: "
# Of those the site removes none but its own.
_OURS = (Origin.SCHEDULE, Origin.CONSOLE)


@dataclass(frozen=True)
class BackupFile:
    """An archive in the folder; `manifest` is None where it cannot be read, and `problem` says why."""

    path: Path
    size: int
    made_at: dt.datetime
    manifest: Manifest | None
    problem: str = ""

    @property
    def name(self) -> str:
        """Its name in the folder."""
        return self.path.name


@dataclass(frozen=True)
class BackupRecord:
    """A backup of the site's own as it went: running, made, or failed."""

    log_id: int
    state: RunState
    name: str
    detail: str
    error: str
    started_at: dt.datetime
    completed_at: dt.datetime | None

    @property
    def is_running(self) -> bool:
        """Whether it is being made now."""
        return self.state == RunState.RUNNING

    @property
    def seconds(self) -> float | None:
        """How long it took; None while it runs."""
        return (self.completed_at - self.started_at).total_seconds() if self.completed_at else None

    @property
    def has_failed(self) -> bool:
        """Whether it came to nothing."""
        return self.state == RunState.FAILED


def backups_folder() -> Path:
    """Return where they lie."""
    return settings.PAPERSITE.data_dir / KEPT_IN


# ---------------------------------------------------------------- making


def keep_backup(*, origin: Origin, progress: Callable[[], None] = lambda: None) -> BackupMade:
    """Make a backup in the folder, log how that went, and then remove the oldest beyond those that are kept.

    `progress` is called often, and may raise to stop.

    Raises:
        BackupError: it could not be made; the older ones are all still there.
    """
    target = _new_name()
    log = start_log(Task.SCHEDULER)
    CrawlLog.objects.filter(pk=log.pk).update(detail=f"{_LOGGED}{target.name}")
    try:
        made = make_backup(target, origin=origin, progress=lambda _done, _total: progress())
    except DataInUse as error:
        finish_log(log, RunState.FAILED, error=str(error), detail="no backup: another was being made")
        raise
    except BaseException as error:
        finish_log(log, RunState.FAILED, error=_reason(error), detail=f"{_LOGGED}{target.name}")
        raise
    finish_log(log, RunState.SUCCESS, detail=_detail(made))
    remove_oldest(settings.PAPERSITE.backup_keep)
    return made


def _reason(error: BaseException) -> str:
    if isinstance(error, BackupError | WorkStopped):
        return f"{_LOGGED}{error}"
    return f"{_LOGGED}{type(error).__name__}: {error}" if isinstance(error, Exception) else f"{_LOGGED}{STOPPED}"


def _detail(made: BackupMade) -> str:
    files = made.manifest.files
    return (
        f"{_LOGGED}{made.path.name}, {made.manifest.papers} papers, {files.count} files, {megabytes(made.size)}, "
        f"{made.seconds:.1f} s" + (f", {files.left_out} files changed meanwhile" if files.left_out else "")
    )


def _new_name() -> Path:
    """Return the name of a backup made now; the next second's where this one has one."""
    folder = backups_folder()
    folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    moment = timezone.now().astimezone(dt.UTC)
    while (path := folder / moment.strftime(_NAME)).exists():
        moment += dt.timedelta(seconds=1)
    return path


def note_as_made(manifest: Manifest) -> None:
    """Close, in a database that came out of a backup of the site's own, the log of that very backup: it was made."""
    if manifest.origin in _OURS:
        running = CrawlLog.objects.filter(task=Task.SCHEDULER, status=RunState.RUNNING, detail__startswith=_LOGGED)
        running.update(status=RunState.SUCCESS, completed_at=manifest.made_at)


def at_most_each_second(call: Callable[[], None]) -> Callable[[], None]:
    """Return what calls `call`, and does nothing where that was less than a second ago: pieces of work are small."""
    called = time.monotonic()

    def limited() -> None:
        nonlocal called
        if time.monotonic() - called >= 1:
            called = time.monotonic()
            call()

    return limited


def remove_oldest(keep: int) -> list[str]:
    """Remove the oldest of the site's own backups beyond `keep`, and return their names; with 0 none is removed.

    Only whole ones count: a file that cannot be read is no backup, and not ours to judge.
    """
    if keep == 0:
        return []
    ours = [found for found in backups() if found.manifest and found.manifest.origin in _OURS]
    for found in ours[keep:]:
        found.path.unlink(missing_ok=True)
        logger.info("removed the backup %s, of which %d newer are kept", found.name, keep)
    return [found.name for found in ours[keep:]]


# ---------------------------------------------------------------- questions


def backups() -> list[BackupFile]:
    """Return the archives in the folder, newest first."""
    folder = backups_folder()
    if not folder.is_dir():
        return []
    named = [path for path in folder.iterdir() if _PATTERN.fullmatch(path.name)]
    found = [_look(path) for path in named if path.is_file() and not path.is_symlink()]
    return sorted(found, key=lambda file: file.made_at, reverse=True)


def _look(path: Path) -> BackupFile:
    state = path.stat()
    changed = dt.datetime.fromtimestamp(state.st_mtime, dt.UTC)
    try:
        manifest = read_head(path)
    except (BackupError, OSError) as error:
        return BackupFile(path, state.st_size, changed, None, str(error))
    return BackupFile(path, state.st_size, manifest.made_at, manifest)


def last_backup() -> BackupRecord | None:
    """Return how the last of the site's own backups went, or None where there was none yet."""
    return next(iter(recent_backups(1)), None)


def is_backup_running() -> bool:
    """Tell whether one of the site's own is being made."""
    running = CrawlLog.objects.filter(task=Task.SCHEDULER, status=RunState.RUNNING, detail__startswith=_LOGGED)
    return any(not is_abandoned(row.owner, row.started_at) for row in running)


def recent_backups(most: int = 10) -> list[BackupRecord]:
    """Return how the last of the site's own backups went, newest first."""
    rows = CrawlLog.objects.filter(task=Task.SCHEDULER, date=None, detail__startswith=_LOGGED)
    return [_record(row) for row in rows.order_by("-started_at", "-id")[:most]]


def _record(row: CrawlLog) -> BackupRecord:
    detail = (row.detail or "").removeprefix(_LOGGED)
    return BackupRecord(
        log_id=row.pk,
        state=RunState(row.status),
        name=detail.partition(",")[0],
        detail=detail,
        error=(row.error or "").removeprefix(_LOGGED),
        started_at=row.started_at,
        completed_at=row.completed_at,
    )
