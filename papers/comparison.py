"""Papers beside each other, field by field: the facts of each and every field of its summary.

A field that all of them lack makes no row; it is named once. One that only some lack is said to be missing there.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from papers.models import Paper
from papers.presentation import SummaryPage, present
from papers.queries.tags import distinct_tags

AUTHORS_SHOWN = 6
# Letters that tell the papers apart where they do not stand beside each other.
MARKS = "ABCD"


@dataclass(frozen=True, slots=True)
class Side:
    """One paper with its letter and its summary ready for a page; None where it has none."""

    mark: str
    paper: Paper
    summary: SummaryPage | None

    @property
    def title(self) -> str:
        """Its title in the reader's language, else as it is."""
        return self.paper.title_zh or self.paper.title_en


@dataclass(frozen=True, slots=True)
class Cell:
    """What one paper has in a field, in `value`, shown in the way of the field's `kind`.

    An empty one says why: `no_summary`, `incomplete` for an important field, or `none`.
    """

    side: Side
    value: object
    missing: str = ""


@dataclass(frozen=True, slots=True)
class Row:
    """One field of every paper."""

    label: str
    kind: str
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The rows of one section of the summary, or of the facts."""

    key: str
    label: str
    rows: tuple[Row, ...]


@dataclass(frozen=True, slots=True)
class Comparison:
    """Everything there is to compare, and the names of the fields that no paper has."""

    groups: tuple[Group, ...]
    absent: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Field:
    label: Promise | str
    kind: str
    value: Callable[[Paper], object] | None = None
    part: str = ""
    is_important: bool = False

    def cell(self, side: Side) -> Cell:
        if self.value:
            value = self.value(side.paper)
            return Cell(side, value, "" if value else "none")
        if side.summary is None:
            return Cell(side, None, "no_summary")
        value = getattr(side.summary, self.part)
        return Cell(side, value, "" if value else "incomplete" if self.is_important else "none")


@dataclass(frozen=True, slots=True)
class Names:
    """The first names of a paper, and how many more there are."""

    first: tuple[str, ...]
    more: int

    def __bool__(self) -> bool:
        """Tell whether there is any."""
        return bool(self.first)


def _authors(paper: Paper) -> Names:
    names = [author.name for author in paper.authors.all()]
    return Names(tuple(names[:AUTHORS_SHOWN]), max(0, len(names) - AUTHORS_SHOWN))


def _part(label: Promise | str, kind: str, part: str, *, important: bool = False) -> _Field:
    return _Field(label, kind, part=part, is_important=important)


def _fact(label: Promise | str, kind: str, value: Callable[[Paper], object]) -> _Field:
    return _Field(label, kind, value=value)


_GROUPS: tuple[tuple[str, Promise, tuple[_Field, ...]], ...] = (
    (
        "overview",
        _("概览"),
        (
            _part(_("一句话"), "text", "one_line", important=True),
            _fact(_("标签"), "tags", lambda paper: distinct_tags(paper.tags.all())),
            _part(_("难度"), "text", "difficulty"),
            _part(_("基础"), "text", "level"),
            _part(_("概念"), "list", "concepts"),
        ),
    ),
    (
        "motivation",
        _("动机"),
        (
            _part(_("问题"), "text", "problem", important=True),
            _part(_("目标"), "text", "goal", important=True),
            _part(_("已有工作的不足"), "text", "gap", important=True),
        ),
    ),
    (
        "method",
        _("方法"),
        (
            _part(_("核心思想"), "text", "key_idea", important=True),
            _part(_("概述"), "text", "overview", important=True),
            _part(_("步骤"), "steps", "steps"),
            _part(_("创新点"), "text", "novelty"),
        ),
    ),
    (
        "results",
        _("结果"),
        (
            _part(_("主要发现"), "list", "main_findings", important=True),
            _part(_("基准结果"), "table", "benchmarks"),
            _part(_("局限"), "list", "limitations"),
        ),
    ),
    (
        "improvements",
        _("不足与改进"),
        (
            _part(_("不足"), "list", "weaknesses"),
            _part(_("未来工作"), "list", "future_work"),
            _part(_("可复现性"), "text", "reproducibility"),
        ),
    ),
    (
        "facts",
        _("论文信息"),
        (
            _fact(_("英文标题"), "english", lambda paper: paper.title_en),
            _fact(_("作者"), "authors", _authors),
            _fact(_("机构"), "english", lambda paper: paper.organization),
            _fact(_("票数"), "number", lambda paper: str(paper.upvotes or 0)),
            _fact(_("收录"), "day", lambda paper: paper.paper_date),
            _fact(_("发表"), "date", lambda paper: paper.published_at),
            _fact(_("分类"), "english", lambda paper: ", ".join(paper.category_list)),
            _fact(_("代码"), "code", lambda paper: paper if paper.code_url else None),
        ),
    ),
)


def compare(papers: Sequence[Paper]) -> Comparison:
    """Return `papers` beside each other; they come with their authors, tags and summary."""
    sides = [_side(mark, paper) for mark, paper in zip(MARKS, papers, strict=False)]
    groups: list[Group] = []
    absent: list[str] = []
    for key, label, fields in _GROUPS:
        rows = [Row(str(field.label), field.kind, tuple(map(field.cell, sides))) for field in fields]
        shown = [row for row in rows if any(cell.value for cell in row.cells)]
        absent += [row.label for row in rows if row not in shown]
        if shown:
            groups.append(Group(key, str(label), tuple(shown)))
    return Comparison(tuple(groups), tuple(absent))


def _side(mark: str, paper: Paper) -> Side:
    stored = getattr(paper, "summary", None)
    return Side(mark, paper, present(stored) if stored else None)
