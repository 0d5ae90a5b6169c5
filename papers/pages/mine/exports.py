"""Files of the owner's: everything of one's own, and the bookmarked papers for reference managers."""

from collections.abc import Callable, Iterator

from django.http import Http404, HttpRequest, HttpResponse, StreamingHttpResponse
from django.utils import timezone

from papers.exports import UnknownFormat
from papers.pages.exports import download
from papers.pages.mine.access import reading_page
from papers.personal import export
from papers.personal.bookmarked import bookmark_parts, export_bookmarked

_EVERYTHING: dict[str, tuple[Callable[[], Iterator[str]], str, str]] = {
    "json": (export.as_json, "application/json", "json"),
    "markdown": (export.as_markdown, "text/markdown; charset=utf-8", "md"),
}


@reading_page
def everything(request: HttpRequest, export_format: str) -> StreamingHttpResponse:
    """Send everything of the owner's as one file, `json` or `markdown`."""
    if export_format not in _EVERYTHING:
        raise Http404("there is no such format")
    make, content_type, ending = _EVERYTHING[export_format]
    name = f"papersite-{timezone.localdate().isoformat()}.{ending}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"', "X-Content-Type-Options": "nosniff"}
    return StreamingHttpResponse(make(), content_type=content_type, headers=headers)


@reading_page
def bookmarks(request: HttpRequest, export_format: str, part: int = 1) -> HttpResponse:
    """Send the bookmarked papers in a format of references."""
    if not 1 <= part <= max(1, bookmark_parts()):
        raise Http404("there are not so many")
    try:
        return download(export_bookmarked(export_format, part=part))
    except UnknownFormat:
        raise Http404("there is no such format") from None
