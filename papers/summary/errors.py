"""Why a model's output does not become a summary."""

from papers.models import ErrorType


class SummaryRejected(ValueError):
    """An output, or an object, that must not be stored; `error_type` is a value of `papers.models.ErrorType`."""

    def __init__(self, error_type: ErrorType, message: str) -> None:
        """Keep the type beside the message."""
        super().__init__(message)
        self.error_type: str = error_type.value
