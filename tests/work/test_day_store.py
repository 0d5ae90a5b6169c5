"""What one page of a day's list does to the tables."""

import datetime as dt

import pytest
from django.db import connection
from django.utils import timezone

from operations.day_store import store_page
from operations.models import DayListing, DeletedPaper
from operations.sources.huggingface import BadEntry, DailyEntry, DayPage
from papers.models import Paper, PaperTag

pytestmark = pytest.mark.django_db

DAY = dt.date(2026, 6, 5)
EARLIER, LATER = DAY - dt.timedelta(days=1), DAY + dt.timedelta(days=1)
ID = "2606.01234"


def entry(arxiv_id=ID, **columns) -> DailyEntry:
    return DailyEntry(**{"arxiv_id": arxiv_id, "title": "Sparse attention", "abstract": "We show.", **columns})


def store(*entries: DailyEntry, day=DAY, by_hand=False, bad=()):
    return store_page(day, DayPage(tuple(entries), tuple(bad)), by_hand=by_hand)


def index_row(paper: Paper) -> tuple:
    with connection.cursor() as cursor:
        return cursor.execute("SELECT title_en, abstract, tags FROM papers_fts WHERE rowid = %s", [paper.pk]).fetchone()


def test_a_new_paper_is_whole_pending_and_searchable():
    store(entry(authors=("Ada", "Bo"), keywords=("Agents", "LLM"), upvotes=7, published_at=EARLIER))
    paper = Paper.objects.get(arxiv_id=ID)
    assert (paper.paper_date, paper.published_at, paper.upvotes, paper.status.status) == (DAY, EARLIER, 7, "pending")
    assert [author.name for author in paper.authors.all()] == ["Ada", "Bo"]
    assert [tag.tag for tag in paper.tags.all()] == ["Agents", "LLM"]
    assert paper.pdf_url == f"https://arxiv.org/pdf/{ID}"
    assert index_row(paper) == ("Sparse attention", "We show.", "Agents\nLLM")
    assert DayListing.objects.get().arxiv_id == ID


def test_storing_a_page_again_changes_nothing():
    page = [entry(keywords=("Agents",)), entry("2606.00002")]
    store(*page)
    before = list(Paper.objects.order_by("id").values()), list(DayListing.objects.values())
    assert store(*page).new == ()
    assert (list(Paper.objects.order_by("id").values()), list(DayListing.objects.values())) == before


def test_a_refresh_brings_votes_code_keywords_and_missing_fields():
    store(entry(abstract="", keywords=("Agents",)))
    store(
        entry(upvotes=12, code_url="https://github.com/a/b", code_stars=3, keywords=("agents", "ＬＬＭ"), title="Other")
    )
    paper = Paper.objects.get()
    assert (paper.upvotes, paper.code_url, paper.code_stars, paper.abstract) == (
        12,
        "https://github.com/a/b",
        3,
        "We show.",
    )
    assert [tag.tag for tag in paper.tags.all()] == ["Agents", "ＬＬＭ"]
    assert paper.title_en == "Sparse attention"
    assert index_row(paper)[1] == "We show."


def test_what_is_known_is_never_replaced_by_nothing():
    store(entry(upvotes=7, code_url="https://github.com/a/b", organization="Lab", published_at=DAY))
    store(entry(abstract=""))
    paper = Paper.objects.get()
    assert (paper.upvotes, paper.code_url, paper.organization, paper.abstract, paper.published_at) == (
        7,
        "https://github.com/a/b",
        "Lab",
        "We show.",
        DAY,
    )


def test_a_paper_keeps_the_earliest_day_that_listed_it():
    store(entry(), day=DAY)
    store(entry(), day=LATER)
    assert Paper.objects.get().paper_date == DAY
    store(entry(), day=EARLIER)
    assert Paper.objects.get().paper_date == EARLIER
    assert sorted(DayListing.objects.values_list("date", flat=True)) == [EARLIER, DAY, LATER]


def test_a_bad_entry_costs_itself_alone_and_is_accounted_for():
    stored = store(entry(), bad=[BadEntry("2606.00009", "the paper has no title", "2606.00009")])
    assert stored.new == (ID,)
    assert DayListing.objects.get(entry_key="2606.00009").skipped_reason == "the paper has no title"


def test_an_entry_that_was_bad_and_is_mended_loses_its_reason():
    store(bad=[BadEntry(ID, "the paper has no title", ID)])
    store(entry())
    assert DayListing.objects.get().skipped_reason is None
    store(bad=[BadEntry(ID, "the paper has no title", ID)])
    assert DayListing.objects.get().skipped_reason is None


def test_an_entry_the_database_refuses_is_skipped_with_the_reason_and_the_others_are_stored():
    broken = entry("2606.00002", code_stars=-1)
    stored = store(entry(), broken, entry("2606.00003"))
    assert stored.new == (ID, "2606.00003")
    assert "could not be stored" in DayListing.objects.get(entry_key="2606.00002").skipped_reason
    assert Paper.objects.count() == 2


def test_what_was_deleted_on_purpose_comes_back_by_hand_alone():
    DeletedPaper.objects.create(arxiv_id=ID, paper_date=DAY, deleted_at=timezone.now())
    assert store(entry()).left_deleted == (ID,)
    assert not Paper.objects.exists()
    assert DayListing.objects.filter(arxiv_id=ID).exists()
    store(entry(), by_hand=True)
    assert Paper.objects.exists()
    assert not DeletedPaper.objects.exists()


def test_a_later_day_brings_a_deleted_paper_back_under_its_own_day():
    store(entry())
    Paper.objects.all().delete()
    store(entry(), day=LATER, by_hand=True)
    assert Paper.objects.get().paper_date == DAY


def test_a_page_takes_the_same_number_of_queries_however_long(django_assert_max_num_queries):
    entries = [entry(f"2606.{n:05}", authors=("Ada",), keywords=("Agents",)) for n in range(100)]
    with django_assert_max_num_queries(30):
        store(*entries)
    with django_assert_max_num_queries(15):
        store(*entries)
    assert PaperTag.objects.count() == 100
