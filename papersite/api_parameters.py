"""What parameters of many operations have in common."""

from django.http import HttpRequest
from ninja import Schema
from pydantic import Field

from papersite.api_errors import ApiError

# Beyond this nobody reads on; SQLite would have to walk over every row before it.
MAX_OFFSET = 1_000_000


class PageOfRows(Schema):
    """Which page of a list."""

    limit: int = Field(50, ge=1, le=200, description="Items on a page.")
    offset: int = Field(0, ge=0, le=MAX_OFFSET, description="Items before this page.")


def refuse_unknown(request: HttpRequest, known: type[Schema]) -> None:
    """Refuse parameters that mean nothing here: a misspelt filter would otherwise give everything.

    Raises:
        ApiError: 422, naming them.
    """
    unknown = sorted(set(request.GET) - {field.alias or name for name, field in known.model_fields.items()})
    if unknown:
        names = ", ".join(repr(name[:40]) for name in unknown[:5])
        raise ApiError(422, "unknown_parameter", f"Unknown parameters: {names}.")
