"""The root of the JSON API; each app brings a router of its own."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, re_path
from django.views.decorators.http import require_GET
from ninja import NinjaAPI, Swagger
from ninja.openapi.schema import OpenAPISchema
from ninja.renderers import JSONRenderer

from operations.api_deletions import router as deletions_router
from operations.api_health import router as health_router
from operations.api_records import router as records_router
from operations.api_runs import router as runs_router
from papers.api import router as papers_router
from papers.api_changes import router as changes_router
from papers.api_counts import router as counts_router
from papers.api_personal import router as personal_router
from papersite.api_errors import add_error_handlers

TOO_OFTEN: dict[str, Any] = {
    "description": "Too Many Requests",
    "headers": {"Retry-After": {"description": "Seconds.", "schema": {"type": "integer", "minimum": 1}}},
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ErrorOut"}}},
}


class ReadableRenderer(JSONRenderer):
    """JSON with Chinese as it is: half the bytes, and readable where a script prints it."""

    json_dumps_params = {"ensure_ascii": False}


class PapersiteAPI(NinjaAPI):
    """The API, whose document says of every operation what none of them can help."""

    def get_openapi_schema(self, **options: Any) -> OpenAPISchema:
        """Return the document, with the answer to whoever calls too often."""
        document = super().get_openapi_schema(**options)
        for methods in document["paths"].values():
            for operation in methods.values():
                operation["responses"].setdefault(429, TOO_OFTEN)
        return document


api = PapersiteAPI(
    title="Papersite",
    version="1",
    description=(
        "Papers of Hugging Face Daily Papers and their structured Chinese summaries. "
        'Errors are `{"detail": "…", "code": "…"}`. Times are UTC.'
    ),
    docs=Swagger(settings={"persistAuthorization": False}),
    docs_decorator=require_GET,
    renderer=ReadableRenderer(),
    urls_namespace="api-v1",
)
add_error_handlers(api)
# First those whose addresses go on after a paper's id: an id may hold a slash, and takes all that is left.
api.add_router("", personal_router)
api.add_router("", runs_router)
api.add_router("", papers_router)
api.add_router("", counts_router)
api.add_router("", changes_router)
for router in (deletions_router, records_router, health_router):
    api.add_router("", router)


def nothing_here(request: HttpRequest) -> HttpResponse:
    """Answer for every other address under /api/, so that no trailing slash is guessed and no page is sent."""
    raise Http404


urlpatterns = [path("v1/", api.urls), re_path("", nothing_here)]
