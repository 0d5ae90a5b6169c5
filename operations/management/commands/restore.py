"""`restore FILE`: brings a backup back."""

import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.backup.archive import read_head
from operations.backup.errors import ArchiveRefused, BackupError, DataInUse
from operations.backup.restoring import Restored, restore_backup
from operations.command_line import FAILED, LOCKED, byte_bar, stoppable
from operations.serving.lock import AlreadyServing


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Put a backup in the place of this installation's database and files. The site must be stopped. What is there "
        "now is kept, in DATA_DIR/before-restore-…; nothing is changed where FILE is damaged or cannot be read. "
        "Exit code: 0 all well, 1 it was refused or failed, 2 wrong use, 3 the site or another command is running."
    )
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        """Take the file."""
        parser.add_argument("file", metavar="FILE", type=Path, help="an archive made by `backup`, or by night")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args: Any, **options: Any) -> None:
        """Restore, once a person at the terminal has said so."""
        archive = options["file"].absolute()
        with stoppable():
            try:
                if not options["yes"] and sys.stdin.isatty():
                    self._ask(archive)
                with byte_bar("restore") as progress:
                    restored = restore_backup(archive, progress=progress)
            except (DataInUse, AlreadyServing) as error:
                raise CommandError(f"nothing was changed: {error}", returncode=LOCKED) from error
            except ArchiveRefused as error:
                raise CommandError(f"{archive} cannot be restored: {error}", returncode=FAILED) from error
            except (BackupError, OSError) as error:
                raise CommandError(f"nothing was changed: {error}", returncode=FAILED) from error
        self._tell(restored)

    def _ask(self, archive: Path) -> None:
        manifest = read_head(archive)
        self.stdout.write(
            f"The backup of {manifest.made_on} ({manifest.papers} papers) takes the place of what is in "
            f"{settings.PAPERSITE.data_dir}, which is kept in a folder there."
        )
        try:
            answer = input("Go on? [yes/no] ")
        except EOFError:
            answer = ""
        if answer.strip().lower() not in ("yes", "y"):
            raise CommandError("nothing was changed", returncode=FAILED)

    def _tell(self, restored: Restored) -> None:
        manifest, settled = restored.manifest, restored.settled
        self.stdout.write(
            f"Restored the backup of {manifest.made_on}: {manifest.papers} papers, {manifest.files.count} files."
        )
        if settled.swept:
            self.stdout.write(f"Work that was going on then is closed: {settled.swept}.")
        if settled.files or settled.index:
            self.stdout.write(
                f"Brought in step with the database: {settled.files} files, {settled.index} of the index."
            )
        if restored.aside:
            self.stdout.write(f"The old data is in {restored.aside}; remove it when you no longer need it.")
        self.stdout.write("Everyone signs in anew.")
