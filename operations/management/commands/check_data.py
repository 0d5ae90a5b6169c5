"""`check_data`: tells what is wrong with the stored data, and mends it on request."""

import sys
from collections import Counter
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from operations.checks import CHECKS, Problem
from operations.command_line import FAILED, LOCKED, require_tables, working
from operations.locks import LockHeld, hold
from operations.logs import closing_log, finish_log, start_log
from operations.models import RunState, Task

LOCK_KEY = "check_data"
# Lines printed of one kind; the rest are counted.
LINES_OF_A_KIND = 50


class Command(BaseCommand):
    """See `help`."""

    help = (
        "Check the search index, files, states, locks, orphan rows and the account of each day. "
        "Exit code 1 while anything is wrong."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add --repair."""
        parser.add_argument(
            "--repair",
            action="store_true",
            help="mend what can be mended without guessing; lost papers and summaries are read back from their files",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        """Repair where that is asked, then check."""
        require_tables()
        if options["repair"]:
            self._repair_alone()
        count = self._print_problems()
        if count:
            raise CommandError(f"{count} problems", returncode=FAILED)
        self.stdout.write("All is well.")

    def _repair_alone(self) -> None:
        try:
            with working(), hold(Task.CLEANUP, LOCK_KEY), closing_log(start_log(Task.CLEANUP)) as log:
                mended = self._repair()
                finish_log(log, RunState.SUCCESS, detail=f"check_data: {mended} repairs")
        except LockHeld as error:
            raise CommandError(str(error), returncode=LOCKED) from error
        except OSError as error:
            raise CommandError(f"the repair stopped, run it again once this is put right: {error}") from error

    def _repair(self) -> int:
        mended = 0
        for name, check in CHECKS.items():
            self._tell(f"mending {name} …")
            for line in check.repair():
                self.stdout.write(line)
                mended += 1
        return mended

    def _print_problems(self) -> int:
        printed: Counter[str] = Counter()
        for name, check in CHECKS.items():
            self._tell(f"checking {name} …")
            for problem in check.problems():
                self._print(problem, printed)
        for kind, count in printed.items():
            if count > LINES_OF_A_KIND:
                self.stdout.write(f"{kind}: and {count - LINES_OF_A_KIND} more")
        return printed.total()

    def _print(self, problem: Problem, printed: Counter[str]) -> None:
        printed[problem.kind] += 1
        if printed[problem.kind] <= LINES_OF_A_KIND:
            self.stdout.write(str(problem))

    def _tell(self, text: str) -> None:
        if sys.stderr.isatty():
            self.stderr.write(text)
