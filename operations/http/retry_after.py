"""How long a source asks to be left alone, from the headers of its answer."""

import re
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite

# A wish beyond a day is a mistake of the source, and no more than this is passed on.
_LONGEST = 86_400.0
# `"api";r=0;t=120`: remaining calls and seconds until the window ends, as Hugging Face sends it
# (https://huggingface.co/docs/hub/rate-limits; draft-ietf-httpapi-ratelimit-headers).
_REMAINING = re.compile(r";\s*r\s*=\s*(\d{1,9})\b", re.ASCII)
_RESET = re.compile(r";\s*t\s*=\s*(\d{1,9})\b", re.ASCII)


def utc_now() -> datetime:
    """Return the time of day that HTTP dates are compared with."""
    return datetime.now(UTC)


def seconds_asked(headers: Mapping[str, str], now: Callable[[], datetime] = utc_now) -> float | None:
    """Return the seconds to wait by `Retry-After` (seconds or HTTP date) or `RateLimit`; None without either.

    What cannot be understood counts as absent. Names in `headers` are looked up in
    lower case. The answer lies between 0 and one day.
    """
    asked = _of_retry_after(headers.get("retry-after", ""), now)
    if asked is None:
        asked = _of_rate_limit(headers.get("ratelimit", ""))
    return None if asked is None else min(max(asked, 0.0), _LONGEST)


def _of_retry_after(value: str, now: Callable[[], datetime]) -> float | None:
    value = value.strip()
    if re.fullmatch(r"\d+(\.\d+)?", value, re.ASCII):
        seconds = float(value)
        return seconds if isfinite(seconds) else None
    try:
        moment = parsedate_to_datetime(value)
    except (TypeError, ValueError, IndexError, OverflowError):
        return None
    if moment.tzinfo is None:  # "-0000": UTC of unknown origin
        moment = moment.replace(tzinfo=UTC)
    return (moment - now()).total_seconds()


def _of_rate_limit(value: str) -> float | None:
    """Return the longest wait among the policies that have nothing left."""
    waits = []
    for policy in value.split(","):
        remaining, reset = _REMAINING.search(policy), _RESET.search(policy)
        if remaining and reset and int(remaining[1]) == 0:
            waits.append(float(reset[1]))
    return max(waits, default=None)
