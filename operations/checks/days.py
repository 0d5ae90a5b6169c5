"""The account of each day, and the day each paper is filed under."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Min, OuterRef, Subquery
from django.utils import timezone

from operations.checks.problem import Problem
from operations.day_accounts import day_accounts, known_days
from operations.meta_files import write_meta_files
from operations.models import DayListing
from papers.models import Paper


def problems() -> Iterator[Problem]:
    """Yield papers under a wrong day, and days whose account does not add up for another reason."""
    misfiled = _misfiled()
    for paper in misfiled:
        what = f"{paper.arxiv_id} is filed under {paper.paper_date}, but was listed on {paper.first_listed}"
        yield Problem("days", what)
    explained = {paper.first_listed for paper in misfiled}
    for account in day_accounts(known_days()):
        if account.missing and account.date not in explained:
            what = f"{account.missing} of {account.listed} papers listed on {account.date} have no trace"
            yield Problem("days", f"{what}; run: crawl --date {account.date}", repairable=False)


def repair() -> Iterator[str]:
    """File papers under the first day that listed them."""
    for paper in _misfiled():
        with transaction.atomic():
            moved = _move(paper)
        if moved:
            write_meta_files([paper.arxiv_id])
            yield f"filed {paper.arxiv_id} under {paper.first_listed}"


@dataclass(frozen=True)
class _Misfiled:
    """A paper filed under a later day than the first that listed it."""

    arxiv_id: str
    paper_date: dt.date
    first_listed: dt.date


def _misfiled() -> list[_Misfiled]:
    listings = DayListing.objects.filter(arxiv_id=OuterRef("arxiv_id"), skipped_reason=None)
    first = listings.order_by().values("arxiv_id").annotate(first=Min("date")).values("first")
    papers = Paper.objects.annotate(first_listed=Subquery(first)).filter(paper_date__gt=F("first_listed"))
    return [_Misfiled(*row) for row in papers.order_by("id").values_list("arxiv_id", "paper_date", "first_listed")]


def _move(paper: _Misfiled) -> int:
    later = Paper.objects.filter(arxiv_id=paper.arxiv_id, paper_date__gt=paper.first_listed)
    return later.update(paper_date=paper.first_listed, updated_at=timezone.now())
