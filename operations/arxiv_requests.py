"""Questions to arXiv that people ask: papers to be added by their ids, metadata of known ones to be fetched again.

A question is a row that waits until it is answered, whatever happens meanwhile: arXiv may be away for days and workers
may die. A batch is asked for at a time, at arXiv's pace; what came of it is stored paper by paper before its rows end.
"""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TypeVar

from django.db import DatabaseError, OperationalError
from django.utils import timezone

from operations.addition import PaperUnknown, add_papers
from operations.enrichment import enrich
from operations.http.errors import SourceError
from operations.locks import LockHeld, hold
from operations.logs import bounded, write_log
from operations.maintenance import raise_if_on
from operations.meta_files import write_meta_files
from operations.models import ArxivRequest, QueuePause, RequestKind, RequestState, RunState, Task
from operations.pauses import Cause, clear, pause, pause_of
from operations.sources.arxiv import arxiv_client
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.models import Paper

logger = logging.getLogger(__name__)
Item = TypeVar("Item")

# One call of arXiv's API.
BATCH = 100
_CHUNK = 500
# What the column holds; no archive's name is nearly as long.
_LONGEST_ID = 64
# What `result` holds.
NEW, REFRESHED = "new", "refreshed"
UNKNOWN = "unknown to arXiv"
DELETED = "the paper was deleted meanwhile"


@dataclass(frozen=True)
class Requested:
    """What became of a list of ids.

    `asked` wait from now on; of them `known` are stored here and will be refreshed. `already` waited before, `bad`
    are texts that are no ids.
    """

    asked: tuple[str, ...]
    known: tuple[str, ...]
    already: tuple[str, ...]
    bad: tuple[str, ...]


@dataclass(frozen=True)
class Answered:
    """What a batch came to; `kept_waiting` says why, where arXiv could not be asked."""

    new: int = 0
    refreshed: int = 0
    failed: int = 0
    kept_waiting: str | None = None

    def __str__(self) -> str:
        """Return the figures, or the reason."""
        if self.kept_waiting:
            return f"waiting: {self.kept_waiting}"
        return f"arXiv: {self.new} papers added, {self.refreshed} refreshed, {self.failed} failed"


# ---------------------------------------------------------------- for people


def request_papers(texts: Iterable[str], *, by: str | None) -> Requested:
    """Ask for papers by what people write as their arXiv ids; known ones are refreshed and keep their day."""
    ids, bad = _split(texts)
    already = _waiting_ids(ids)
    asked = [arxiv_id for arxiv_id in ids if arxiv_id not in already]
    known: set[str] = set()
    for chunk in _chunks(asked, _CHUNK):
        known |= set(Paper.objects.filter(arxiv_id__in=chunk).values_list("arxiv_id", flat=True))
        _store(chunk, RequestKind.ADD, by)
    return Requested(
        asked=tuple(asked),
        known=tuple(arxiv_id for arxiv_id in asked if arxiv_id in known),
        already=tuple(arxiv_id for arxiv_id in ids if arxiv_id in already),
        bad=tuple(bad),
    )


def request_metadata(paper_ids: Iterable[int], *, by: str | None) -> int:
    """Ask for the metadata of stored papers again and return of how many; those asked for already count too."""
    wanted = 0
    for chunk in _chunks(paper_ids, _CHUNK):
        ids = list(Paper.objects.filter(pk__in=chunk).order_by("pk").values_list("arxiv_id", flat=True))
        _store(ids, RequestKind.REFRESH, by)
        wanted += len(ids)
    return wanted


def _split(texts: Iterable[str]) -> tuple[list[str], list[str]]:
    """Return the ids, each once and without its version, and the texts that are none."""
    ids: dict[str, None] = {}
    bad: dict[str, None] = {}
    for text in texts:
        try:
            arxiv_id, _version = split_arxiv_id(text)
        except InvalidArxivId:
            arxiv_id = ""
        if 0 < len(arxiv_id) <= _LONGEST_ID:
            ids[arxiv_id] = None
        else:
            bad[text] = None
    return list(ids), list(bad)


def _waiting_ids(ids: Sequence[str]) -> set[str]:
    waiting = ArxivRequest.objects.filter(state=RequestState.WAITING, kind=RequestKind.ADD)
    found: set[str] = set()
    for chunk in _chunks(ids, _CHUNK):
        found |= set(waiting.filter(arxiv_id__in=chunk).values_list("arxiv_id", flat=True))
    return found


def _store(ids: Sequence[str], kind: RequestKind, by: str | None) -> None:
    now = timezone.now()
    rows = [ArxivRequest(arxiv_id=i, kind=kind, requested_by=by, requested_at=now) for i in ids]
    # What waits already stays as it is: the index of waiting rows says so.
    ArxivRequest.objects.bulk_create(rows, ignore_conflicts=True)


def _chunks(items: Iterable[Item], size: int) -> Iterator[list[Item]]:
    rest = iter(items)
    while chunk := list(islice(rest, size)):
        yield chunk


# ---------------------------------------------------------------- for workers


def requests_are_due() -> bool:
    """Tell whether something waits and arXiv may be asked now."""
    return pause_of(Cause.ARXIV_API) is None and ArxivRequest.objects.filter(state=RequestState.WAITING).exists()


def answer_requests() -> Answered | None:
    """Ask arXiv about a batch of what waits and store what it says; None where nothing is due, or another is at it.

    Raises:
        MaintenanceOn: work is held; everything goes on waiting.
    """
    raise_if_on()
    try:
        with hold(Task.SCHEDULER, "arxiv requests"):
            return _answer_batch() if requests_are_due() else None
    except LockHeld:
        return None


def _answer_batch() -> Answered:
    rows = _next_batch()
    kind = RequestKind(rows[0].kind)
    try:
        results = _ask(kind, [row.arxiv_id for row in rows])
    except (SourceError, OperationalError, OSError) as error:
        pause(Cause.ARXIV_API, str(error))
        return Answered(kept_waiting=str(error))
    clear(Cause.ARXIV_API)
    for row in rows:
        _finish(row, results.get(row.arxiv_id, UNKNOWN))
    answered = _count(results)
    write_log(Task.SCHEDULER, RunState.SUCCESS, detail=str(answered))
    return answered


def _next_batch() -> list[ArxivRequest]:
    """Return what is asked next, of one kind: papers to be added first, the oldest first.

    After each failure half as many, taken at random, so that an id that arXiv stumbles over does not keep all the
    others waiting for ever.
    """
    waiting = ArxivRequest.objects.filter(state=RequestState.WAITING)
    first = waiting.order_by("kind", "id").first()
    failures = QueuePause.objects.filter(cause=Cause.ARXIV_API).values_list("times", flat=True).first() or 0
    order = "?" if failures > 1 else "id"
    return list(waiting.filter(kind=first.kind if first else None).order_by(order)[: max(BATCH >> failures, 1)])


def _ask(kind: RequestKind, ids: list[str]) -> dict[str, str]:
    """Return the result for each id; a paper that cannot be stored costs itself alone.

    Raises:
        operations.http.errors.SourceError: arXiv cannot be asked.
        OperationalError, OSError: the database or the disk cannot be written now.
    """
    verb = _add if kind == RequestKind.ADD else _refresh
    try:
        return verb(ids)
    except OperationalError:
        raise
    except (DatabaseError, ValueError, TypeError) as error:
        if len(ids) == 1:
            logger.exception("what arXiv says of %s could not be stored", ids[0])
            return {ids[0]: f"could not be stored: {type(error).__name__}: {error}"}
    return {arxiv_id: result for one in ids for arxiv_id, result in _ask(kind, [one]).items()}


def _add(ids: list[str]) -> dict[str, str]:
    try:
        added, unknown = add_papers(ids), []
    except PaperUnknown as error:
        added, unknown = error.added, list(error.unknown)
    results = {arxiv_id: NEW if is_new else REFRESHED for arxiv_id, is_new in added.items()}
    return results | dict.fromkeys(unknown, UNKNOWN)


def _refresh(ids: list[str]) -> dict[str, str]:
    """Refresh papers that are still stored; one that was deleted meanwhile stays away."""
    stored, unknown = _stored(ids), dict[str, str]()
    if stored:
        with arxiv_client() as client:
            unknown = dict.fromkeys(enrich(client, stored).unknown, UNKNOWN)
        write_meta_files(stored)
    return dict.fromkeys(ids, DELETED) | dict.fromkeys(_stored(ids), REFRESHED) | unknown


def _stored(ids: list[str]) -> list[str]:
    return list(Paper.objects.filter(arxiv_id__in=ids).values_list("arxiv_id", flat=True))


def _finish(row: ArxivRequest, result: str) -> None:
    state = RequestState.DONE if result in (NEW, REFRESHED) else RequestState.FAILED
    ArxivRequest.objects.filter(pk=row.pk, state=RequestState.WAITING).update(
        state=state, result=bounded(result), completed_at=timezone.now()
    )


def _count(results: dict[str, str]) -> Answered:
    values = list(results.values())
    new, refreshed = values.count(NEW), values.count(REFRESHED)
    return Answered(new=new, refreshed=refreshed, failed=len(values) - new - refreshed)
