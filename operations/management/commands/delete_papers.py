"""Deletes the papers of a range of days."""

import datetime as dt
import sys

from django.core.management.base import BaseCommand, CommandError, CommandParser
from tqdm import tqdm

from operations.command_line import (
    FAILED,
    LOCKED,
    WRONG_USE,
    date_argument,
    require_tables,
    working,
)
from operations.deletion.counting import DeletionCount, count_deletion
from operations.deletion.jobs import DeletionRunning
from operations.deletion.run import delete_now
from operations.interruption import INTERRUPTED, stop_between_steps
from operations.locks import LockHeld
from operations.maintenance import MaintenanceOn, person_at_the_terminal
from operations.models import DataDeleteJob, RunState


class Command(BaseCommand):
    """`delete_papers --from D --to D [--keep-notes] [--dry-run] [--yes]`."""

    help = (
        "Delete the papers filed under a range of days: tables, search index, files, and what the owner noted on them. "
        "A refresh does not bring them back, a crawl by hand does. It can be stopped at any moment and run again. Exit "
        "code: 0 all is deleted, 1 not all is, or it was not confirmed, or work is held for maintenance, 2 wrong use, "
        "3 another deletion is running, 130 stopped."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the range and the choices."""
        parser.add_argument("--from", type=date_argument, metavar="D", dest="first", help="first day, as 2026-06-01")
        parser.add_argument("--to", type=date_argument, metavar="D", dest="last", help="last day")
        parser.add_argument("--keep-notes", action="store_true", help="keep papers that carry a note or a bookmark")
        parser.add_argument("--dry-run", action="store_true", help="only count, and store nothing")
        parser.add_argument("--yes", action="store_true", help="do not ask")

    def handle(self, *args, **options) -> None:
        """Count, ask where there is someone to answer, delete."""
        first, last = self._range(options)
        include_notes = not options["keep_notes"]
        if options["dry_run"]:
            require_tables()
            self._tell(count_deletion(first, last, include_notes=include_notes))
            return
        with working():
            count = count_deletion(first, last, include_notes=include_notes)
            self._tell(count)
            if not options["yes"] and sys.stdin.isatty():
                self._confirm(f"{first} {last}")
            self._delete(first, last, include_notes, count)

    def _range(self, options: dict) -> tuple[dt.date, dt.date]:
        first, last = options["first"], options["last"]
        if not first or not last:
            raise CommandError("--from and --to are needed, both", returncode=WRONG_USE)
        if last < first:
            raise CommandError(f"--from {first} is after --to {last}", returncode=WRONG_USE)
        return first, last

    def _tell(self, count: DeletionCount) -> None:
        self.stdout.write(
            f"{count.papers} papers to delete, with {count.notes} notes, {count.bookmarks} bookmarks, "
            f"{count.reading_statuses} reading statuses, {count.files} files ({count.bytes / 1e6:.1f} MB)."
        )
        if count.kept:
            self.stdout.write(f"{count.kept} papers are kept: they carry a note or a bookmark.")
        if count.busy:
            self.stdout.write(f"{count.busy} are being summarised now, and will be waited for.")

    def _confirm(self, wanted: str) -> None:
        self.stdout.write("This cannot be undone.")
        try:
            typed = input(f"Type {wanted} to delete them: ")
        except EOFError:
            typed = ""
        if typed.split() != wanted.split():
            raise CommandError("not confirmed, nothing was deleted", returncode=FAILED)

    def _delete(self, first: dt.date, last: dt.date, include_notes: bool, count: DeletionCount) -> None:
        bar = tqdm(total=count.papers, unit="paper", disable=None)
        with bar, stop_between_steps() as interruption:
            try:
                job = delete_now(
                    first,
                    last,
                    include_notes=include_notes,
                    by=person_at_the_terminal(),
                    progress=bar.update,
                    stopped=interruption.raise_if_asked,
                )
            except (DeletionRunning, LockHeld) as error:
                raise CommandError(str(error), returncode=LOCKED) from None
            except MaintenanceOn as error:
                raise CommandError(str(error), returncode=FAILED) from None
        self._conclude(job, interrupted=interruption.is_asked)

    def _conclude(self, job: DataDeleteJob, *, interrupted: bool) -> None:
        if job.status == RunState.SUCCESS:
            self.stdout.write(f"{job.paper_count} papers deleted.")
            return
        code = INTERRUPTED if interrupted else FAILED
        raise CommandError(f"{job.error}; run it again to go on", returncode=code)
