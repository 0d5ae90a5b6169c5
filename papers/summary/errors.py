"""Why a model's output, or what a person typed, does not become a summary."""

from dataclasses import dataclass

from papers.models import ErrorType

# Codes of problems, beside those that pydantic gives its own (`missing`, `string_too_long`, …).
BLANK = "blank"
FAILURE = "failure"
NO_TAG = "no_tag"
SAYS_NOTHING = "says_nothing"
TAG_TOO_LONG = "tag_too_long"
TOO_MANY_TAGS = "too_many_tags"
TAG_TWICE = "tag_twice"
NOT_CHINESE = "not_chinese"
OTHER_PAPER = "other_paper"


@dataclass(frozen=True)
class FieldProblem:
    """What is wrong with one field.

    `field` is its dotted name (`method.steps.3`), or nothing where it is the summary as a whole; `limit` the number of
    characters or items allowed, where that is the trouble; `message` is English, for logs.
    """

    field: str
    code: str
    message: str
    limit: int | None = None


class SummaryRejected(ValueError):
    """An output, or an object, that must not be stored.

    `error_type` is a value of `papers.models.ErrorType`; `problems` names the fields at fault, as far as it is theirs.
    """

    def __init__(self, error_type: ErrorType, message: str, problems: tuple[FieldProblem, ...] = ()) -> None:
        """Keep the type and the fields beside the message."""
        super().__init__(message)
        self.error_type: str = error_type.value
        self.problems = problems
