"""A summary as sections with headings, for what is read away from the paper's page: feeds and Markdown."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from papers.presentation import SummaryPage, Table


@dataclass(frozen=True, slots=True)
class Part:
    """One labelled piece of a section: a text, a list (`ordered`: of steps) or a table."""

    label: str
    text: str = ""
    items: tuple[str, ...] = ()
    ordered: bool = False
    table: Table | None = None

    @property
    def is_there(self) -> bool:
        """Whether the summary says anything here."""
        return bool(self.text or self.items or self.table)


@dataclass(frozen=True, slots=True)
class Section:
    """A section of the schema and those of its pieces that the summary has."""

    heading: str
    parts: tuple[Part, ...]


def outline(summary: SummaryPage) -> tuple[Section, ...]:
    """Return the sections of `summary` in the order of the schema; what is missing is left out."""
    sections = (_section(heading, parts) for heading, parts in _sections(summary))
    return tuple(section for section in sections if section.parts)


def _section(heading: str, parts: tuple[Part, ...]) -> Section:
    return Section(heading, tuple(part for part in parts if part.is_there))


def _sections(summary: SummaryPage) -> tuple[tuple[str, tuple[Part, ...]], ...]:
    return (
        (
            _("预备知识"),
            (Part(_("基础"), text=summary.level), Part(_("概念"), items=summary.concepts)),
        ),
        (
            _("动机"),
            (
                Part(_("问题"), text=summary.problem),
                Part(_("目标"), text=summary.goal),
                Part(_("已有工作的不足"), text=summary.gap),
            ),
        ),
        (
            _("方法"),
            (
                Part(_("核心思想"), text=summary.key_idea),
                Part(_("概述"), text=summary.overview),
                Part(_("步骤"), items=summary.steps, ordered=True),
                Part(_("创新点"), text=summary.novelty),
            ),
        ),
        (
            _("结果"),
            (
                Part(_("主要发现"), items=summary.main_findings),
                Part(_("基准结果"), table=summary.benchmarks),
                Part(_("局限"), items=summary.limitations),
            ),
        ),
        (
            _("不足与改进"),
            (
                Part(_("不足"), items=summary.weaknesses),
                Part(_("未来工作"), items=summary.future_work),
                Part(_("可复现性"), text=summary.reproducibility),
            ),
        ),
    )
