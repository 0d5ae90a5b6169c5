"""Addresses of the readers' pages."""

from django.urls import include, path

from papers.pages import compare, counted, day, exports, feeds, paper, search, site_files

app_name = "papers"
urlpatterns = [
    path("", day.home, name="home"),
    path("day/", day.choose_day, name="choose_day"),
    path("day/<str:day>/", day.day, name="day"),
    path("day/<str:day>/progress/", day.day_progress, name="day_progress"),
    # Old-style ids have a slash in them: hep-th/9901001.
    path("papers/<path:arxiv_id>/progress/", paper.progress, name="paper_progress"),
    path("papers/<path:arxiv_id>/", paper.paper, name="paper"),
    path("search/", search.search, name="search"),
    path("tags/", counted.tags, name="tags"),
    path("tags/<path:name>/", counted.tag, name="tag"),
    path("authors/", counted.authors, name="authors"),
    path("authors/<path:name>/", counted.author, name="author"),
    path("compare/", compare.compare, name="compare"),
    path("export/<str:export_format>/", exports.export, name="export"),
    path("feeds/", feeds.index, name="feeds"),
    path("feeds/list.opml", feeds.as_opml, name="feed_list"),
    path("feeds/newest/", feeds.newest, name="feed_newest"),
    path("feeds/best/", feeds.best, name="feed_best"),
    # Any text, slashes too.
    path("feeds/tag/<path:name>/", feeds.with_tag, name="feed_tag"),
    path("feeds/author/<path:name>/", feeds.by_author, name="feed_author"),
    path("feeds/search/", feeds.found_by, name="feed_search"),
    path("mine/", include("papers.pages.mine.urls")),
    path("favicon.ico", site_files.favicon, name="favicon"),
    path("robots.txt", site_files.robots, name="robots"),
    path("opensearch.xml", site_files.opensearch, name="opensearch"),
    path("site.webmanifest", site_files.manifest, name="manifest"),
    path("sitemap.xml", site_files.sitemap_index, name="sitemap"),
    path("sitemap-pages.xml", site_files.sitemap_pages, name="sitemap_pages"),
    path("sitemap-papers-<str:part>.xml", site_files.sitemap_papers, name="sitemap_papers"),
]
