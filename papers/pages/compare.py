"""Two to four papers side by side."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

from papers.pages.comparison_address import FEWEST, MOST, AskedPapers, comparison_address, read_ids
from papers.pages.comparison_page import comparison_page
from papers.pages.public import public_page
from papers.queries.paper import find_papers


@public_page
def compare(request: HttpRequest) -> HttpResponse:
    """Show the papers of `ids` beside each other; what is no known paper is named and left out."""
    asked = read_ids(request.GET.getlist("ids"))
    if _is_written_otherwise(request, asked):
        return HttpResponseRedirect(comparison_address(asked.ids))
    papers = find_papers(asked.compared)
    page = comparison_page(asked, papers, wanted=request.GET.get("add", ""))
    if page.joined:
        return HttpResponseRedirect(page.joined)
    context = {"comparison": page, "fewest": FEWEST, "most": MOST}
    nothing_known = bool(asked.ids or asked.unreadable) and not papers
    return render(request, "papers/compare.html", context, status=404 if nothing_known else 200)


def _is_written_otherwise(request: HttpRequest, asked: AskedPapers) -> bool:
    """Tell whether the same papers have a plainer address: one comparison, one address."""
    if asked.unreadable or "add" in request.GET or not asked.ids:
        return False
    return request.GET.getlist("ids") != [",".join(asked.ids)]
