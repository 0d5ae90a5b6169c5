"""Addresses of the owner's own pages."""

from django.urls import path, re_path

from papers.pages.mine import changes, exports, lists

urlpatterns = [
    path("", lists.mine, name="mine"),
    path("export/bookmarks/<str:export_format>/", exports.bookmarks, name="mine_bookmarks_export"),
    path("export/bookmarks/<str:export_format>/<int:part>/", exports.bookmarks, name="mine_bookmarks_export"),
    path("export/<str:export_format>/", exports.everything, name="mine_export"),
    path("preview/", changes.preview, name="mine_preview"),
    path("papers/<path:arxiv_id>/bookmark/", changes.bookmark, name="mine_bookmark"),
    path("papers/<path:arxiv_id>/status/", changes.reading_status, name="mine_status"),
    path("papers/<path:arxiv_id>/skimmed/", changes.skimmed, name="mine_skimmed"),
    path("papers/<path:arxiv_id>/note/", changes.note, name="mine_note"),
    # For others, what is not there answers as what is.
    re_path(r".*", lists.nowhere),
]
