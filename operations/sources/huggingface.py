"""Hugging Face's Daily Papers: the list of a day, page by page."""

import json
import logging
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.conf import settings

from operations.http.client import Answer, PoliteClient
from operations.http.errors import Refused, UnexpectedAnswer
from operations.sources.clients import huggingface_client
from operations.sources.fields import as_dict, day, line
from operations.sources.huggingface_entry import BadEntry, DailyEntry, read_entry

__all__ = [
    "BadEntry",
    "DailyEntry",
    "DateRefused",
    "DayPage",
    "fetch_day_pages",
    "huggingface_client",
    "read_page",
]

logger = logging.getLogger(__name__)

# The most entries a page may have (https://huggingface.co/docs/hub/api, "limit").
_PAGE_LIMIT = 100
# The busiest recorded day has 50 entries. A day that is not over after so many pages is no list of a day.
_MOST_PAGES = 50
_PAGE_BYTES = 20 * 1024 * 1024


class DateRefused(Refused):
    """Hugging Face has no list for that date: it lies in the future, by UTC, or is no date."""

    def __init__(self, asked: date, message: str) -> None:
        """Keep the date, and what Hugging Face says."""
        super().__init__(f"Hugging Face refuses {asked}: {message}", status=400)
        self.date = asked
        self.message = message


@dataclass(frozen=True)
class DayPage:
    """The entries of one page that no page before it had."""

    entries: tuple[DailyEntry, ...]
    bad: tuple[BadEntry, ...]


def fetch_day_pages(client: PoliteClient, asked: date) -> Iterator[DayPage]:
    """Yield the pages of a day, up to the first empty one: a page may hold fewer entries than were asked for.

    Raises:
        DateRefused: the date lies in the future, by UTC.
        SourceError: as PoliteClient.get; the pages before it were yielded. UnexpectedAnswer also for the list of
            another day, and for a day that does not end.
    """
    seen: set[str] = set()
    before: list[Any] = []
    for number in range(_MOST_PAGES):
        raw = _fetch(client, asked, number)
        if not raw:
            return
        if raw == before:  # the page number was ignored, and would be for ever
            logger.warning("Hugging Face sent the same page of %s twice; the day ends here", asked)
            return
        yield read_page(raw, seen)
        before = raw
    raise UnexpectedAnswer(f"Hugging Face's list of {asked} does not end after {_MOST_PAGES} pages")


def read_page(raw_entries: Iterable[object], seen: set[str]) -> DayPage:
    """Return the entries whose keys are not in `seen`, and add these keys to it. Never raises."""
    entries: list[DailyEntry] = []
    bad: list[BadEntry] = []
    for entry in map(read_entry, raw_entries):
        key = entry.key if isinstance(entry, BadEntry) else entry.arxiv_id
        if key in seen:
            continue
        seen.add(key)
        if isinstance(entry, BadEntry):
            bad.append(entry)
        else:
            entries.append(entry)
    return DayPage(tuple(entries), tuple(bad))


def _fetch(client: PoliteClient, asked: date, number: int) -> list[Any]:
    page: list[Any] = []

    def check(answer: Answer) -> None:
        page[:] = _json_list(answer.body)
        _refuse_other_day(page, asked)

    try:
        client.get(
            f"{settings.PAPERSITE.hf_url}/api/daily_papers",
            params={"date": asked.isoformat(), "p": number, "limit": _PAGE_LIMIT},
            limit_bytes=_PAGE_BYTES,
            accept="application/json",
            check=check,
        )
    except Refused as error:
        if error.status == 400 and number == 0:
            raise DateRefused(asked, _reason(error.body)) from error
        raise
    return page


def _json_list(body: bytes) -> list[Any]:
    try:
        raw = _parse(body)
    except (ValueError, RecursionError) as error:
        raise UnexpectedAnswer(f"no JSON came, but {_glimpse(body)}", is_temporary=True) from error
    if not isinstance(raw, list):
        raise UnexpectedAnswer(f"no list came, but {_glimpse(body)}", is_temporary=True)
    return raw


def _parse(body: bytes) -> Any:
    """Read JSON, with bad bytes replaced and NaN as null, so that one odd character does not cost the day."""
    return json.loads(body.decode("utf-8-sig", "replace"), parse_constant=lambda name: None)


def _refuse_other_day(raw: list[Any], asked: date) -> None:
    """Raise where every entry that names its day names another one: a cache has sent an old list."""
    papers = (as_dict(as_dict(entry).get("paper")) for entry in raw)
    days = {named for paper in papers if (named := day(paper.get("submittedOnDailyAt")))}
    if days and asked not in days:
        others = ", ".join(sorted(map(str, days))[:3])
        raise UnexpectedAnswer(f"the list of {others} came in place of that of {asked}", is_temporary=True)


def _glimpse(body: bytes) -> str:
    return repr(line(body[:200].decode("utf-8", "replace"), 80))


def _reason(body: bytes) -> str:
    """Return what the answer says of the refusal."""
    try:
        said = as_dict(_parse(body)).get("error")
    except (ValueError, RecursionError):
        said = None
    return line(said, 300) or line(body.decode("utf-8", "replace"), 300) or "no reason given"
