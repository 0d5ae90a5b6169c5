"""What the status of an answer means."""

import httpx

from operations.http.body import read_beginning
from operations.http.errors import NotFound, Refused, SourceError, SourceUnavailable, UnexpectedAnswer
from operations.http.retry_after import seconds_asked

_GONE = frozenset({404, 410})
# Too early, too slow, too many: the request itself was right.
_ASK_AGAIN = frozenset({408, 425, 429})
# What a source says of a refusal is kept to this length.
_REASON_BYTES = 4096


def refusal(response: httpx.Response) -> SourceError | None:
    """Return the error that the status of an answer stands for; None for 200."""
    status = response.status_code
    if status == 200:
        return None
    if status in _GONE:
        return NotFound(f"HTTP {status}", status=status)
    if status in _ASK_AGAIN or status >= 500:
        asked = seconds_asked(response.headers)
        return SourceUnavailable(f"HTTP {status}", status=status, is_temporary=True, retry_after=asked)
    if status == 403:  # a ban is not lifted by asking again at once
        return SourceUnavailable("HTTP 403", status=403, retry_after=seconds_asked(response.headers))
    if status >= 400:
        return Refused(f"HTTP {status}", status=status, body=read_beginning(response, _REASON_BYTES))
    return UnexpectedAnswer(f"HTTP {status}", status=status)
