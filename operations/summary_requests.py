"""Summaries that scripts ask for: queued at once, told of by one log that is open until all of them are settled."""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q
from django.utils import timezone

from operations import states
from operations.locks import is_held
from operations.logs import WAITS, finish_log, open_log
from operations.models import CrawlLog, LockState, RunState, SummaryRequest, Task, TaskLock
from operations.owners import describe
from papers.arxiv_ids import split_arxiv_id
from papers.models import Paper, SummaryState, SummaryStatus

# So many papers one request may name.
MOST_NAMED = 1000
_OPEN = (SummaryState.PENDING, SummaryState.PROCESSING, SummaryState.FAILED)
# A re-run that failed leaves the older summary, and its error beside it.
_GOOD = Q(paper__status__status=SummaryState.DONE, paper__status__error_type=None)
_CHUNK = 500


@dataclass(frozen=True)
class RequestedSummaries:
    """What was asked for: `papers` wait now and are told of by the log; those `in_work` were left alone."""

    log: CrawlLog
    papers: int
    in_work: tuple[str, ...] = ()


class UnknownPapers(Exception):
    """Papers that are not stored here; nothing was queued."""

    def __init__(self, arxiv_ids: Sequence[str]) -> None:
        """Name the first few."""
        self.arxiv_ids = tuple(arxiv_ids)
        more = f" and {len(arxiv_ids) - 5} more" if len(arxiv_ids) > 5 else ""
        super().__init__(f"not stored here: {', '.join(arxiv_ids[:5])}{more}")


class AllInWork(Exception):
    """Every paper that was asked for is being summarised already."""

    def __init__(self, arxiv_id: str, owner: str | None, since: dt.datetime | None) -> None:
        """Say who has the first of them, since when."""
        moment = f" since {since:%Y-%m-%d %H:%M:%S} UTC" if since else ""
        super().__init__(f"{arxiv_id} is being summarised by {describe(owner)}{moment}")


def request_papers(texts: Iterable[str], *, by: str) -> RequestedSummaries:
    """Queue these papers in whatever state they are, their count begun anew; those in work are left alone.

    Raises:
        papers.arxiv_ids.InvalidArxivId: one is no arXiv id.
        UnknownPapers: some are not stored here.
        AllInWork: there is nothing to queue.
    """
    ids = list(dict.fromkeys(split_arxiv_id(text)[0] for text in texts))
    with transaction.atomic():
        known = _keys(ids)
        unknown = [arxiv_id for arxiv_id in ids if arxiv_id not in known]
        if unknown:
            raise UnknownPapers(unknown)
        busy = _in_work(known)
        wanted = [known[arxiv_id] for arxiv_id in ids if arxiv_id not in busy]
        if not wanted:
            raise AllInWork(ids[0], *busy[ids[0]])
        states.rerun(wanted)
        return RequestedSummaries(_log(wanted, None, by), len(wanted), tuple(busy))


def request_day(date: dt.date, *, by: str) -> RequestedSummaries:
    """Queue what failed once on a day, without its wait, and tell of that and of all that waits for a summary there."""
    with transaction.atomic():
        states.retry_failed(date=date)
        wanted = list(states.due(date=date).values_list("paper_id", flat=True))
        busy = SummaryStatus.objects.filter(status=SummaryState.PROCESSING, paper__paper_date=date)
        in_work = tuple(busy.order_by("pk").values_list("paper__arxiv_id", flat=True))
        return RequestedSummaries(_log(wanted, date, by), len(wanted), in_work)


def _keys(arxiv_ids: Sequence[str]) -> dict[str, int]:
    """Return the keys of the papers that are stored."""
    known: dict[str, int] = {}
    for start in range(0, len(arxiv_ids), _CHUNK):
        papers = Paper.objects.filter(arxiv_id__in=arxiv_ids[start : start + _CHUNK])
        known |= dict(papers.values_list("arxiv_id", "pk"))
    return known


def _in_work(known: dict[str, int]) -> dict[str, tuple[str | None, dt.datetime | None]]:
    """Return those that someone alive has claimed or locked, each with who, since when. Few are at any time."""
    now = timezone.now()
    claimed = SummaryStatus.objects.filter(status=SummaryState.PROCESSING).select_related("paper")
    locked = TaskLock.objects.filter(task=Task.SUMMARIZE, status=LockState.RUNNING)
    found: dict[str, tuple[str | None, dt.datetime | None]] = {}
    found |= {lock.lock_key: (lock.owner, lock.acquired_at) for lock in locked if is_held(lock)}
    found |= {row.paper.arxiv_id: (row.owner, row.started_at) for row in claimed if states.is_held(row, now)}
    return {arxiv_id: who for arxiv_id, who in found.items() if arxiv_id in known}


def _log(paper_ids: Sequence[int], date: dt.date | None, by: str) -> CrawlLog:
    """Write the log that tells of these papers; one of none is closed at once."""
    of_day = f" of {date}" if date else ""
    counted = f"{len(paper_ids)} paper{'' if len(paper_ids) == 1 else 's'}"
    detail = f"summaries of {counted}{of_day} asked for by {by}"
    log = open_log(Task.SCHEDULER, date, found=len(paper_ids), detail=detail)
    SummaryRequest.objects.bulk_create(
        (SummaryRequest(log=log, paper_id=paper_id) for paper_id in paper_ids), batch_size=_CHUNK
    )
    if not paper_ids:
        _settle(log)
    return log


def settle_requests() -> int:
    """Close the logs of requests none of whose papers waits, is in work or will be tried again; return how many."""
    still_open = SummaryRequest.objects.filter(log=OuterRef("pk"), paper__status__status__in=_OPEN)
    requested = CrawlLog.objects.filter(WAITS, task=Task.SCHEDULER, papers_found__isnull=False)
    settled = list(requested.exclude(Exists(still_open)))
    for log in settled:
        with transaction.atomic():
            _settle(log)
    return len(settled)


def _settle(log: CrawlLog) -> None:
    """Close a request by what became of its papers; one that was deleted was not summarised."""
    asked = log.papers_found or 0
    good = SummaryRequest.objects.filter(log=log).aggregate(good=Count("pk", filter=_GOOD))["good"]
    missing = asked - good
    finish_log(
        log,
        RunState.FAILED if missing else RunState.SUCCESS,
        error=f"{missing} of {asked} papers have no new summary" if missing else None,
        detail=log.detail,
        found=asked,
        new=good,
    )
    SummaryRequest.objects.filter(log=log).delete()
