"""The crawl of a day: fetch its list, store it page by page, add arXiv's facts."""

import datetime as dt
import logging
from collections.abc import Callable
from dataclasses import dataclass, field

from django.utils import timezone

from operations.day_store import StoredPage, store_page
from operations.enrichment import enrich, stale_ids
from operations.http.errors import SourceError
from operations.http.listening import listening_sleep
from operations.locks import attach_log, hold
from operations.logs import STOPPED, closing_log, finish_log, start_log, take_log
from operations.meta_files import write_meta_files
from operations.models import CrawlLog, RunState, Task
from operations.sources.arxiv import arxiv_client
from operations.sources.huggingface import fetch_day_pages, huggingface_client
from operations.stopping import WorkStopped

logger = logging.getLogger(__name__)


class CrawlFailed(Exception):
    """The day could not be fetched to its end; what was stored stays."""


@dataclass
class CrawlResult:
    """What a crawl of one day found; `stored` are the ids of listed papers that are stored here."""

    date: dt.date
    stored: list[str] = field(default_factory=list)
    found: int = 0
    new: int = 0
    skipped: list[str] = field(default_factory=list)
    left_deleted: int = 0
    warnings: list[str] = field(default_factory=list)

    def add(self, page: StoredPage) -> None:
        """Count one stored page."""
        self.found += len(page.new) + len(page.known) + len(page.left_deleted) + len(page.skipped)
        self.new += len(page.new)
        self.stored += [*page.new, *page.known]
        self.left_deleted += len(page.left_deleted)
        self.skipped += page.skipped

    def detail(self) -> str:
        """Return what else is worth telling, as lines of a log."""
        lines = [f"skipped {entry}" for entry in self.skipped] + self.warnings
        if self.left_deleted:
            lines.append(f"{self.left_deleted} deleted on purpose were left out")
        return "\n".join(lines)


def crawl_day(
    date: dt.date,
    *,
    by_hand: bool = False,
    log_id: int | None = None,
    progress: Callable[[], None] = lambda: None,
    began: Callable[[CrawlLog], None] = lambda log: None,
) -> CrawlResult:
    """Fetch and store the list of `date`; an empty list is no failure.

    By hand, papers that were deleted on purpose come back. `progress` is called after each page, and every second
    while a source lets us wait; a WorkStopped that it raises ends the crawl there. `began` gets the log row: that of
    `log_id`, written when the crawl was asked for, where it still waits, else a new one.

    Raises:
        operations.locks.LockHeld: this day is being crawled by someone alive.
        CrawlFailed: the source could not be read to the end of the day, or refuses the date.
        WorkStopped: as raised by `progress`; what was stored stays.
    """
    with (
        hold(Task.CRAWL, date.isoformat()) as lock,
        closing_log(take_log(log_id) or start_log(Task.CRAWL, date)) as log,
    ):
        attach_log(lock, log)
        began(log)
        result = CrawlResult(date)
        try:
            _store_list(result, by_hand, progress)
            _add_arxiv_facts(result, progress)
        except SourceError as error:
            _end_early(log, result, str(error))
            raise CrawlFailed(f"{date}: {error}") from error
        except WorkStopped:
            _end_early(log, result, STOPPED)
            raise
        write_meta_files(result.stored)
        finish_log(log, RunState.SUCCESS, detail=result.detail(), found=result.found, new=result.new)
        return result


def _store_list(result: CrawlResult, by_hand: bool, progress: Callable[[], None]) -> None:
    with huggingface_client(sleep=listening_sleep(progress)) as client:
        for page in fetch_day_pages(client, result.date):
            result.add(store_page(result.date, page, by_hand=by_hand))
            progress()


def _end_early(log: CrawlLog, result: CrawlResult, error: str) -> None:
    write_meta_files(result.stored)
    finish_log(log, RunState.FAILED, error=error, detail=result.detail(), found=result.found, new=result.new)


def _add_arxiv_facts(result: CrawlResult, progress: Callable[[], None]) -> None:
    """Ask arXiv; that it cannot be reached never fails the crawl, since the day is asked for again."""
    wanted = stale_ids(result.stored, timezone.now())
    if not wanted:
        return
    try:
        with arxiv_client(listening_sleep(progress)) as client:
            enriched = enrich(client, wanted)
    except SourceError as error:
        logger.warning("arXiv's facts for %s are missing: %s", result.date, error)
        result.warnings.append(f"arXiv's facts are missing: {error}")
        return
    if enriched.unknown:
        result.warnings.append(f"unknown to arXiv: {', '.join(enriched.unknown)}")
