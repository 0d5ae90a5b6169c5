"""The root of the JSON API; each app brings a router of its own."""

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path, re_path
from ninja import NinjaAPI, Swagger
from ninja.renderers import JSONRenderer

from operations.api import router as operations_router
from papers.api import router as papers_router
from papersite.api_errors import add_error_handlers


class ReadableRenderer(JSONRenderer):
    """JSON with Chinese as it is: half the bytes, and readable where a script prints it."""

    json_dumps_params = {"ensure_ascii": False}


api = NinjaAPI(
    title="Papersite",
    version="1",
    description=(
        "Papers of Hugging Face Daily Papers and their structured Chinese summaries. "
        'Errors are `{"detail": "…", "code": "…"}`. Times are UTC.'
    ),
    docs=Swagger(settings={"persistAuthorization": False}),
    renderer=ReadableRenderer(),
    urls_namespace="api-v1",
)
add_error_handlers(api)
api.add_router("", papers_router)
api.add_router("", operations_router)


def nothing_here(request: HttpRequest) -> HttpResponse:
    """Answer for every other address under /api/, so that no trailing slash is guessed and no page is sent."""
    raise Http404


urlpatterns = [path("v1/", api.urls), re_path("", nothing_here)]
