"""SQL in place of the models, for the few questions that every public page asks.

Django composes a statement anew each time, which takes several times as long as SQLite does to answer it.
"""

import json
from collections.abc import Iterable
from typing import Any

from django.db import connection


def rows(statement: str, *parameters: Any) -> list[tuple[Any, ...]]:
    """Return the rows that `statement` finds; columns of days and truth values are read as such."""
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters)
        return cursor.fetchall()


def ids(numbers: Iterable[int]) -> str:
    """Return any number of ids as one parameter: `… IN (SELECT value FROM json_each(%s))`."""
    return json.dumps(list(numbers))
