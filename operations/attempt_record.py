"""The attempts at one paper's summary that were logged."""

from django.db.models import QuerySet

from operations.models import CrawlLog, DayListing, Task
from papers.models import Paper

MOST_RUNS = 50


def runs_of(paper: Paper) -> QuerySet[CrawlLog]:
    """Return the log rows of attempts at this paper, the newest first, at most `MOST_RUNS`.

    A row is filed under the day the paper was filed under then, and begins its detail with the id; by these days, of
    all that are known to have listed the paper, the index of tasks and days leads to it.
    """
    days = DayListing.objects.filter(arxiv_id=paper.arxiv_id).values_list("date", flat=True)
    rows = CrawlLog.objects.filter(task=Task.SUMMARIZE, date__in={paper.paper_date, *days})
    return rows.filter(detail__startswith=f"{paper.arxiv_id} ").order_by("-started_at", "-id")[:MOST_RUNS]
