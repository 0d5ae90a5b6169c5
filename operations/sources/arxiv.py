"""arXiv: what it says of papers, and their sources and PDFs."""

import logging
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from django.conf import settings

from operations.http.client import Answer, Downloaded, PoliteClient
from operations.http.errors import Refused, SourceError
from operations.sources.arxiv_atom import ArxivRecord, ErrorEntry, read_feed
from operations.sources.clients import arxiv_client
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id

__all__ = ["ArxivRecord", "arxiv_client", "download_pdf", "download_source", "fetch_records"]

logger = logging.getLogger(__name__)

# More ids in one call make addresses that servers on the way refuse.
_BATCH = 100
# A batch with one malformed id is understood after at most 8 refusals; after many more, the trouble is not the ids.
_MOST_REFUSALS = 20
# 100 papers with thousands of authors each stay under this.
_FEED_BYTES = 50 * 1024 * 1024
# arXiv takes sources of up to 50 MB without asking (https://info.arxiv.org/help/sizes.html); some are larger.
_SOURCE_BYTES = 100 * 1024 * 1024
_PDF_BYTES = 80 * 1024 * 1024


def fetch_records(client: PoliteClient, ids: Iterable[str]) -> dict[str, ArxivRecord]:
    """Return what arXiv says of the newest versions, by id without version; papers it does not know are absent.

    Texts that are no ids are left out, as is whatever else arXiv answers than the papers asked for.

    Raises:
        SourceError: as PoliteClient.get.
    """
    records: dict[str, ArxivRecord] = {}
    wanted = _usable(ids)
    for start in range(0, len(wanted), _BATCH):
        for record in _fetch_batch(client, wanted[start : start + _BATCH]):
            known = records.get(record.arxiv_id)
            if known is None or (record.version or 0) > (known.version or 0):
                records[record.arxiv_id] = record
    return records


def download_source(client: PoliteClient, arxiv_id: str, path: Path) -> Downloaded:
    """Fetch what arXiv has as the paper's source, of any kind: its first bytes tell.

    Raises:
        InvalidArxivId: this is no id.
        SourceError: as PoliteClient.download; NotFound where there is none.
    """
    url = f"{settings.PAPERSITE.arxiv_url}/e-print/{_in_address(arxiv_id)}"
    return client.download(url, path, limit_bytes=_SOURCE_BYTES)


def download_pdf(client: PoliteClient, arxiv_id: str, path: Path) -> Downloaded:
    """Fetch what arXiv has as the paper's PDF; whether it is one is for the reader to find out.

    Raises:
        InvalidArxivId: this is no id.
        SourceError: as PoliteClient.download; NotFound where there is none.
    """
    url = f"{settings.PAPERSITE.arxiv_url}/pdf/{_in_address(arxiv_id)}"
    return client.download(url, path, limit_bytes=_PDF_BYTES)


def _in_address(arxiv_id: str) -> str:
    """Return the id as arXiv's addresses carry it, checked: with the slash of an old one, and the version if given."""
    bare, version = split_arxiv_id(arxiv_id)
    return f"{bare}v{version}" if version else bare


def _usable(ids: Iterable[str]) -> list[str]:
    wanted: dict[str, None] = {}
    for text in ids:
        try:
            wanted[split_arxiv_id(text)[0]] = None
        except InvalidArxivId as error:
            logger.warning("arXiv is not asked: %s", error)
    return list(wanted)


def _fetch_batch(client: PoliteClient, batch: Sequence[str]) -> Iterator[ArxivRecord]:
    """Yield the records of a batch; an id that arXiv calls malformed is found and left out."""
    waiting, refusals = deque([list(batch)]), 0
    while waiting:
        ids = waiting.popleft()
        try:
            yield from _ask(client, ids)
        except (Refused, ErrorEntry) as error:
            refusals += 1
            if refusals > _MOST_REFUSALS:
                raise
            waiting.extend(_smaller(ids, _malformed(error)))


def _ask(client: PoliteClient, ids: Sequence[str]) -> list[ArxivRecord]:
    records: list[ArxivRecord] = []

    def check(answer: Answer) -> None:
        records[:] = read_feed(answer.body)

    client.get(
        f"{settings.PAPERSITE.arxiv_api_url}/api/query",
        params={"id_list": ",".join(ids), "start": 0, "max_results": len(ids)},
        limit_bytes=_FEED_BYTES,
        accept="application/atom+xml",
        check=check,
    )
    asked = [record for record in records if record.arxiv_id in ids]
    if len(asked) < len(records):
        logger.warning("arXiv answered for %d papers that were not asked for", len(records) - len(asked))
    return asked


def _malformed(error: Refused | ErrorEntry) -> str | None:
    """Return the id that arXiv complains about, where it says so."""
    if isinstance(error, ErrorEntry):
        return error.malformed
    try:
        read_feed(error.body)
    except ErrorEntry as entry:
        return entry.malformed
    except SourceError:
        pass  # a refusal without an entry names nobody
    return None


def _smaller(ids: list[str], malformed: str | None) -> list[list[str]]:
    """Return what to ask for in place of `ids`: all but the malformed one, or else either half."""
    if malformed in ids or len(ids) == 1:
        logger.warning("arXiv calls this id malformed: %s", malformed if malformed in ids else ids[0])
        rest = [arxiv_id for arxiv_id in ids if arxiv_id != malformed] if malformed in ids else []
        return [rest] if rest else []
    middle = len(ids) // 2
    return [ids[:middle], ids[middle:]]
