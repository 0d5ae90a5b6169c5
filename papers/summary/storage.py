"""Stores a checked summary: its fields, its tags, the Chinese title and the index row."""

import datetime as dt
import json
from typing import Any

from papers.models import Paper, PaperSummary, PaperTag, TagSource
from papers.search.index import index_papers
from papers.summary.reading import CheckedSummary
from papers.summary.schema import SummarySchema
from papers.text import fold


def store_summary(
    paper: Paper, checked: CheckedSummary, *, now: dt.datetime, source_version: int | None, summary_path: str | None
) -> None:
    """Store a summary over any earlier one; call it inside the transaction that marks the paper done.

    That an earlier one was edited by hand is forgotten with it. `source_version` is the arXiv version the text came
    from; `summary_path` is relative to DATA_DIR.
    """
    PaperSummary.objects.update_or_create(
        paper_id=paper.pk,
        defaults={
            **_columns(checked.summary),
            "full_json": json.dumps(checked.full, ensure_ascii=False),
            "updated_at": now,
            "source_version": source_version,
            "edited_at": None,
            "edited_by": None,
        },
    )
    replace_ai_tags(paper, checked.summary.tags)
    Paper.objects.filter(pk=paper.pk).update(
        title_zh=checked.summary.title_zh,
        summary_quality=checked.quality,
        summary_path=summary_path,
        updated_at=now,
    )
    index_papers([paper.pk])


def summary_object(stored: PaperSummary) -> dict[str, Any] | None:
    """Return the whole object of a stored summary; None where the column is damaged."""
    try:
        content = json.loads(stored.full_json)
    except (ValueError, RecursionError):
        return None
    return content if isinstance(content, dict) else None


def replace_ai_tags(paper: Paper, tags: list[str]) -> None:
    """Make `tags` the paper's only tags of the summary; those of the sources and by hand stay."""
    PaperTag.objects.filter(paper=paper, source=TagSource.AI).delete()
    PaperTag.objects.bulk_create(PaperTag(paper=paper, tag=tag, source=TagSource.AI, folded=fold(tag)) for tag in tags)


def _columns(summary: SummarySchema) -> dict[str, Any]:
    return {
        "one_line": summary.one_line,
        "difficulty": summary.difficulty,
        "prerequisites_json": _json(summary.prerequisites.model_dump()),
        "motivation_problem": summary.motivation.problem,
        "motivation_goal": summary.motivation.goal,
        "motivation_gap": summary.motivation.gap,
        "method_overview": summary.method.overview,
        "method_key_idea": summary.method.key_idea,
        "method_steps_json": _json(summary.method.steps),
        "method_novelty": summary.method.novelty,
        "results_main_json": _json(summary.results.main_findings),
        "results_benchmarks_json": _json(summary.results.benchmarks),
        "limitations_json": _json(summary.results.limitations),
        "weaknesses_json": _json(summary.improvements.weaknesses),
        "future_work_json": _json(summary.improvements.future_work),
        "reproducibility": summary.improvements.reproducibility,
    }


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
