"""Every list of the admin costs the same few bounded queries however many rows there are."""

import datetime as dt
import re

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, User
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from django_q.models import Failure, Success

from operations.admin import lists
from operations.admin.lists import QuickList
from operations.models import (
    ArxivRequest,
    CrawlJob,
    CrawlLog,
    DataDeleteJob,
    DayListing,
    DeletedPaper,
    FailedSignIn,
    SignIn,
    TaskLock,
)
from papers.models import (
    Paper,
    PaperAuthor,
    PaperSummary,
    PaperTag,
    SummaryState,
    SummaryStatus,
    UserBookmark,
    UserNote,
    UserReadingStatus,
)
from tests.factories import DAY, make_paper
from tests.roles import client_of

NOW = timezone.now()
MOST_QUERIES = 16

# A row of each kind that there may be many of; number and paper make it different from the others.
ROWS = {
    Paper: None,
    PaperAuthor: lambda n, paper: PaperAuthor(paper=paper, name=f"Author {n}"),
    PaperTag: lambda n, paper: PaperTag(paper=paper, tag=f"Tag {n}", folded=f"tag{n}"),
    PaperSummary: lambda n, paper: PaperSummary(paper=paper, one_line="x", full_json="{}", updated_at=NOW),
    SummaryStatus: lambda n, paper: SummaryStatus(paper=paper, status=SummaryState.DONE, completed_at=NOW),
    UserBookmark: lambda n, paper: UserBookmark(paper=paper, created_at=NOW),
    UserNote: lambda n, paper: UserNote(paper=paper, content="x", created_at=NOW, updated_at=NOW),
    UserReadingStatus: lambda n, paper: UserReadingStatus(paper=paper, status="unread", updated_at=NOW),
    CrawlLog: lambda n, paper: CrawlLog(task="crawl", status="success", date=DAY, started_at=NOW),
    TaskLock: lambda n, paper: TaskLock(task="crawl", lock_key=str(n), status="running", acquired_at=NOW),
    DayListing: lambda n, paper: DayListing(date=DAY, entry_key=str(n), first_seen_at=NOW),
    DeletedPaper: lambda n, paper: DeletedPaper(arxiv_id=str(n), paper_date=DAY, deleted_at=NOW),
    DataDeleteJob: lambda n, paper: DataDeleteJob(date_start=DAY, date_end=DAY, status="success", started_at=NOW),
    CrawlJob: lambda n, paper: CrawlJob(status="success", started_at=NOW),
    ArxivRequest: lambda n, paper: ArxivRequest(arxiv_id=str(n), kind="add", state="done", requested_at=NOW),
    LogEntry: lambda n, paper: LogEntry(user_id=User.objects.get().pk, object_repr=str(n), action_flag=2),
    FailedSignIn: lambda n, paper: FailedSignIn(
        username=str(n), failures_since_start=1, user_agent="", ip_address="::1"
    ),
    SignIn: lambda n, paper: SignIn(username=str(n), user_agent="", ip_address="::1"),
    Success: lambda n, paper: Success(id=str(n), name="x", func="x", started=NOW, stopped=NOW, success=True),
    Failure: lambda n, paper: Failure(id=f"f{n}", name="x", func="x", started=NOW, stopped=NOW, success=False),
    Group: lambda n, paper: Group(name=f"group {n}"),
}
# A handful of rows for each installation, or for each of its schedules, people and waiting tasks.
SMALL = {
    "Heartbeat",
    "QueuePause",
    "Maintenance",
    "ScheduleTime",
    "Measurement",
    "Schedule",
    "OrmQ",
    "User",
    "Group",
    "ApiToken",
}
# Kept for a week only.
_SHORT_LIVED = (Success, Failure, FailedSignIn, SignIn)
LARGE = [model for model in ROWS if model not in _SHORT_LIVED and model is not Group]


def address_of(model: type[Model]) -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


def fill(model: type[Model], count: int, first: int = 0) -> None:
    papers = Paper.objects.bulk_create(
        Paper(arxiv_id=f"2605.{number:05d}", title_en=f"Paper {number}", paper_date=DAY, crawled_at=NOW)
        for number in range(first, first + count)
    )
    make = ROWS[model]
    if make is not None:
        model._default_manager.bulk_create(make(first + n, paper) for n, paper in enumerate(papers))


def queries(client, address: str, **query) -> list[str]:
    with CaptureQueriesContext(connection) as captured:
        assert client.get(address, query).status_code == 200
    return [each["sql"] for each in captured.captured_queries]


def plan(sql: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql.replace('%', '%%')}", [])
        return " | ".join(str(row[-1]) for row in cursor.fetchall())


def rows_query(model: type[Model], statements: list[str]) -> str:
    """The query of the rows of the list: the one from the model's table with a bound that is no count."""
    beginning = f'FROM "{model._meta.db_table}"'
    return next(sql for sql in statements if beginning in sql and sql.endswith("LIMIT 50") and "COUNT(" not in sql)


@pytest.fixture
def owner(db):
    return client_of("owner")


def test_no_list_escapes_these_tests():
    registered = {model.__name__ for model in admin.site._registry}
    assert registered - SMALL - {model.__name__ for model in ROWS} == set()


@pytest.mark.parametrize("model", ROWS, ids=lambda model: model.__name__)
def test_a_list_costs_the_same_queries_for_ten_rows_and_two_hundred(owner, model):
    fill(model, 10)
    owner.get(address_of(model))  # what is asked once for each process
    few = queries(owner, address_of(model))
    fill(model, 190, first=10)
    many = queries(owner, address_of(model))
    assert len(many) == len(few) <= MOST_QUERIES, "\n".join(many)


@pytest.mark.parametrize("model", LARGE, ids=lambda model: model.__name__)
def test_no_query_of_a_large_list_reads_the_whole_table(owner, model):
    fill(model, 60)
    for sql in queries(owner, address_of(model)):
        assert "django_date" not in sql, "calls a Python function for every row"
        assert "COUNT(" not in sql or "LIMIT 10001" in sql, "counts without a bound"


@pytest.mark.parametrize("model", LARGE, ids=lambda model: model.__name__)
def test_a_large_list_is_in_the_order_of_an_index(owner, model):
    fill(model, 60)
    used = plan(rows_query(model, queries(owner, address_of(model))))
    # The last terms of an order sort only the rows that are equal by index.
    assert "USE TEMP B-TREE FOR ORDER BY" not in used, used


def _sortable() -> list[tuple[type[Model], int]]:
    found = []
    for model in LARGE:
        model_admin = admin.site._registry[model]
        offered = model_admin.sortable_by or ()
        columns = ["action_checkbox", *model_admin.list_display] if model_admin.actions else model_admin.list_display
        found += [(model, columns.index(column)) for column in offered]
    return found


@pytest.mark.parametrize(("model", "column"), _sortable(), ids=lambda each: getattr(each, "__name__", str(each)))
def test_columns_that_are_offered_for_sorting_are_sorted_by_an_index(owner, model, column):
    fill(model, 60)
    for order in (column, -column):
        used = plan(rows_query(model, queries(owner, address_of(model), o=str(order))))
        assert "USE TEMP B-TREE FOR ORDER BY" not in used, used


def test_every_large_list_is_a_quick_one():
    assert [model for model in LARGE if not isinstance(admin.site._registry[model], QuickList)] == []


@pytest.mark.parametrize("state", SummaryState.values)
def test_papers_are_found_by_their_state(owner, state):
    wanted = make_paper(state=state)
    make_paper(state=next(other for other in SummaryState.values if other != state))
    make_paper(state=None)
    found = owner.get(address_of(Paper), {"status__status__exact": state}).context["cl"].result_list
    assert list(found) == [wanted]


def test_papers_that_are_done_are_found_in_the_order_of_an_index(owner):
    fill(SummaryStatus, 60)
    used = plan(rows_query(Paper, queries(owner, address_of(Paper), status__status__exact="done")))
    assert "USE TEMP B-TREE FOR ORDER BY" not in used, used


def test_a_list_is_not_sorted_by_hand_by_a_column_that_it_does_not_offer(owner):
    fill(Paper, 60)
    title = admin.site._registry[Paper].list_display.index("upvotes") + 1
    assert 'ORDER BY "papers"."upvotes"' not in rows_query(Paper, queries(owner, address_of(Paper), o=str(title)))


# ---------------------------------------------------------------- counts


def test_rows_beyond_the_most_that_are_counted_are_said_to_be_there(owner, monkeypatch):
    monkeypatch.setattr(lists, "MOST_COUNTED", 60)
    monkeypatch.setattr("operations.templatetags.console_lists.MOST_COUNTED", 60)
    fill(Paper, 60)
    assert "超过" not in owner.get(address_of(Paper)).content.decode()
    fill(Paper, 40, first=60)
    answer = owner.get(address_of(Paper))
    page = answer.content.decode()
    assert "超过 60 条，这里只列出前 60 条" in page
    assert "选中全部（超过 60 条，包括没有列出的）" in page and "选中所有的" not in page
    assert answer.context["cl"].paginator.num_pages == 2
    assert owner.get(address_of(Paper), {"p": "2"}).status_code == 200
    assert owner.get(address_of(Paper), {"p": "3"}).status_code == 302


def test_an_action_on_all_takes_those_that_are_not_counted_too(owner, monkeypatch):
    monkeypatch.setattr(lists, "MOST_COUNTED", 60)
    fill(SummaryStatus, 100)
    data = {"action": "rerun_summary", "select_across": "1", "index": "0", "_selected_action": "1"}
    owner.post(address_of(SummaryStatus), data)
    assert SummaryStatus.objects.filter(status=SummaryState.PENDING).count() == 100


def test_a_thousand_papers_are_run_again_from_the_list_of_states(owner, django_assert_max_num_queries):
    fill(SummaryStatus, 1200)
    data = {"action": "rerun_summary", "select_across": "1", "index": "0", "_selected_action": "1"}
    with django_assert_max_num_queries(60):
        answer = owner.post(f"{address_of(SummaryStatus)}?status__exact=done", data)
    assert answer.status_code == 302
    assert SummaryStatus.objects.filter(status=SummaryState.PENDING).count() == 1200
    assert LogEntry.objects.filter(content_type__model="paper").count() == 1200


# ---------------------------------------------------------------- searches


@pytest.mark.parametrize(
    ("model", "typed"),
    [
        (SummaryStatus, "2605.0000"),
        (PaperSummary, "2605.0000"),
        (PaperTag, "2605.0000"),
        (PaperTag, "Tag 5"),
        (PaperAuthor, "Author 5"),
        (DayListing, "2605"),
        (DeletedPaper, "5"),
    ],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_a_search_by_the_beginning_asks_an_index(owner, model, typed):
    fill(model, 60)
    rows = model._default_manager.filter(admin.site._registry[model].beginning_with(typed)).order_by()
    used = rows.explain()
    assert "SEARCH" in used and "SCAN" not in used, used


@pytest.mark.parametrize(
    ("model", "typed", "found"),
    [
        (PaperAuthor, "Author 1", 11),
        (PaperAuthor, "2605.0000", 10),
        (PaperAuthor, "%", 0),
        (PaperTag, "TAG 1", 11),
        (PaperTag, "２６０５", 0),
        (PaperSummary, "2605.00003", 1),
    ],
    ids=lambda each: getattr(each, "__name__", str(each)),
)
def test_rows_are_found_by_the_beginning_of_what_they_are_called(owner, model, typed, found):
    fill(model, 20)
    assert owner.get(address_of(model), {"q": typed}).context["cl"].result_count == found


# ---------------------------------------------------------------- dates


@pytest.fixture
def of_many_days(db):
    for date in (DAY, DAY - dt.timedelta(days=1), DAY - dt.timedelta(days=40), DAY.replace(year=2024)):
        make_paper(paper_date=date)


@pytest.mark.parametrize(
    ("query", "steps"),
    [
        ("", ["2024", "2026"]),
        ("paper_date__year=2026", ["2026年4月", "2026年6月"]),
        ("paper_date__year=2026&paper_date__month=6", ["06月4日", "06月5日"]),
        ("paper_date__year=2026&paper_date__month=6&paper_date__day=5", ["06月5日"]),
        ("paper_date__year=2025", []),
        ("paper_date__month=6", ["2024", "2026"]),
    ],
    ids=["all", "year", "month", "day", "empty", "no year"],
)
def test_dates_with_rows_are_offered_step_by_step(owner, of_many_days, query, steps):
    page = owner.get(f"{address_of(Paper)}?{query}").content.decode()
    nav = page.split('<nav class="toplinks">')[1].split("</nav>")[0].replace("&amp;", "&")
    choices = nav.partition("</a>")[2] if "date-back" in nav else nav
    assert re.findall(r"(?:^|>)\s*([0-9年月日]+)\s*(?:<|$)", choices) == steps


def test_moments_are_filed_under_the_day_of_the_sites_time_zone(owner):
    late = dt.datetime(2026, 6, 4, 17, 0, tzinfo=dt.UTC)  # after midnight in Shanghai
    CrawlLog.objects.create(task="crawl", status="success", started_at=late)
    address = f"{address_of(CrawlLog)}?started_at__year=2026&started_at__month=6"
    page = owner.get(address).content.decode()
    assert "06月5日" in page and "06月4日" not in page
    assert owner.get(f"{address}&started_at__day=5").context["cl"].result_count == 1


@pytest.mark.parametrize(
    "query",
    [
        "paper_date__year=x",
        "paper_date__year=0",
        "paper_date__year=99999",
        "paper_date__year=2026&paper_date__month=13",
        "paper_date__year=2026&paper_date__month=2&paper_date__day=31",
        "paper_date__year=9999&paper_date__month=12",
        "paper_date__year=9999",
        "paper_date__year=２０２６",
    ],
)
def test_a_date_that_cannot_be_is_no_error_of_ours(owner, of_many_days, query):
    assert owner.get(f"{address_of(Paper)}?{query}").status_code in (200, 302, 400)


def test_an_empty_list_has_no_dates(owner):
    assert owner.get(address_of(Paper)).status_code == 200


def test_the_log_of_the_admin_can_be_looked_up_by_day(db):
    with connection.cursor() as cursor:
        assert "ix_admin_log_time" in connection.introspection.get_constraints(cursor, "django_admin_log")


@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_dates_in_lists_are_written_as_everywhere_else(owner, language):
    make_paper(paper_date="2026-06-05")
    owner.cookies["django_language"] = language
    page = owner.get("/admin/papers/paper/").content.decode()
    assert '<td class="field-paper_date nowrap">2026-06-05</td>' in page
