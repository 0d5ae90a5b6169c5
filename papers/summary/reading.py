"""From a model's raw output to a summary that may be stored: found, mended, checked and graded."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

from papers.models import ErrorType
from papers.summary.errors import NOT_CHINESE, OTHER_PAPER, FieldProblem, SummaryRejected
from papers.summary.grading import grade
from papers.summary.identity import PaperFacts, other_paper
from papers.summary.json_extraction import JsonInvalid, JsonNotFound, find_json_object
from papers.summary.json_values import DamagedText, Unstorable, ensure_storable
from papers.summary.language import REFUSED_BELOW, chinese_share, summary_texts
from papers.summary.schema import SummarySchema, parse_summary

__all__ = ["CheckedSummary", "PaperFacts", "check_summary", "read_summary"]

T = TypeVar("T")


@dataclass(frozen=True)
class CheckedSummary:
    """A summary that may be stored; `full` is the object as it was given, mended, with keys beyond the schema."""

    summary: SummarySchema
    full: dict[str, Any]
    quality: str
    important_missing: tuple[str, ...]


def read_summary(raw: str, facts: PaperFacts) -> CheckedSummary:
    """Return the summary in a model's output.

    Raises:
        SummaryRejected: there is none that may be stored; its `error_type` says why.
    """
    full, summary = _typed(lambda: find_json_object(raw, lambda value: (value, parse_summary(value))))
    return _checked(full, summary, facts)


def check_summary(value: dict[str, Any], facts: PaperFacts) -> CheckedSummary:
    """Return the summary in an object that was parsed already, of a file or a form.

    Raises:
        SummaryRejected: it may not be stored.
    """
    _typed(lambda: ensure_storable(value))
    return _checked(value, parse_summary(value), facts)


def _typed(step: Callable[[], T]) -> T:
    """Run a step and give its errors the type they are stored with."""
    try:
        return step()
    except SummaryRejected:
        raise
    except JsonNotFound as problem:
        raise SummaryRejected(ErrorType.JSON_NOT_FOUND, str(problem)) from problem
    except (JsonInvalid, DamagedText) as problem:
        raise SummaryRejected(ErrorType.JSON_INVALID, str(problem)) from problem
    except Unstorable as problem:
        raise SummaryRejected(ErrorType.SCHEMA_ERROR, str(problem)) from problem


def _checked(full: dict[str, Any], summary: SummarySchema, facts: PaperFacts) -> CheckedSummary:
    """Refuse what is not Chinese or not this paper's, and grade the rest."""
    share = chinese_share(summary_texts(summary))
    if share < REFUSED_BELOW:
        raise _as_a_whole(NOT_CHINESE, f"only {share:.0%} of the summary is Chinese")
    if reason := other_paper(full, summary, facts):
        raise _as_a_whole(OTHER_PAPER, f"plainly another paper's: {reason}")
    quality, missing = grade(summary, facts.title)
    return CheckedSummary(summary, full, quality.value, missing)


def _as_a_whole(code: str, message: str) -> SummaryRejected:
    return SummaryRejected(ErrorType.SCHEMA_ERROR, message, (FieldProblem("", code, message),))
