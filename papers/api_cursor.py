"""Where the next page of a list begins, as an opaque text that holds for the same filters and order alone."""

import json
from typing import Any

from django.core import signing

from papersite.api_errors import ApiError

LONGEST = 1000


def write_cursor(key: tuple[Any, ...] | None, asked: str) -> str | None:
    """Return the text for a key of the list that `asked` describes; None where there is no next page."""
    if key is None:
        return None
    return signing.Signer(salt=_salt(asked)).sign_object(list(key))


def read_cursor(text: str | None, asked: str) -> tuple[Any, ...] | None:
    """Return the key that `write_cursor` was given.

    Raises:
        ApiError: 422; it was damaged, made up, or made for other filters or another order.
    """
    if text is None:
        return None
    try:
        return tuple(signing.Signer(salt=_salt(asked)).unsign_object(text))
    except (signing.BadSignature, ValueError, TypeError) as error:
        detail = "cursor: it is damaged, or belongs to other filters or another order; begin without it."
        raise ApiError(422, "invalid_cursor", detail) from error


def asked_for(**parameters: Any) -> str:
    """Return what a list is asked for, in one form."""
    return json.dumps(parameters, sort_keys=True, default=str)


def _salt(asked: str) -> str:
    return f"papers.api_cursor:{asked}"
