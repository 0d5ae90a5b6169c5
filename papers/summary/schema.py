"""The structured summary of a paper, and how an object is read into it.

Types are strict: a number or an object where a text is wanted is an error. An optional field that is null counts as
absent. Keys beyond the schema are not part of it; whoever stores a summary keeps the whole object beside it.
"""

from collections.abc import Sequence
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails, PydanticCustomError

from papers.models import ErrorType
from papers.summary.errors import SummaryRejected
from papers.summary.placeholders import is_failure, says_nothing
from papers.text import fold, one_line

TAGS_AT_MOST = 20
LONGEST_TAG = 100  # characters
_BLANK = "blank"
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
        raise PydanticCustomError(_BLANK, "is blank")
    if is_failure(value):
        raise PydanticCustomError(_BLANK, "is only a report of failure")
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
            raise PydanticCustomError(_BLANK, "holds no tag")
        return kept[:TAGS_AT_MOST]


def distinct_tags(tags: Sequence[str]) -> list[str]:
    """Return tags on one line, those that say nothing or are no tags but texts left out; of like ones the first."""
    first: dict[str, str] = {}
    for tag in map(one_line, tags):
        if len(tag) <= LONGEST_TAG and not is_failure(tag) and not says_nothing(tag):
            first.setdefault(fold(tag), tag)
    return list(first.values())


def parse_summary(value: dict[str, Any]) -> SummarySchema:
    """Return the summary that an object holds.

    Raises:
        SummaryRejected: `schema_error` for a wrong type; else `field_missing` for required fields that are absent,
            blank or only a report of failure.
    """
    try:
        return SummarySchema.model_validate(value)
    except ValidationError as problem:
        errors = problem.errors(include_url=False, include_context=False, include_input=False)
        raise SummaryRejected(_type_of(errors), _described(errors)) from None


def _type_of(errors: list[ErrorDetails]) -> ErrorType:
    """Return the error type of pydantic's errors."""
    absent = all(error["type"] in ("missing", _BLANK) for error in errors)
    return ErrorType.FIELD_MISSING if absent else ErrorType.SCHEMA_ERROR


def _described(errors: list[ErrorDetails]) -> str:
    """Return pydantic's errors in one line, the fields by their dotted names."""
    named = [f"{'.'.join(map(str, error['loc'])) or 'summary'}: {error['msg']}" for error in errors[:_PROBLEMS_NAMED]]
    rest = len(errors) - len(named)
    return "; ".join(named) + (f"; and {rest} more" if rest > 0 else "")
