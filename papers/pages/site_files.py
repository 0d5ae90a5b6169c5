"""Files about the site that browsers, search engines and other programs ask for."""

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from papers.addresses import site_root
from papers.pages.public import public_page
from papers.site_files import sitemap

_XML = "application/xml; charset=utf-8"
# As long as a number of a part can be: a part more has 5,000 papers more.
_LONGEST_NUMBER = 6
# The ground of the pages in daylight; see static/css/site/tokens.css.
_GROUND = "#fbfaf7"


def _site_file(view: Callable[[HttpRequest], HttpResponse]) -> Callable[[HttpRequest], HttpResponse]:
    """Make `view` a file that depends on the address and the language alone, and may be kept for a day."""
    return require_safe(cache_control(public=True, max_age=24 * 3600)(view))


@_site_file
def robots(request: HttpRequest) -> HttpResponse:
    """Tell crawlers what to leave alone: pages made for each question, and what is private."""
    return render(request, "robots.txt", {"root": site_root(request)}, content_type="text/plain; charset=utf-8")


@_site_file
def opensearch(request: HttpRequest) -> HttpResponse:
    """Let browsers offer the site's search in their address bar."""
    context = {"root": site_root(request), "icon": site_root(request) + static("icons/icon-192.png")}
    return render(request, "opensearch.xml", context, content_type="application/opensearchdescription+xml")


@_site_file
def manifest(_request: HttpRequest) -> HttpResponse:
    """Let phones and browsers keep the site as an app."""
    return JsonResponse(
        _manifest(), content_type="application/manifest+json", json_dumps_params={"ensure_ascii": False}
    )


@_site_file
def favicon(_request: HttpRequest) -> HttpResponse:
    """Lead programs that read no HTML, such as feed readers, to the icon."""
    return HttpResponsePermanentRedirect(static("icons/icon-192.png"))


@public_page
def sitemap_index(request: HttpRequest) -> HttpResponse:
    """List the parts of the sitemap."""
    context = {"root": site_root(request), "parts": sitemap.parts()}
    return render(request, "sitemap_index.xml", context, content_type=_XML)


@public_page
def sitemap_pages(request: HttpRequest) -> HttpResponse:
    """List the days and the pages that are there once."""
    return _places(request, sitemap.other_pages())


@public_page
def sitemap_papers(request: HttpRequest, part: str) -> HttpResponse:
    """List the papers of one part."""
    if not (part.isascii() and part.isdigit() and len(part) <= _LONGEST_NUMBER):
        raise Http404
    places = sitemap.papers_of(int(part))
    if not places:
        raise Http404
    return _places(request, places)


def _places(request: HttpRequest, places: list[sitemap.Place]) -> HttpResponse:
    return render(request, "sitemap.xml", {"root": site_root(request), "places": places}, content_type=_XML)


def _manifest() -> dict[str, Any]:
    icons = [("icons/icon-192.png", 192, "any"), ("icons/icon-512.png", 512, "any")]
    icons.append(("icons/maskable-512.png", 512, "maskable"))
    return {
        "name": "Papersite",
        "short_name": "Papersite",
        "description": _("每日论文的中文总结"),
        "id": "/",
        "start_url": "/",
        "scope": "/",
        "display": "minimal-ui",
        "background_color": _GROUND,
        "theme_color": _GROUND,
        "icons": [
            {"src": static(name), "sizes": f"{size}x{size}", "type": "image/png", "purpose": purpose}
            for name, size, purpose in icons
        ],
    }
