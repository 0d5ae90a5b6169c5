"""The page of one paper, and the piece of it that tells how far its summary is."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import render

from papers.addresses import paper_address
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.categories import category_name
from papers.exports.reference import reference_of
from papers.models import SummaryQuality
from papers.notices import summary_notice
from papers.pages.public import public_page
from papers.presentation import present
from papers.queries.paper import PaperToRead, find_paper, find_progress, neighbours
from papers.queries.similar import similar_papers


@public_page
def paper(request: HttpRequest, arxiv_id: str) -> HttpResponse:
    """Show one paper; an id with a version, or written otherwise, leads to the plain one."""
    try:
        plain, _version = split_arxiv_id(arxiv_id)
    except InvalidArxivId:
        return _missing_paper(request, arxiv_id, is_id=False)
    if plain != arxiv_id:
        return HttpResponsePermanentRedirect(paper_address(plain))
    found = find_paper(plain)
    if found is None:
        return _missing_paper(request, plain, is_id=True)
    return render(request, "papers/paper.html", _paper_context(found))


@public_page
def progress(request: HttpRequest, arxiv_id: str) -> HttpResponse:
    """Tell how far a paper's summary is: the piece of its page that a waiting page asks for again and again."""
    found = find_progress(arxiv_id)
    if found is None:
        raise Http404
    return render(request, "papers/_paper_progress.html", _progress_context(found))


def _paper_context(found: PaperToRead) -> dict[str, Any]:
    paper, summary = found.paper, found.summary
    line = (summary.one_line or "") if summary else ""
    return {
        **_progress_context(found),
        "summary": present(summary) if summary else None,
        "is_low": summary is not None and paper.summary_quality == SummaryQuality.LOW,
        "authors": found.authors,
        "categories": [(code, category_name(code)) for code in paper.category_list],
        "tags": found.tags,
        "reference": reference_of(paper, authors=found.authors, tags=found.tags, summary_line=line),
        "neighbours": neighbours(paper),
        "similar": similar_papers(paper, tags=found.tags, summary_line=line),
    }


def _progress_context(found: PaperToRead) -> dict[str, Any]:
    status, summary = found.status, found.summary
    notice = summary_notice(status, has_summary=summary is not None, is_withdrawn=found.paper.is_withdrawn)
    made = summary.updated_at.timestamp() if summary else 0
    # Changes with everything that the rest of the page would have to follow.
    stamp = f"{status.status if status else ''} {(status and status.error_type) or ''} {made}"
    return {"paper": found.paper, "notice": notice, "stamp": stamp}


def _missing_paper(request: HttpRequest, asked: str, *, is_id: bool) -> HttpResponse:
    context = {"asked": asked[:200], "is_id": is_id}
    return render(request, "papers/missing_paper.html", context, status=404)
