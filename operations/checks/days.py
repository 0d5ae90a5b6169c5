"""The account of each day, and the day each paper is filed under."""

import datetime as dt
from collections.abc import Iterator

from django.db import transaction
from django.db.models import F, Min, OuterRef, QuerySet, Subquery
from django.utils import timezone

from operations.accounts import day_accounts, known_days
from operations.checks.problem import Problem
from operations.meta_files import write_meta_files
from operations.models import DayListing
from papers.models import Paper


def problems() -> Iterator[Problem]:
    """Yield papers under a wrong day, and days whose account does not add up for another reason."""
    misfiled = list(_misfiled().values_list("arxiv_id", "paper_date", "first_listed"))
    for arxiv_id, paper_date, first in misfiled:
        yield Problem("days", f"{arxiv_id} is filed under {paper_date}, but was listed on {first} already")
    explained = {first for _arxiv_id, _paper_date, first in misfiled}
    for account in day_accounts(known_days()):
        if account.missing and account.date not in explained:
            what = f"{account.missing} of {account.listed} papers listed on {account.date} have no trace"
            yield Problem("days", f"{what}; run: crawl --date {account.date}", repairable=False)


def repair() -> Iterator[str]:
    """File papers under the first day that listed them."""
    for paper in list(_misfiled()):
        with transaction.atomic():
            moved = _move(paper.pk, paper.first_listed)
        if moved:
            write_meta_files([paper.arxiv_id])
            yield f"filed {paper.arxiv_id} under {paper.first_listed}"


def _misfiled() -> QuerySet[Paper]:
    listings = DayListing.objects.filter(arxiv_id=OuterRef("arxiv_id"), skipped_reason=None)
    first = listings.order_by().values("arxiv_id").annotate(first=Min("date")).values("first")
    papers = Paper.objects.annotate(first_listed=Subquery(first)).filter(paper_date__gt=F("first_listed"))
    return papers.only("arxiv_id", "paper_date").order_by("id")


def _move(paper_id: int, date: dt.date) -> int:
    later = Paper.objects.filter(pk=paper_id, paper_date__gt=date)
    return later.update(paper_date=date, updated_at=timezone.now())
