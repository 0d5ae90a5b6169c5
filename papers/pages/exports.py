"""Papers as files: the addresses that the export menu leads to."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render

from papers.exports import FORMATS, ExportFile
from papers.exports import export as written
from papers.pages.export_selection import NothingSelected, selected
from papers.pages.public import public_page


@public_page
def export(request: HttpRequest, export_format: str) -> HttpResponse:
    """Send the selected papers in a format, or tell why that cannot be."""
    if export_format not in FORMATS:
        raise Http404
    try:
        chosen = selected(request.GET)
    except NothingSelected as reason:
        return render(request, "papers/export_refused.html", {"reason": reason}, status=400)
    return download(written(chosen.papers, export_format, name=chosen.name))


def download(file: ExportFile) -> HttpResponse:
    """Return `file` as an answer that browsers save and never guess the type of."""
    headers = {
        "Content-Type": file.content_type,
        "Content-Disposition": f'attachment; filename="{file.name}"',
        "X-Content-Type-Options": "nosniff",
        # Found by following links from a page; it has nothing that the page does not have.
        "X-Robots-Tag": "noindex",
    }
    return HttpResponse(file.content, headers=headers)
