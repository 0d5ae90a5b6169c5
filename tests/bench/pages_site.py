"""The site as `serve` runs it, with two bare views beside it, to see what a page costs beyond the least it could.

Set BENCH_KEEP to what may be kept: `pages`, else `pieces` of pages alone, as after a write, else `nothing`, as for the
first reader.
"""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
application = get_wsgi_application()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.http import HttpRequest, HttpResponse  # noqa: E402
from django.template import Context, Template  # noqa: E402
from django.urls import include, path  # noqa: E402

from papers.models import Paper  # noqa: E402
from papers.pages import public  # noqa: E402
from papers.pages.kept_pages import KeptPages  # noqa: E402
from papers.search.results import understand  # noqa: E402
from papers.templatetags import papers_kept  # noqa: E402

_ROWS = Template(
    "{% for paper in papers %}<tr><td>{{ paper.arxiv_id }}<td>{{ paper.title_zh }}<td>{{ paper.paper_date }}{% endfor %}"
)
_BEST = (
    "SELECT rowid FROM papers_fts WHERE papers_fts MATCH %s"
    " ORDER BY bm25(papers_fts, 10.0, 10.0, 3.0, 2.0, 5.0, 2.0), rowid LIMIT 25"
)


def bare(request: HttpRequest) -> HttpResponse:
    """Show 25 papers by one query."""
    papers = Paper.objects.order_by("-paper_date", "-upvotes", "id").only("arxiv_id", "title_zh", "paper_date")[:25]
    return HttpResponse(_ROWS.render(Context({"papers": papers})))


def bare_search(request: HttpRequest) -> HttpResponse:
    """Show the ids of the 25 best hits by one query of the index."""
    with connection.cursor() as cursor:
        cursor.execute(_BEST, [understand(request.GET["q"]).match])
        return HttpResponse(" ".join(str(row[0]) for row in cursor.fetchall()))


urlpatterns = [path("bare/", bare), path("bare-search/", bare_search), path("", include("papersite.urls"))]
settings.ROOT_URLCONF = __name__
kept = os.environ.get("BENCH_KEEP", "pages")
if kept != "pages":
    public.kept_pages = KeptPages(0)
if kept == "nothing":
    papers_kept._rendered = papers_kept._rendered_anew
