"""The page of a search."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from papers.arxiv_ids import InvalidArxivId, split_arxiv_id
from papers.pages.public import public_page
from papers.pages.result_pages import result_page
from papers.pages.search_choice import read_search
from papers.personal.context import personal_context
from papers.queries.paper import is_known


@public_page
def search(request: HttpRequest) -> HttpResponse:
    """Show what a query finds, narrowed by filters; the id of a known paper leads straight to it."""
    choice, ignored = read_search(request.GET)
    known = _known_id(choice.query)
    if known:
        return redirect("papers:paper", arxiv_id=known)
    found = result_page(choice) if choice.query else None
    context = {
        "search_text": choice.query,
        "choice": choice,
        "found": found,
        "ignored": ignored,
        **personal_context(request, [result.card.arxiv_id for result in found.results] if found else []),
    }
    return render(request, "papers/search.html", context)


def _known_id(query: str) -> str | None:
    try:
        plain, _version = split_arxiv_id(query)
    except InvalidArxivId:
        return None
    return plain if is_known(plain) else None
