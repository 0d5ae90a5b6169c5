"""The bookmarked papers as files, each of as many papers as one file holds."""

from papers.exports import MOST_PAPERS, ExportFile, export
from papers.models import Paper, UserBookmark


def bookmark_parts() -> int:
    """Return how many files the bookmarked papers make; none where nothing is bookmarked."""
    return -(-UserBookmark.objects.count() // MOST_PAPERS)


def export_bookmarked(export_format: str, *, part: int = 1) -> ExportFile:
    """Return part `part` (from 1) of the bookmarked papers, the one bookmarked last first.

    The owner's own words are not in it: such files are passed on.

    Raises:
        UnknownFormat: there is no such format.
    """
    first = (part - 1) * MOST_PAPERS
    order = UserBookmark.objects.order_by("-created_at", "-pk").values_list("paper_id", flat=True)
    ids = list(order[first : first + MOST_PAPERS])
    papers = Paper.objects.in_bulk(ids)
    name = "bookmarks" if part == 1 else f"bookmarks-{part}"
    return export([papers[key] for key in ids if key in papers], export_format, name=name)
