"""One attempt at one paper's summary: text, agent, checks, store."""

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass

from django.conf import settings
from django.db import OperationalError, transaction
from django.utils import timezone

from operations import states
from operations.agent.installation import configured_agent
from operations.agent.probe import llm_problem
from operations.agent.prompt import is_echo, summary_request
from operations.agent.runner import (
    AgentError,
    AgentNotInstalled,
    AgentRun,
    AgentTimeout,
    run_agent,
)
from operations.assets.errors import AssetError, PaperWithdrawn
from operations.assets.obtain import obtain_text
from operations.assets.paper_text import PaperText
from operations.files import (
    FAILED_PROMPT_NAME,
    FAILED_RAW_NAME,
    PROMPT_NAME,
    RAW_NAME,
    SUMMARY_NAME,
    json_text,
    paper_folder,
    prepared,
    relative,
    remove_temporary,
    temporary_folder,
    write_atomically,
)
from operations.http.errors import SourceUnavailable
from operations.meta_files import write_meta_files
from operations.pauses import Cause, WorkPaused, clear, pause
from operations.sources.arxiv import arxiv_client, download_pdf, download_source
from operations.states import Claim
from operations.stopping import WorkStopped
from papers.models import AssetStatus, ErrorType, Paper, PaperSummary, SummaryState
from papers.summary.errors import SummaryRejected
from papers.summary.reading import CheckedSummary, PaperFacts, read_summary
from papers.summary.storage import store_summary

logger = logging.getLogger(__name__)

# How often the lease is lengthened and a wish to stop is heard while the agent runs, in seconds.
TICK = 1.0
RENEW_EVERY = 15.0
# What is left where an agent ends with code 0 although it could not reach its model, or lost it half-way.
_NO_ANSWER = (ErrorType.JSON_NOT_FOUND, ErrorType.JSON_INVALID)


@dataclass(frozen=True)
class Outcome:
    """How an attempt ended; `agent_seconds` is the agent's own share of `seconds`."""

    arxiv_id: str
    state: SummaryState
    quality: str | None = None
    error_type: str | None = None
    error: str | None = None
    seconds: float = 0
    agent_seconds: float = 0


class AttemptFailed(Exception):
    """The attempt counts and failed."""

    def __init__(self, error_type: str, message: str, *, permanent: bool = False) -> None:
        """Keep what the status row needs."""
        super().__init__(message)
        self.error_type, self.permanent = error_type, permanent


class _Attempt:
    """What is known of an attempt on its way: the paper, and what has been reached."""

    def __init__(self, claim: Claim, stopped: Callable[[], None]) -> None:
        self.claim, self.stopped = claim, stopped
        self.paper = claimed_paper(claim)
        self.began = self.renewed = time.monotonic()
        self.agent_seconds = 0.0
        self.prompt = ""  # what is kept of it
        self.had_text = self.raw_saved = False

    def tick(self) -> None:
        """Lengthen the lease now and then, and stop where that is wished."""
        self.stopped()
        if time.monotonic() - self.renewed >= RENEW_EVERY:
            self.renew()

    def renew(self) -> None:
        """Lengthen the lease."""
        states.renew(self.claim)
        self.renewed = time.monotonic()

    def sleep(self, seconds: float) -> None:
        """Wait before arXiv is asked again, which may be for minutes, without being deaf meanwhile."""
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            self.tick()
            time.sleep(min(left, TICK))


def claimed_paper(claim: Claim) -> Paper:
    """Return the claimed paper.

    Raises:
        states.ClaimLost: it has been deleted meanwhile.
    """
    paper = Paper.objects.filter(pk=claim.paper_id).first()
    if paper is None:
        raise states.ClaimLost(claim.arxiv_id)
    return paper


def attempt_summary(claim: Claim, stopped: Callable[[], None] = lambda: None) -> Outcome:
    """Make the summary of a claimed paper, and move its status by how that went.

    `stopped` is called every second and may raise to stop the work; the paper is then given back, uncounted.

    Raises:
        WorkPaused: arXiv, the agent, the model or this machine is out of order; the paper is pending again.
        WorkStopped: as raised by `stopped`.
        states.ClaimLost: someone else has the paper now; nothing was stored.
    """
    attempt = _Attempt(claim, stopped)
    try:
        quality = _summarize(attempt)
    except AttemptFailed as failure:
        return _fail(attempt, failure)
    except (WorkStopped, states.ClaimLost):
        raise
    except WorkPaused as error:
        # The trouble with arXiv may be with this paper's files alone, which must not stand in the way of the others.
        states.give_back(claim, to_end=error.cause == Cause.ARXIV)
        raise
    except (OperationalError, OSError) as error:
        # A full disk or a locked database is no paper's fault. To the end, should it be this one's all the same.
        pause(Cause.SYSTEM, f"{type(error).__name__}: {error}")
        states.give_back(claim, to_end=True)
        raise WorkPaused(Cause.SYSTEM, str(error)) from error
    except Exception as error:
        logger.exception("an attempt at %s ended unexpectedly", claim.arxiv_id)
        return _fail(attempt, AttemptFailed(ErrorType.UNKNOWN, f"{type(error).__name__}: {error}"))
    finally:
        states.give_back(claim)
    return _outcome(attempt, SummaryState.DONE, quality=quality)


def _outcome(attempt: _Attempt, state: SummaryState, **more) -> Outcome:
    seconds = time.monotonic() - attempt.began
    return Outcome(attempt.claim.arxiv_id, state, seconds=seconds, agent_seconds=attempt.agent_seconds, **more)


def _fail(attempt: _Attempt, failure: AttemptFailed) -> Outcome:
    state = states.fail(
        attempt.claim,
        failure.error_type,
        str(failure),
        permanent=failure.permanent,
        raw_output_saved=attempt.raw_saved,
    )
    return _outcome(attempt, state, error_type=failure.error_type, error=str(failure))


def _summarize(attempt: _Attempt) -> str:
    """Go through the stages and return the quality of the stored summary."""
    if attempt.paper.is_withdrawn:
        reason = "the paper was withdrawn on arXiv"
        _set_assets(attempt.paper, AssetStatus.FAILED, reason)
        raise AttemptFailed(ErrorType.PDF_DOWNLOAD_FAILED, reason, permanent=True)
    try:
        text = _text(attempt)
        attempt.stopped()
        attempt.renew()  # downloads with all their retries can take long
        raw = _ask_agent(attempt, text)
        checked = _check(attempt, raw, text)
    finally:
        # While the paper is still ours: whoever has it next works in the same folder.
        _clean(attempt)
    _store(attempt, checked, raw)
    return checked.quality


# ---------------------------------------------------------------- text


def _text(attempt: _Attempt) -> PaperText:
    arxiv_id = attempt.claim.arxiv_id
    try:
        with arxiv_client(attempt.sleep) as client:
            text = obtain_text(arxiv_id, temporary_folder(arxiv_id), client, download_source, download_pdf)
    except SourceUnavailable as error:
        pause(Cause.ARXIV, str(error))
        raise WorkPaused(Cause.ARXIV, str(error)) from error
    except AssetError as error:
        _set_assets(attempt.paper, AssetStatus.FAILED, str(error))
        withdrawn = isinstance(error, PaperWithdrawn)
        if withdrawn:
            Paper.objects.filter(pk=attempt.paper.pk).update(is_withdrawn=True, updated_at=timezone.now())
            write_meta_files([arxiv_id])
        raise AttemptFailed(ErrorType.PDF_DOWNLOAD_FAILED, str(error), permanent=withdrawn) from error
    clear(Cause.ARXIV)
    _set_assets(attempt.paper, AssetStatus.READY)
    attempt.had_text = True
    return text


def _set_assets(paper: Paper, status: AssetStatus, error: str | None = None) -> None:
    Paper.objects.filter(pk=paper.pk).update(asset_status=status, asset_error=error)


def _clean(attempt: _Attempt) -> None:
    remove_temporary(attempt.claim.arxiv_id)
    if attempt.had_text:
        _set_assets(attempt.paper, AssetStatus.CLEANED)


# ---------------------------------------------------------------- agent


def _ask_agent(attempt: _Attempt, text: PaperText) -> str:
    paper = attempt.paper
    authors = list(paper.authors.values_list("name", flat=True))
    request = summary_request(paper.arxiv_id, paper.title_en, authors, text.as_text(), is_cut=text.is_cut)
    attempt.prompt = request.kept
    try:
        run = _run(attempt, request.sent)
    except AgentNotInstalled as error:
        # It looked as if it could be started, or no paper would have been begun: the pause must not end by that look.
        pause(Cause.SYSTEM, str(error))
        raise WorkPaused(Cause.SYSTEM, str(error)) from error
    except AgentError as error:
        _save_failed_output(attempt, error.stdout)
        _pause_if_model_unreachable()
        raise AttemptFailed(_error_type(error), str(error)) from error
    return run.stdout


def _run(attempt: _Attempt, prompt: str) -> AgentRun:
    began = time.monotonic()
    try:
        return run_agent(
            configured_agent(),
            prompt,
            timeout=settings.PAPERSITE.agent_timeout,
            on_tick=attempt.tick,
            tick_seconds=TICK,
        )
    finally:
        attempt.agent_seconds = time.monotonic() - began


def _error_type(error: AgentError) -> str:
    if isinstance(error, AgentTimeout):
        return ErrorType.TIMEOUT
    return ErrorType.PROCESS_ERROR


def _pause_if_model_unreachable() -> None:
    """Pause where a bad end was the model's service being away, so that no paper pays for it."""
    problem = llm_problem()
    if problem:
        pause(Cause.MODEL, problem)
        raise WorkPaused(Cause.MODEL, problem)


# ---------------------------------------------------------------- checks and store


def _check(attempt: _Attempt, raw: str, text: PaperText) -> CheckedSummary:
    facts = PaperFacts(attempt.paper.arxiv_id, attempt.paper.title_en, text.as_text())
    try:
        checked = read_summary(raw, facts)
        if is_echo(checked.full):
            raise SummaryRejected(ErrorType.FIELD_MISSING, "the example of the request was given back")
    except SummaryRejected as error:
        _save_failed_output(attempt, raw)
        if error.error_type in _NO_ANSWER:
            _pause_if_model_unreachable()
        raise AttemptFailed(error.error_type, str(error)) from error
    return checked


def _save_failed_output(attempt: _Attempt, raw: str) -> None:
    """Keep a failed run's request and output; beside the good ones of a summary from before, never over them."""
    kept = PaperSummary.objects.filter(paper_id=attempt.paper.pk).exists()
    folder = paper_folder(attempt.paper.arxiv_id)
    path = folder / (FAILED_RAW_NAME if kept else RAW_NAME)
    write_atomically(folder / (FAILED_PROMPT_NAME if kept else PROMPT_NAME), attempt.prompt, durable=False)
    write_atomically(path, raw)
    if not kept:
        Paper.objects.filter(pk=attempt.paper.pk).update(raw_output_path=relative(path))
    attempt.raw_saved = True


def _store(attempt: _Attempt, checked: CheckedSummary, raw: str) -> None:
    """Store everything, or nothing: the files are moved into place just before the commit.

    A kill in between leaves files newer than the database; the paper is then still in work, is given back by the
    sweep, and the next run writes them again.
    """
    folder = paper_folder(attempt.paper.arxiv_id)
    raw_path, summary_path, prompt_path = folder / RAW_NAME, folder / SUMMARY_NAME, folder / PROMPT_NAME
    with (
        prepared(prompt_path, attempt.prompt, durable=False) as fresh_prompt,
        prepared(raw_path, raw) as fresh_raw,
        prepared(summary_path, json_text(checked.full)) as fresh_summary,
        transaction.atomic(),
    ):
        store_summary(
            attempt.paper,
            checked,
            now=timezone.now(),
            source_version=attempt.paper.version,
            summary_path=relative(summary_path),
        )
        Paper.objects.filter(pk=attempt.paper.pk).update(raw_output_path=relative(raw_path))
        states.succeed(attempt.claim, checked.quality)
        fresh_prompt.replace(prompt_path)
        fresh_raw.replace(raw_path)
        fresh_summary.replace(summary_path)
    for name in (FAILED_RAW_NAME, FAILED_PROMPT_NAME):
        (folder / name).unlink(missing_ok=True)
    clear(Cause.AGENT, Cause.MODEL, Cause.SYSTEM)
