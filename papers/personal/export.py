"""Everything of the owner's, to take along: as JSON that can be read back, and as Markdown to read.

The JSON is one object: `format` ("papersite-personal"), `version` (1), `exported_at`, and `papers`: those that carry
anything of the owner's, the newest day first. Each has `arxiv_id`, `title_en`, `title_zh`, `paper_date`, `url`, and

- `bookmark`: null or `{"note", "created_at"}`,
- `note`: null or `{"content", "created_at", "updated_at"}`, `content` being Markdown as it was written,
- `reading_status`: null or `{"status", "updated_at"}`, `status` one of unread, skimmed, read_summary, read_full.

Times are UTC in ISO 8601; a text that is missing is null.
"""

import datetime as dt
import json
import re
from collections.abc import Iterator
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from papers.arxiv_ids import abstract_address
from papers.models import Paper, ReadingStatus, UserBookmark, UserNote, UserReadingStatus

_AT_ONCE = 200  # papers held in memory
_MARKDOWN = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|~])")


def as_json() -> Iterator[str]:
    """Yield the whole export as JSON, paper by paper."""
    head = {"format": "papersite-personal", "version": 1, "exported_at": _time(timezone.now())}
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "papers": ['
    for number, paper in enumerate(_papers()):
        yield (",\n" if number else "\n") + json.dumps(_fields(paper), ensure_ascii=False)
    yield "\n]}\n"


def as_markdown() -> Iterator[str]:
    """Yield the whole export as Markdown, a section for each paper."""
    title = _("我的收藏、笔记和阅读状态")
    yield f"# {title}\n\n{_time(timezone.now())}\n"
    for paper in _papers():
        yield "\n" + "\n\n".join(part for part in _section(_fields(paper)) if part) + "\n"


def _papers() -> Iterator[Paper]:
    marked = [set(model.objects.values_list("paper_id", flat=True)) for model in _OWN]
    ids = sorted(set().union(*marked), reverse=True)
    for start in range(0, len(ids), _AT_ONCE):
        yield from _with_own(ids[start : start + _AT_ONCE])


_OWN = (UserBookmark, UserNote, UserReadingStatus)


def _with_own(ids: list[int]) -> QuerySet[Paper]:
    columns = ("arxiv_id", "title_en", "title_zh", "paper_date", "bookmark", "note", "reading_status")
    papers = Paper.objects.filter(pk__in=ids).select_related("bookmark", "note", "reading_status")
    has_own = Q(bookmark__isnull=False) | Q(note__isnull=False) | Q(reading_status__isnull=False)
    return papers.filter(has_own).only(*columns).order_by("-pk")


def _fields(paper: Paper) -> dict[str, Any]:
    return {
        "arxiv_id": paper.arxiv_id,
        "title_en": paper.title_en,
        "title_zh": paper.title_zh,
        "paper_date": paper.paper_date.isoformat(),
        "url": abstract_address(paper.arxiv_id),
        "bookmark": _row(paper, "bookmark", "note", "created_at"),
        "note": _row(paper, "note", "content", "created_at", "updated_at"),
        "reading_status": _row(paper, "reading_status", "status", "updated_at"),
    }


def _row(paper: Paper, name: str, *columns: str) -> dict[str, Any] | None:
    row = getattr(paper, name, None)
    if row is None:
        return None
    values = {column: getattr(row, column) for column in columns}
    return {column: _time(value) if isinstance(value, dt.datetime) else value for column, value in values.items()}


def _time(moment: dt.datetime) -> str:
    return moment.astimezone(dt.UTC).isoformat()


def _section(fields: dict[str, Any]) -> Iterator[str]:
    yield f"## {_escaped(fields['title_zh'] or fields['title_en'])}"
    if fields["title_zh"]:
        yield _escaped(fields["title_en"])
    yield f"<{fields['url']}> · {fields['paper_date']}"
    if fields["bookmark"]:
        note = fields["bookmark"]["note"]
        yield f"- {pgettext('one', '收藏')}" + (f"{_('：')}{_escaped(note)}" if note else "")
    if fields["reading_status"]:
        yield f"- {_('阅读状态')}{_('：')}{ReadingStatus(fields['reading_status']['status']).label}"
    if fields["note"]:
        yield fields["note"]["content"]


def _escaped(text: str) -> str:
    return _MARKDOWN.sub(r"\\\1", text)
