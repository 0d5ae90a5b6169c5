"""Crawls one day or several."""

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import DatabaseError
from tqdm import tqdm

from operations.calendar import utc_today
from operations.command_line import FAILED, LOCKED, add_date_options, chosen_dates, working
from operations.crawl import CrawlFailed, CrawlResult, crawl_day
from operations.locks import LockHeld
from operations.maintenance import raise_if_on


class Command(BaseCommand):
    """`crawl [--date D | --from D --to D]`."""

    help = (
        "Fetch the Daily Papers of one day or several, by default of today (UTC), and store them. "
        "Running it again refreshes what is stored. Exit code: 0 all well (an empty day too), 1 a day failed, "
        "2 wrong use, 3 a day is being crawled by another process. Maintenance ends it after its day (1)."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        """Add the choice of days."""
        add_date_options(parser)

    def handle(self, *args, **options) -> None:
        """Crawl each day; one that fails or is held costs the others nothing."""
        dates = chosen_dates(options, utc_today())
        failed, locked = 0, 0
        with working():
            for date in tqdm(dates, unit="day", disable=None if len(dates) > 1 else True):
                raise_if_on()
                try:
                    self._tell(crawl_day(date, by_hand=True))
                except LockHeld as error:
                    locked += 1
                    self._complain(str(error))
                except CrawlFailed as error:
                    failed += 1
                    self._complain(str(error))
                except (DatabaseError, OSError) as error:
                    failed += 1
                    self._complain(f"{date}: {error}")
        if failed:
            raise CommandError(f"{failed} of {len(dates)} days failed", returncode=FAILED)
        if locked:
            raise CommandError(f"{locked} of {len(dates)} days are being crawled elsewhere", returncode=LOCKED)

    def _tell(self, result: CrawlResult) -> None:
        with tqdm.external_write_mode():
            self.stdout.write(f"{result.date}: {result.found} papers, {result.new} new")
            for line in result.detail().splitlines():
                self.stderr.write(f"  {line}")

    def _complain(self, message: str) -> None:
        with tqdm.external_write_mode():
            self.stderr.write(self.style.ERROR(message))
