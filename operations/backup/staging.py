"""An installation being prepared inside of DATA_DIR, and the change from the old one to it by renames.

    DATA_DIR/restore/           what an archive held, unpacked and put right; with the file `ready` in it, complete
    DATA_DIR/before-restore-…/  what was there before

Until `ready` is there nothing outside of the folder is touched, and a kill leaves litter alone. From then on the change
only goes forward: each part is in the folder until it is in its place, so that whoever comes next can finish it.
"""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings
from django.db import connection

from operations.backup.archive import DATABASE_NAME, PAPERS_NAME
from operations.backup.data_lock import alone_with_data
from operations.files import write_atomically

_FOLDER = "restore"
_READY = "ready"
# The database last: its name is what the change is about, should anyone look in between.
_PARTS = (PAPERS_NAME, DATABASE_NAME)
_LOGS = ("-wal", "-shm", "-journal")


def staging_folder(data_dir: Path) -> Path:
    """Return where an installation is prepared."""
    return data_dir / _FOLDER


def begin(data_dir: Path) -> Path:
    """Return the empty folder of a new preparation."""
    folder = staging_folder(data_dir)
    shutil.rmtree(folder, ignore_errors=True)
    (folder / PAPERS_NAME).mkdir(mode=0o700, parents=True)
    return folder


@contextmanager
def working_in(folder: Path) -> Iterator[None]:
    """Let all that this process does be done to the installation in `folder`, for the length of the block.

    For a command that does nothing else meanwhile: the settings are of the whole process.
    """
    outside, name = settings.PAPERSITE, connection.settings_dict["NAME"]
    inside = outside.model_copy(update={"data_dir": folder})
    connection.close()
    settings.PAPERSITE, connection.settings_dict["NAME"] = inside, inside.database_path
    try:
        yield
    finally:
        connection.close()
        settings.PAPERSITE, connection.settings_dict["NAME"] = outside, name


def mark_ready(data_dir: Path, aside: str) -> None:
    """Say that the prepared installation is complete, and where the old one is to go; from here on only forward."""
    write_atomically(staging_folder(data_dir) / _READY, aside)


def recover(data_dir: Path) -> Path | None:
    """Finish a restore that was killed while it changed old for new, or remove what a killed one had prepared.

    Return where the old data went, if there was something to finish.

    Raises:
        DataInUse: a restore is running, or another command is.
    """
    if not staging_folder(data_dir).exists():
        return None
    with alone_with_data(data_dir):
        if (staging_folder(data_dir) / _READY).exists():
            return change(data_dir)
        shutil.rmtree(staging_folder(data_dir), ignore_errors=True)
    return None


def change(data_dir: Path) -> Path:
    """Move the old data aside and the prepared in its place, as far as that is not done; return where the old is."""
    folder = staging_folder(data_dir)
    aside = data_dir / (folder / _READY).read_text("utf-8")
    for part in _PARTS:
        if (folder / part).exists():
            _move_aside(data_dir, part, aside)
            (folder / part).rename(data_dir / part)
    (folder / _READY).unlink()
    shutil.rmtree(folder, ignore_errors=True)
    return aside


def _move_aside(data_dir: Path, part: str, aside: Path) -> None:
    """Move the old part, with a database's logs, which belong to it alone."""
    names = [part] if part == PAPERS_NAME else [part, *(f"{part}{log}" for log in _LOGS)]
    there = [name for name in names if (data_dir / name).exists()]
    place = _free_place(aside, there)
    # The logs first: left behind, they would be taken for those of the new database.
    for name in reversed(there):
        place.mkdir(mode=0o700, exist_ok=True)
        (data_dir / name).rename(place / name)


def _free_place(aside: Path, names: list[str]) -> Path:
    """Return `aside`, or a folder beside it: after a kill something may have been made anew where the old one was."""
    place, number = aside, 1
    while any((place / name).exists() for name in names):
        number += 1
        place = aside.with_name(f"{aside.name}-{number}")
    return place
