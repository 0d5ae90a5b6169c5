"""A stored summary made ready for a page: lists out of their JSON columns, benchmarks as a table.

The columns may hold anything, since a model wrote them and people can edit them: what cannot be read is
left out, never an error.
"""

import datetime as dt
from dataclasses import dataclass

from papers.benchmarks import Table, table
from papers.models import PaperSummary
from papers.stored_json import as_text, parsed, texts, texts_of

__all__ = ["SummaryPage", "Table", "present"]


@dataclass(frozen=True, slots=True)
class SummaryPage:
    """What a page shows of a summary; a blank text or an empty list is a missing field."""

    one_line: str
    difficulty: str
    concepts: tuple[str, ...]
    level: str
    problem: str
    goal: str
    gap: str
    overview: str
    key_idea: str
    steps: tuple[str, ...]
    novelty: str
    main_findings: tuple[str, ...]
    benchmarks: Table | None
    limitations: tuple[str, ...]
    weaknesses: tuple[str, ...]
    future_work: tuple[str, ...]
    reproducibility: str
    source_version: int | None
    made_at: dt.datetime
    edited_at: dt.datetime | None

    @property
    def has_prerequisites(self) -> bool:
        """Whether anything is said of what a reader should know first."""
        return bool(self.concepts or self.level)

    @property
    def has_improvements(self) -> bool:
        """Whether anything is said of weaknesses, future work or reproducibility."""
        return bool(self.weaknesses or self.future_work or self.reproducibility)


def present(summary: PaperSummary) -> SummaryPage:
    """Return what a page shows of `summary`."""
    concepts, level = _prerequisites(summary.prerequisites_json)
    return SummaryPage(
        one_line=_text(summary.one_line),
        difficulty=_text(summary.difficulty),
        concepts=concepts,
        level=level,
        problem=_text(summary.motivation_problem),
        goal=_text(summary.motivation_goal),
        gap=_text(summary.motivation_gap),
        overview=_text(summary.method_overview),
        key_idea=_text(summary.method_key_idea),
        steps=texts(summary.method_steps_json),
        novelty=_text(summary.method_novelty),
        main_findings=texts(summary.results_main_json),
        benchmarks=table(summary.results_benchmarks_json),
        limitations=texts(summary.limitations_json),
        weaknesses=texts(summary.weaknesses_json),
        future_work=texts(summary.future_work_json),
        reproducibility=_text(summary.reproducibility),
        source_version=summary.source_version,
        made_at=summary.updated_at,
        edited_at=summary.edited_at,
    )


def _prerequisites(column: str | None) -> tuple[tuple[str, ...], str]:
    value = parsed(column)
    if not isinstance(value, dict):
        return texts_of(value), ""
    return texts_of(value.get("concepts")), as_text(value.get("level"))


def _text(value: str | None) -> str:
    return (value or "").strip()
