"""Check constraints that hold a column to its list of values."""

from django.db import models


def one_of(column: str, choices: type[models.TextChoices], table: str) -> models.CheckConstraint:
    """Return a constraint that refuses any value of `column` outside `choices` (NULL passes)."""
    return models.CheckConstraint(condition=models.Q(**{f"{column}__in": choices.values}), name=f"ck_{table}_{column}")
