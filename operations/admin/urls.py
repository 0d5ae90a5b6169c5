"""Addresses of the console's own pages, under the admin's."""

from collections.abc import Callable
from typing import Any

from django.urls import URLPattern, path

from operations.admin import (
    add_pages,
    attempt,
    backup_pages,
    crawl_pages,
    deletion_pages,
    failures,
    front,
    locks,
    maintenance,
    schedules,
    setup,
)


def console_urls(admin_view: Callable[..., Any]) -> list[URLPattern]:
    """Return the pages; each is wrapped by `admin_view`, which asks for an account of the staff."""
    pages: list[tuple[str, Callable[..., Any], str]] = [
        ("crawl/", crawl_pages.crawl, "crawl"),
        ("crawl/<int:job_id>/", crawl_pages.crawl_job, "crawl_job"),
        ("crawl/<int:job_id>/progress/", crawl_pages.crawl_job_progress, "crawl_job_progress"),
        ("add-papers/", add_pages.add_papers, "add_papers"),
        ("add-papers/progress/", add_pages.add_papers_progress, "add_papers_progress"),
        ("deletion/", deletion_pages.deletion, "deletion"),
        ("deletion/<int:job_id>/", deletion_pages.deletion_job, "deletion_job"),
        ("deletion/<int:job_id>/progress/", deletion_pages.deletion_progress, "deletion_progress"),
        ("backups/", backup_pages.backups_page, "backups"),
        ("backups/state/", backup_pages.backups_state, "backups_state"),
        ("front/crawl/", front.front_crawl, "front_crawl"),
        ("maintenance/", maintenance.maintenance_switch, "maintenance"),
        ("schedules/", schedules.schedules, "schedules"),
        ("setup/", setup.setup, "setup"),
        ("setup/try/", setup.try_setup, "setup_try"),
        ("failures/", failures.failures, "failures"),
        ("locks/<int:lock_id>/release/", locks.release_lock, "release_lock"),
        ("papers/paper/<int:paper_id>/attempt/", attempt.paper_attempt, "paper_attempt"),
    ]
    return [path(route, admin_view(view), name=name) for route, view, name in pages]
