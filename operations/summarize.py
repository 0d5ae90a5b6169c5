"""Summaries, many of them: what waits is claimed and attempted, retries included, until nothing is left."""

import datetime as dt
import logging
import threading
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Sum
from django.utils import timezone, translation

from operations import states
from operations.agent.installation import agent_state
from operations.attempt import Outcome, attempt_summary, claimed_paper
from operations.deletion.folders import remove_of_deleted
from operations.locks import LockHeld, attach_log, hold
from operations.logs import closing_log, finish_log, start_log
from operations.maintenance import MaintenanceOn, raise_if_on
from operations.models import CrawlLog, RunState, Task
from operations.pauses import Cause, WorkPaused, pause
from operations.states import Claim, ClaimLost
from operations.stopping import WorkStopped
from operations.summary_requests import settle_requests
from papers.models import Paper, SummaryState, SummaryStatus

logger = logging.getLogger(__name__)


@dataclass
class SummaryRun:
    """What a run over many papers did."""

    done: int = 0
    failed: list[Outcome] = field(default_factory=list)
    locked: list[str] = field(default_factory=list)
    paused: str | None = None
    limited: bool = False

    def add(self, outcome: Outcome) -> None:
        """Count an outcome; a failure that will be tried again in this run is taken back by its retry."""
        self.failed = [earlier for earlier in self.failed if earlier.arxiv_id != outcome.arxiv_id]
        if outcome.error_type is None:
            self.done += 1
        else:
            self.failed.append(outcome)


# ---------------------------------------------------------------- one paper


class DailyLimitReached(Exception):
    """SUMMARY_DAILY_LIMIT attempts were begun today; the paper at hand was given back."""


def summarize_claimed(
    claim: Claim, stopped: Callable[[], None] = lambda: None, *, within_limit: bool = True
) -> Outcome:
    """Attempt a claimed paper under its lock, with a log row; `within_limit` keeps to SUMMARY_DAILY_LIMIT.

    Raises:
        operations.locks.LockHeld: someone alive holds the lock, as while the paper is being deleted.
        DailyLimitReached: see there.
        WorkPaused, WorkStopped, states.ClaimLost: see attempt_summary.
    """
    try:
        with hold(Task.SUMMARIZE, claim.arxiv_id) as lock, closing_log(_begin(claim, within_limit)) as log:
            attach_log(lock, log)
            outcome = attempt_summary(claim, stopped)
            _close(log, outcome)
            settle_requests()
            return outcome
    except ClaimLost:
        remove_of_deleted([claim.arxiv_id])  # deleted meanwhile, and its files written after that
        raise
    except LockHeld:
        # To the end, so that a lock held for long keeps no worker from the other papers.
        states.give_back(claim, to_end=True)
        raise
    finally:
        states.give_back(claim)


def _begin(claim: Claim, within_limit: bool) -> CrawlLog:
    """Write the log row of an attempt, which the daily limit counts from now on: `papers_found` is 1.

    One that does not count after all, since the work was paused or stopped, loses the number when its row is closed.
    """
    date = claimed_paper(claim).paper_date
    with transaction.atomic():  # of two workers at the limit one begins
        if within_limit and daily_limit_reached():
            raise DailyLimitReached("the limit of summaries for today is reached")
        return start_log(Task.SUMMARIZE, date, found=1)


def _close(log: CrawlLog, outcome: Outcome) -> None:
    """Close the log of a counted attempt."""
    good = outcome.error_type is None
    finish_log(
        log,
        RunState.SUCCESS if good else RunState.FAILED,
        error=None if good else f"{outcome.error_type}: {outcome.error}",
        detail=f"{outcome.arxiv_id} {outcome.quality or outcome.state}",
        found=1,
        new=int(good),
    )


def daily_limit_reached(now: dt.datetime | None = None) -> bool:
    """Tell whether SUMMARY_DAILY_LIMIT attempts were begun since midnight in the site's time zone."""
    limit = settings.PAPERSITE.summary_daily_limit
    return limit is not None and attempts_today(now) >= limit


def attempts_today(now: dt.datetime | None = None) -> int:
    """Return how many attempts that count were begun since midnight in the site's time zone."""
    midnight = timezone.localtime(now).replace(hour=0, minute=0, second=0, microsecond=0)
    made = CrawlLog.objects.filter(task=Task.SUMMARIZE, started_at__gte=midnight).aggregate(n=Sum("papers_found"))["n"]
    return made or 0


def require_agent() -> None:
    """Pause the queue where there is no usable agent.

    Raises:
        WorkPaused: the agent is not installed, or not told which model to use.
    """
    with translation.override("en"):  # what logs and the command line say is English
        state = agent_state()
    if not state.ok:
        pause(Cause.AGENT, state.message)
        raise WorkPaused(Cause.AGENT, state.message)


def summarize_next(stopped: Callable[[], None] = lambda: None) -> Outcome | None:
    """Summarise the first waiting paper, as a worker does; None where nothing waits or all places are taken.

    Raises:
        WorkPaused, WorkStopped, ClaimLost, DailyLimitReached, operations.locks.LockHeld: as summarize_claimed.
    """
    if daily_limit_reached() or not states.due().exists():
        return None
    require_agent()
    claim = states.claim_next(states.due(), most_running=settings.PAPERSITE.summary_workers)
    return summarize_claimed(claim, stopped) if claim else None


# ---------------------------------------------------------------- many papers


class _Crew:
    """Threads that share one queue of papers; the first pause or stop ends the work of all."""

    def __init__(self, run: SummaryRun, limit: int | None, told: Callable[[Outcome], None] | None) -> None:
        self.run, self.left, self.told = run, limit, told
        self.taken: set[int] = set()
        self.mutex, self.ended = threading.Lock(), threading.Event()
        self.error: BaseException | None = None
        self.explicit = False

    def stopped(self) -> None:
        if self.ended.is_set():
            raise WorkStopped
        raise_if_on()

    def work(self, **selection) -> None:
        """Claim and attempt papers until none is left; run in several threads at once."""
        try:
            while not self._is_held() and not self.ended.is_set() and (claim := self._claim(selection)):
                self._attempt(claim)
        except BaseException as error:
            self.error = self.error or error
            self.ended.set()
        finally:
            connection.close()

    def _is_held(self) -> bool:
        try:
            raise_if_on()
        except MaintenanceOn as error:
            self._pause(error)
            return True
        return False

    def _pause(self, error: WorkPaused | MaintenanceOn) -> None:
        self.run.paused = str(error)
        self.ended.set()

    def _claim(self, selection: dict) -> Claim | None:
        with self.mutex:
            if self.left == 0:
                return None
            if not self.explicit and daily_limit_reached():
                self.run.limited = True
                return None
            claim = states.claim_next(states.due(**selection).exclude(paper_id__in=self._held_elsewhere()))
            if claim and self.left is not None and claim.paper_id not in self.taken:
                self.left -= 1
            if claim:
                self.taken.add(claim.paper_id)
            return claim

    def _held_elsewhere(self) -> list[int]:
        return list(Paper.objects.filter(arxiv_id__in=self.run.locked).values_list("pk", flat=True))

    def _attempt(self, claim: Claim) -> None:
        try:
            outcome = summarize_claimed(claim, self.stopped, within_limit=not self.explicit)
        except LockHeld:
            self.run.locked.append(claim.arxiv_id)
        except DailyLimitReached:
            self.run.limited = True
        except (WorkPaused, MaintenanceOn) as error:
            self._pause(error)
        except (ClaimLost, WorkStopped):
            pass
        else:
            with self.mutex:
                self.run.add(outcome)
            if self.told:
                self.told(outcome)


def summarize_waiting(
    *,
    date: dt.date | None = None,
    paper_ids: Iterable[int] | None = None,
    limit: int | None = None,
    told: Callable[[Outcome], None] | None = None,
) -> SummaryRun:
    """Summarise what waits, and failed papers that may be retried, in the foreground; newest day first.

    With `paper_ids` their count begins anew whatever their state, and the daily limit does not apply. The one
    automatic retry follows within the run. `told` is called after each attempt, from several threads.

    Raises:
        WorkPaused: there is no usable agent.
    """
    run = SummaryRun()
    crew = _Crew(run, limit, told)
    selection: dict = {"date": date}
    if paper_ids is not None:
        selection["paper_ids"], crew.explicit = _begin_anew(list(paper_ids), run), True
    else:
        states.retry_failed(date=date)
    if not states.due(**selection).exists():
        return run
    require_agent()
    _run_crew(crew, selection)
    retried = [outcome.arxiv_id for outcome in run.failed if outcome.state == SummaryState.FAILED]
    if retried and not crew.ended.is_set():
        ids = list(Paper.objects.filter(arxiv_id__in=retried).values_list("pk", flat=True))
        states.retry_failed(paper_ids=ids)
        crew.left = None
        _run_crew(crew, {"paper_ids": ids})
    return run


def _begin_anew(paper_ids: list[int], run: SummaryRun) -> list[int]:
    states.rerun(paper_ids)
    held = SummaryStatus.objects.filter(paper_id__in=paper_ids, status=SummaryState.PROCESSING)
    run.locked += held.values_list("paper__arxiv_id", flat=True)
    return paper_ids


def _run_crew(crew: _Crew, selection: dict) -> None:
    workers = settings.PAPERSITE.summary_workers
    with ThreadPoolExecutor(max_workers=workers, thread_name_prefix="summary") as pool:
        try:
            futures = [pool.submit(crew.work, **selection) for _ in range(workers)]
            for future in futures:
                future.result()
        except BaseException:
            crew.ended.set()  # Ctrl-C or SIGTERM: the threads give their papers back within a second
            raise
    if crew.error:
        raise crew.error
