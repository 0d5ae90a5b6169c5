"""What the API tells of papers, written as JSON at once: no models, and no second look at what was just read.

The schemas of papers.api_schemas describe it; a test holds the two together.
"""

import json
import logging
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from papers.queries.sql import ids, rows
from papers.summary.schema import SummarySchema

logger = logging.getLogger(__name__)

_COLUMNS = (
    *("id", "arxiv_id", "title_en", "title_zh", "abstract", "published_at", "paper_date", "crawled_at", "upvotes"),
    *("version", "arxiv_comment", "is_withdrawn", "hf_url", "arxiv_url", "pdf_url", "source_url", "code_url"),
    *("code_stars", "project_url", "organization", "asset_status", "summary_quality", "categories"),
)
# Where there is no entry, as during a migration, the paper's own row tells.
_PAPERS = f"""
SELECT coalesce(paper_changes.changed_at, papers.updated_at), paper_summaries.full_json,
    summary_status.status, summary_status.quality, summary_status.error_type, summary_status.retry_count,
    {", ".join(f"papers.{column}" for column in _COLUMNS)}
FROM json_each(%s) AS listed CROSS JOIN papers ON papers.id = listed.value
LEFT JOIN paper_changes ON paper_changes.arxiv_id = papers.arxiv_id
LEFT JOIN paper_summaries ON paper_summaries.paper_id = papers.id
LEFT JOIN summary_status ON summary_status.paper_id = papers.id
ORDER BY listed.key
"""  # noqa: S608
_AUTHORS = (
    "SELECT paper_id, name FROM paper_authors WHERE paper_id IN (SELECT value FROM json_each(%s))"
    " ORDER BY paper_id, position, id"
)
_TAGS = (
    "SELECT paper_id, tag, coalesce(source, 'hf') FROM paper_tags WHERE paper_id IN (SELECT value FROM json_each(%s))"
    " ORDER BY paper_id, id"
)
# Summaries kept as they are sent: 10 MB or so.
_KEPT = 1000


def papers_json(paper_ids: Sequence[int]) -> list[str]:
    """Return each of these papers that is there as a JSON object, in their order, in three queries."""
    wanted = ids(paper_ids)
    authors: dict[int, list[str]] = {}
    for paper_id, name in rows(_AUTHORS, wanted):
        authors.setdefault(paper_id, []).append(name)
    tags: dict[int, list[dict[str, str]]] = {}
    for paper_id, tag, source in rows(_TAGS, wanted):
        tags.setdefault(paper_id, []).append({"tag": tag, "source": source})
    found = rows(_PAPERS, wanted)
    return [_paper(row, authors.get(row[6], []), tags.get(row[6], [])) for row in found]


def page_json(items: Sequence[str], **further: Any) -> bytes:
    """Return a page of objects that are JSON already, with what else is told of it."""
    rest = json.dumps(further, ensure_ascii=False)[1:]
    return f'{{"items": [{", ".join(items)}], {rest}'.encode("utf-8", "replace")


def _paper(row: tuple[Any, ...], authors: list[str], tags: list[dict[str, str]]) -> str:
    changed_at, full_json, status, quality, error_type, retry_count, _id, *values = row
    told = dict(zip(_COLUMNS[1:], values, strict=True))
    told["published_at"] = _as_text(told["published_at"])
    told["paper_date"] = _as_text(told["paper_date"])
    told["crawled_at"] = moment_text(told["crawled_at"])
    told["updated_at"] = moment_text(changed_at)
    told["is_withdrawn"] = bool(told["is_withdrawn"])
    told["categories"] = told["categories"].split()
    told["authors"] = authors
    told["tags"] = tags
    told["status"] = status and {
        "status": status,
        "quality": quality,
        "error_type": error_type,
        "retry_count": retry_count or 0,
    }
    summary = _summary(told["arxiv_id"], full_json) if full_json is not None else None
    return f'{json.dumps(told, ensure_ascii=False)[:-1]}, "summary": {summary or "null"}}}'


def _as_text(day: Any) -> str | None:
    return None if day is None else str(day)


def moment_text(value: Any) -> str:
    """Return a moment as RFC 3339; SQLite keeps them in UTC, without saying so."""
    text = value if isinstance(value, str) else value.replace(tzinfo=None).isoformat()
    return f"{text.replace(' ', 'T')}Z"


@lru_cache(maxsize=_KEPT)
def _summary(arxiv_id: str, full_json: str) -> str | None:
    """Return the summary in the fields of its schema alone, as JSON; None where it is damaged, as the log says."""
    try:
        return SummarySchema.model_validate(json.loads(full_json)).model_dump_json()
    except (ValueError, ValidationError, RecursionError):
        logger.warning("the stored summary of %s cannot be read", arxiv_id)
        return None
