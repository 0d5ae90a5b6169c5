"""A stored summary made ready for a page: lists out of their JSON columns, benchmarks as a table.

The columns may hold anything, since a model wrote them and people can edit them: what cannot be read is
left out, never an error.
"""

import json
from dataclasses import dataclass

from papers.models import PaperSummary

# Beyond these a table is no longer read; the API has the whole.
TABLE_COLUMNS = 12
TABLE_ROWS = 200
MAX_DEPTH = 6


@dataclass(frozen=True, slots=True)
class Table:
    """A table of texts; a blank cell is an empty text."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


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
    )


def texts(column: str | None) -> tuple[str, ...]:
    """Return the texts of a column that should hold a JSON list of texts."""
    value = _parsed(column)
    items = value if isinstance(value, list) else [value]
    return tuple(text for item in items if (text := as_text(item)))


def table(column: str | None) -> Table | None:
    """Return the table of a column that should hold a JSON list of objects; None where nothing is in it."""
    value = _parsed(column)
    items = value if isinstance(value, list) else [value]
    rows = [{str(key): as_text(cell) for key, cell in item.items()} for item in items if isinstance(item, dict)]
    rows = [row for row in rows if any(row.values())][:TABLE_ROWS]
    headings = list(dict.fromkeys(key for row in rows for key, cell in row.items() if cell))[:TABLE_COLUMNS]
    if not headings:
        return None
    return Table(tuple(headings), tuple(tuple(row.get(key, "") for key in headings) for row in rows))


def as_text(value: object, depth: int = 0) -> str:
    """Return any JSON value as a reader would write it down; what is nested too deep to be read is cut."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "✓" if value else "✗"
    if depth > MAX_DEPTH:
        return "…"
    if isinstance(value, dict):
        pairs = ((str(key), as_text(part, depth + 1)) for key, part in value.items())
        return "；".join(f"{key}：{part}" for key, part in pairs if part)
    if isinstance(value, list):
        return "、".join(text for part in value if (text := as_text(part, depth + 1)))
    return str(value).strip()


def _prerequisites(column: str | None) -> tuple[tuple[str, ...], str]:
    value = _parsed(column)
    if not isinstance(value, dict):
        return texts(column), ""
    concepts = value.get("concepts")
    items = concepts if isinstance(concepts, list) else [concepts]
    return tuple(text for item in items if (text := as_text(item))), as_text(value.get("level"))


def _parsed(column: str | None) -> object:
    if not column or not column.strip():
        return None
    try:
        return json.loads(column)
    except (ValueError, RecursionError):
        return None


def _text(value: str | None) -> str:
    return (value or "").strip()
