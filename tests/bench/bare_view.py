"""The site's addresses and one more: a view of one query and fifty rows, the least that a list can cost."""

from django.http import HttpRequest, HttpResponse
from django.template import Context, Template
from django.urls import include, path

from papers.models import Paper

_ROWS = Template(
    "{% for paper in papers %}<tr><td>{{ paper.arxiv_id }}<td>{{ paper.title_zh }}<td>{{ paper.paper_date }}{% endfor %}"
)


def bare(request: HttpRequest) -> HttpResponse:
    """Show the newest fifty papers."""
    papers = Paper.objects.order_by("-paper_date", "-upvotes", "id").only("arxiv_id", "title_zh", "paper_date")[:50]
    return HttpResponse(_ROWS.render(Context({"papers": papers})))


urlpatterns = [path("bare/", bare), path("", include("papersite.urls"))]
