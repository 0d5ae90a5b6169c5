"""What pages need to show the owner's things, for the owner alone."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from papers.personal.marks import marks_of


def personal_context(request: HttpRequest, arxiv_ids: Iterable[str]) -> dict[str, Any]:
    """Return the owner's marks on these papers as `personal`, in one query; nothing for anybody else."""
    if not getattr(request, "is_owner", False):
        return {}
    return {"personal": marks_of(arxiv_ids)}
