"""The structured summary of a paper, and how an object is read into it.

Types are strict: a number or an object where a text is wanted is an error. An optional field that is null counts as
absent. Keys beyond the schema are not part of it; whoever stores a summary keeps the whole object beside it.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from papers.models import ErrorType
from papers.summary.errors import (
    BLANK,
    FAILURE,
    NO_TAG,
    SAYS_NOTHING,
    TAG_TOO_LONG,
    TAG_TWICE,
    TOO_MANY_TAGS,
    FieldProblem,
    SummaryRejected,
)
from papers.summary.placeholders import is_failure, says_nothing
from papers.text import fold, one_line

TAGS_AT_MOST = 20
LONGEST_TAG = 100  # characters
# Pydantic's codes, and ours, of a required field that might as well not be there.
_ABSENT = ("missing", BLANK, FAILURE, NO_TAG)
_PROBLEMS_NAMED = 5


def _without_blanks(value: Any) -> Any:
    """Drop the nulls and blank texts of a list; a blank text for a list is an empty one; pydantic judges the rest."""
    if isinstance(value, str) and not value.strip():
        return []
    if not isinstance(value, list):
        return value
    return [item for item in value if item is not None and not (isinstance(item, str) and not item.strip())]


def _required(value: str) -> str:
    """Return a required text, stripped; blank texts and mere reports of failure are refused."""
    if not value.strip():
        raise PydanticCustomError(BLANK, "is blank")
    if is_failure(value):
        raise PydanticCustomError(FAILURE, "is only a report of failure")
    return value.strip()


# More than the longest of 65,000 recorded summaries (one line: 3,603 characters, most under 200); what is longer would
# fill a page with one field.
Title = Annotated[str, Field(max_length=300)]
Sentence = Annotated[str, Field(max_length=5_000)]
Text = Annotated[str, Field(max_length=20_000)]
Texts = Annotated[list[Text], Field(max_length=200), BeforeValidator(_without_blanks)]
Rows = Annotated[list[dict[str, Any]], Field(max_length=200), BeforeValidator(_without_blanks)]


class Part(BaseModel):
    """What all parts share: strict types, and null for "absent"."""

    model_config = ConfigDict(strict=True, extra="ignore", str_strip_whitespace=True)

    @model_validator(mode="before")
    @classmethod
    def without_nulls(cls, value: Any) -> Any:
        """Treat null as absent: optional fields take their default, required ones are missing."""
        if not isinstance(value, dict):
            return value
        return {key: item for key, item in value.items() if item is not None}


class Prerequisites(Part):
    """What a reader should know before."""

    concepts: Texts = Field(default_factory=list)
    level: Text = ""


class Motivation(Part):
    """Why the work was done."""

    problem: Text
    goal: Text = ""
    gap: Text = ""

    _required_texts = field_validator("problem")(_required)


class Method(Part):
    """How it was done."""

    overview: Text = ""
    key_idea: Text
    steps: Texts = Field(default_factory=list)
    novelty: Text = ""

    _required_texts = field_validator("key_idea")(_required)


class Results(Part):
    """What came out."""

    main_findings: Texts = Field(default_factory=list)
    benchmarks: Rows = Field(default_factory=list)
    limitations: Texts = Field(default_factory=list)


class Improvements(Part):
    """What could be better."""

    weaknesses: Texts = Field(default_factory=list)
    future_work: Texts = Field(default_factory=list)
    reproducibility: Text = ""


class SummarySchema(Part):
    """A paper's summary."""

    title_zh: Title
    one_line: Sentence
    tags: Texts
    difficulty: Sentence = ""
    paper_date: str | None = None
    prerequisites: Prerequisites = Field(default_factory=Prerequisites)
    motivation: Motivation
    method: Method
    results: Results = Field(default_factory=Results)
    improvements: Improvements = Field(default_factory=Improvements)

    _required_texts = field_validator("title_zh", "one_line")(_required)

    @field_validator("title_zh")
    @classmethod
    def title_on_one_line(cls, value: str) -> str:
        """Fold the white space of the title."""
        return one_line(value)

    @field_validator("tags")
    @classmethod
    def some_tags(cls, value: list[str]) -> list[str]:
        """Keep the first twenty tags that differ, each in its first spelling."""
        kept = distinct_tags(value)
        if not kept:
            raise PydanticCustomError(NO_TAG, "holds no tag")
        return kept[:TAGS_AT_MOST]


def distinct_tags(tags: Sequence[str]) -> list[str]:
    """Return tags on one line, those that say nothing or are no tags but texts left out; of like ones the first."""
    first: dict[str, str] = {}
    for tag in map(one_line, tags):
        if tag_problem(tag) is None:
            first.setdefault(fold(tag), tag)
    return list(first.values())


def tag_problem(tag: str) -> str | None:
    """Return the code of what keeps a text from being a tag, or None; an agent's is left out, a person is told."""
    if len(tag) > LONGEST_TAG:
        return TAG_TOO_LONG
    if is_failure(tag):
        return FAILURE
    return SAYS_NOTHING if says_nothing(tag) else None


def tag_problems(tags: Sequence[str]) -> tuple[FieldProblem, ...]:
    """Return what keeps any of these from being stored as they are; see `distinct_tags`, which leaves those out."""
    found: list[FieldProblem] = []
    seen: set[str] = set()
    for number, tag in enumerate(map(one_line, tags)):
        code = tag_problem(tag) or (TAG_TWICE if fold(tag) in seen else None)
        if code:
            limit = LONGEST_TAG if code == TAG_TOO_LONG else None
            found.append(FieldProblem(f"tags.{number}", code, f"{tag[:LONGEST_TAG]!r} is no tag", limit))
        seen.add(fold(tag))
    if len(tags) > TAGS_AT_MOST:
        found.append(FieldProblem("tags", TOO_MANY_TAGS, f"holds more than {TAGS_AT_MOST} tags", TAGS_AT_MOST))
    return tuple(found)


def parse_summary(value: dict[str, Any]) -> SummarySchema:
    """Return the summary that an object holds.

    Raises:
        SummaryRejected: `schema_error` for a wrong type; else `field_missing` for required fields that are absent,
            blank or only a report of failure.
    """
    try:
        return SummarySchema.model_validate(value)
    except ValidationError as problem:
        errors = problem.errors(include_url=False, include_input=False)
        raise SummaryRejected(_type_of(errors), _described(errors), tuple(map(_problem, errors))) from None


def _type_of(errors: list[ErrorDetails]) -> ErrorType:
    """Return the error type of pydantic's errors."""
    absent = all(error["type"] in _ABSENT for error in errors)
    return ErrorType.FIELD_MISSING if absent else ErrorType.SCHEMA_ERROR


def _described(errors: list[ErrorDetails]) -> str:
    """Return pydantic's errors in one line, the fields by their dotted names."""
    named = [f"{_name(error) or 'summary'}: {error['msg']}" for error in errors[:_PROBLEMS_NAMED]]
    rest = len(errors) - len(named)
    return "; ".join(named) + (f"; and {rest} more" if rest > 0 else "")


def _name(error: ErrorDetails) -> str:
    return ".".join(map(str, error["loc"]))


def _problem(error: ErrorDetails) -> FieldProblem:
    limit = error.get("ctx", {}).get("max_length")
    return FieldProblem(_name(error), error["type"], error["msg"], limit)
