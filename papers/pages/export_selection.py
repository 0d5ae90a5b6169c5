"""Which papers an address asks to have exported: one, some, a day's, or those of a search."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.exports.files import MOST_PAPERS
from papers.models import Paper
from papers.pages.day_calendar import parse_day
from papers.pages.search_choice import SearchChoice, read_search
from papers.queries.days import papers_of_day
from papers.search.results import search

# Of all ids together: longer ones are no address that this site gives.
_LONGEST_IDS = 40_000


class NothingSelected(ValueError):
    """An address that selects no papers, or too many; its text tells the reader why."""


@dataclass(frozen=True, slots=True)
class Selected:
    """The papers in their order, and what a file of them is called."""

    papers: Sequence[Paper]
    name: str


def selected(parameters: QueryDict) -> Selected:
    """Return the papers that the parameters name: `id`, `ids`, `day` or `q`, whichever is found first.

    Raises:
        NothingSelected: there are none, one of them is not here, or there are too many for one file.
    """
    if "id" in parameters or "ids" in parameters:
        return _with_ids([*parameters.getlist("id"), *parameters.getlist("ids")])
    day = parameters.get("day", "")
    if day:
        return _of_day(day)
    choice, _ignored = read_search(parameters)
    if choice.query:
        return _found_by(choice)
    raise NothingSelected(_("网址里没有写明要导出哪些论文。"))


def _with_ids(values: Sequence[str]) -> Selected:
    text = ",".join(values)
    if len(text) > _LONGEST_IDS:
        raise _too_many()
    asked = list(dict.fromkeys(_plain_id(part) for part in text.split(",") if part.strip()))
    if len(asked) > MOST_PAPERS:
        raise _too_many()
    found = {paper.arxiv_id: paper for paper in _loaded(Paper.objects.filter(arxiv_id__in=asked))}
    missing = [arxiv_id for arxiv_id in asked if arxiv_id not in found]
    if missing or not asked:
        names = _("、").join(missing[:5])
        raise NothingSelected(_("这里没有这些论文：%(ids)s。") % {"ids": names} if missing else _("没有写明论文编号。"))
    return Selected([found[arxiv_id] for arxiv_id in asked], asked[0] if len(asked) == 1 else "papers")


def _plain_id(text: str) -> str:
    try:
        return split_arxiv_id(text)[0]
    except InvalidArxivId:
        raise NothingSelected(_("%(id)s 不是 arXiv 编号。") % {"id": text.strip()[:80]}) from None


def _of_day(text: str) -> Selected:
    try:
        day = parse_day(text.strip())
    except ValueError:
        raise NothingSelected(_("没有这一天。日期写成 2026-06-05 这样。")) from None
    papers = list(_loaded(papers_of_day(day))[: MOST_PAPERS + 1])
    if not papers:
        raise NothingSelected(_("这一天没有论文。"))
    if len(papers) > MOST_PAPERS:
        raise _too_many()
    return Selected(papers, f"papers-{day.isoformat()}")


def _found_by(choice: SearchChoice) -> Selected:
    found = search(choice.query, limit=MOST_PAPERS, filters=choice.filters)
    if found.count > MOST_PAPERS:
        raise _too_many(found.count)
    if not found.hits:
        raise NothingSelected(_("这个搜索没有找到论文。"))
    papers = _loaded(Paper.objects.all()).in_bulk([hit.paper_id for hit in found.hits])
    return Selected([papers[hit.paper_id] for hit in found.hits if hit.paper_id in papers], "papers-search")


def _loaded(papers: QuerySet[Paper]) -> QuerySet[Paper]:
    return papers.select_related("summary").defer("summary__full_json", "asset_error")


def _too_many(count: int = 0) -> NothingSelected:
    limit = _("一次最多导出 %(most)s 篇，请缩小范围，例如多写一个词。") % {"most": MOST_PAPERS}
    if not count:
        return NothingSelected(limit)
    found = ngettext("这个搜索有 %(count)s 篇论文。", "这个搜索有 %(count)s 篇论文。", count) % {"count": count}
    return NothingSelected(f"{found}{limit}")
