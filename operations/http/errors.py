"""What can go wrong between us and a source, told apart by what the caller can do about it."""


class SourceError(Exception):
    """A source did not give what was asked for.

    `is_temporary` says that the very same request may succeed in a moment; `status` is the HTTP status if one came;
    `retry_after` is how many seconds the source asked us to wait, if it did.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int | None = None,
        is_temporary: bool = False,
        retry_after: float | None = None,
    ) -> None:
        """Keep the message and what is known of the answer."""
        super().__init__(message)
        self.status = status
        self.is_temporary = is_temporary
        self.retry_after = retry_after


class SourceUnavailable(SourceError):
    """No answer, or not in time, not whole, or 403, 429 or 5xx: a trouble of the source, not of the item asked for."""


class CutShort(SourceUnavailable):
    """The answer began and ended too early, each time it was asked for: of a file, perhaps the file's own trouble."""


class TurnTooLate(SourceUnavailable):
    """The pace that all processes keep together left no turn in the time that was given; nothing was asked."""


class NotFound(SourceError):
    """The source answers that it has no such thing (404, 410)."""


class Refused(SourceError):
    """The source calls the request itself wrong (400 and its like); `body` is the beginning of what it says."""

    def __init__(self, message: str, *, status: int | None = None, body: bytes = b"") -> None:
        """Keep what the source says."""
        super().__init__(message, status=status)
        self.body = body


class TooLarge(SourceError):
    """The answer is larger than the limit."""


class UnexpectedAnswer(SourceError):
    """An answer came, and is not what was asked for: HTML in place of JSON, nothing at all, another paper."""


class ForbiddenRedirect(SourceError):
    """The request would have gone to a host that is not configured, or round in circles."""
