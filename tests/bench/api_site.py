"""The site as `serve` runs it, with nothing kept and two bare views of JSON beside it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "papersite.settings")
application = get_wsgi_application()

from django.conf import settings  # noqa: E402
from django.db import connection  # noqa: E402
from django.http import HttpRequest, JsonResponse  # noqa: E402
from django.urls import include, path  # noqa: E402

from papers.models import Paper  # noqa: E402
from papers.pages import public  # noqa: E402
from papers.pages.kept_pages import KeptPages  # noqa: E402
from papers.search.results import understand  # noqa: E402

_BEST = (
    "SELECT rowid FROM papers_fts WHERE papers_fts MATCH %s"
    " ORDER BY bm25(papers_fts, 10.0, 10.0, 3.0, 2.0, 5.0, 2.0), rowid LIMIT 50"
)
_LEFT_OUT = ("text_changed_at", "arxiv_checked_at", "asset_error", "meta_path", "summary_path", "raw_output_path")


def bare_list(request: HttpRequest) -> JsonResponse:
    """Send fifty papers by one query, with the columns of their own rows."""
    papers = Paper.objects.order_by("-paper_date", "-upvotes", "id").defer(*_LEFT_OUT)
    shown = [field.attname for field in Paper._meta.fields if field.attname not in _LEFT_OUT]
    return JsonResponse({"items": list(papers.values(*shown)[:50])}, json_dumps_params={"ensure_ascii": False})


def bare_paper(request: HttpRequest) -> JsonResponse:
    """Send one paper by one query, with the columns of its own row."""
    shown = [field.attname for field in Paper._meta.fields if field.attname not in _LEFT_OUT]
    paper = Paper.objects.filter(arxiv_id=request.GET["id"]).values(*shown).get()
    return JsonResponse(paper, json_dumps_params={"ensure_ascii": False})


def bare_search(request: HttpRequest) -> JsonResponse:
    """Send the ids of the 50 best hits by one query of the index."""
    with connection.cursor() as cursor:
        cursor.execute(_BEST, [understand(request.GET["q"]).match])
        return JsonResponse({"items": [row[0] for row in cursor.fetchall()]})


urlpatterns = [
    path("bare/list", bare_list),
    path("bare/paper", bare_paper),
    path("bare/search", bare_search),
    path("", include("papersite.urls")),
]
settings.ROOT_URLCONF = __name__
if os.environ.get("BENCH_KEEP") != "pages":
    public.kept_pages = KeptPages(0)
