"""Makes the search index right again."""

import sys
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db.utils import DatabaseError
from tqdm import tqdm

from operations.command_line import FAILED, working
from papers.search.index import RebuildReport, paper_count, rebuild


class Command(BaseCommand):
    """Compare every index row with the tables, and write those that differ."""

    help = (
        "Make the search index right again: mend damage, write rows that are missing or out of date, remove rows of "
        "papers that are gone. The site may go on running. It can be stopped at any time and run again."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        """Rebuild, and say what was done."""
        try:
            with working():
                report = self._rebuild()
        except DatabaseError as error:
            raise CommandError(f"the index could not be rebuilt: {error}", returncode=FAILED) from error
        self.stdout.write(_sentence(report))

    def _rebuild(self) -> RebuildReport:
        with tqdm(total=paper_count(), unit=" papers", disable=not sys.stderr.isatty()) as bar:
            return rebuild(bar.update)


def _sentence(report: RebuildReport) -> str:
    mended = "Damage mended. " if report.mended else ""
    return (
        f"{mended}{report.papers} papers checked, {report.written} index rows written, "
        f"{report.removed} rows of deleted papers removed."
    )
