"""`backup FILE`: writes the database and the papers' files to one archive."""

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.backup.errors import BackupError, DataInUse, TargetRefused, megabytes
from operations.backup.making import BackupMade, make_backup
from operations.backup.manifest import Origin
from operations.command_line import FAILED, LOCKED, WRONG_USE, byte_bar, working


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Write the database and the papers' files to one archive, as they are at one moment; the site may run, and go "
        "on working. The archive is read back before it gets its name. It holds the owner's notes and everyone's "
        "password hashes: keep it as you keep the data itself. Exit code: 0 all well, 1 it could not be made, "
        "2 wrong use (FILE is there already), 3 another backup is being made."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file."""
        parser.add_argument(
            "file", metavar="FILE", type=Path, help="such as papersite.tar.gz; it must not be there yet"
        )
        parser.add_argument("--force", action="store_true", help="write over a FILE that is there")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make it."""
        with working(), byte_bar("backup") as progress:
            try:
                made = make_backup(
                    options["file"].absolute(), origin=Origin.COMMAND, force=options["force"], progress=progress
                )
            except BackupError as error:
                raise CommandError(str(error), returncode=_code(error)) from error
        self.stdout.write(_sentence(made))


def _code(error: BackupError) -> int:
    if isinstance(error, TargetRefused):
        return WRONG_USE
    return LOCKED if isinstance(error, DataInUse) else FAILED


def _sentence(made: BackupMade) -> str:
    files = made.manifest.files
    left_out = f", {files.left_out} changed meanwhile and left out" if files.left_out else ""
    return (
        f"{made.path}: {made.manifest.papers} papers, {files.count} files{left_out}, {megabytes(made.size)} "
        f"in {made.seconds:.1f} s; read back and found whole."
    )
