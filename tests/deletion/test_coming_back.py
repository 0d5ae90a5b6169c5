"""What was deleted on purpose stays away from refreshes; a crawl by hand brings it back."""

import datetime as dt

import pytest

from operations.crawl import crawl_day
from operations.deletion.run import delete_now
from operations.files import META_NAME, paper_folder
from operations.models import DeletedPaper
from papers.models import Paper, SummaryStatus
from tests.deletion.whole import problems, traces

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]

DATE = dt.date(2026, 8, 21)


@pytest.fixture
def crawled(replay, settings, data_dir) -> set[str]:
    """A recorded day, crawled."""
    replay.start("--today", DATE.isoformat())
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update=replay.addresses)
    crawl_day(DATE)
    return set(Paper.objects.values_list("arxiv_id", flat=True))


def test_a_refresh_leaves_deleted_papers_out_and_a_crawl_by_hand_brings_them_back(crawled, data_dir):
    delete_now(DATE, DATE, include_notes=True, by=None)
    assert traces(crawled, data_dir) == []
    refreshed = crawl_day(DATE)
    assert refreshed.left_deleted == len(crawled) > 0
    assert traces(crawled, data_dir) == [] and not Paper.objects.exists() and problems() == []
    crawl_day(DATE, by_hand=True)
    assert set(Paper.objects.values_list("arxiv_id", flat=True)) == crawled
    assert SummaryStatus.objects.filter(status="pending").count() == len(crawled)
    assert not DeletedPaper.objects.exists()
    assert all((paper_folder(arxiv_id) / META_NAME).exists() for arxiv_id in crawled)
    assert problems() == []
