"""Addresses of the readers' pages."""

from django.urls import path

from papers import views

app_name = "papers"
urlpatterns = [
    path("", views.home, name="home"),
    path("day/", views.choose_day, name="choose_day"),
    path("day/<str:day>/", views.day, name="day"),
    # Old-style ids have a slash in them: hep-th/9901001.
    path("papers/<path:arxiv_id>/", views.paper, name="paper"),
    path("search/", views.search, name="search"),
]
