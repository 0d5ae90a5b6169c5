"""All addresses of the site."""

from django.contrib import admin
from django.urls import include, path

from operations.views import status
from papersite.language import set_language
from papersite.theme import set_theme

urlpatterns = [
    path("", include("papers.urls")),
    path("status/", status, name="status"),
    path("language/", set_language, name="set_language"),
    path("theme/", set_theme, name="set_theme"),
    path("api/", include("papersite.api")),
    path("admin/", admin.site.urls),
]
