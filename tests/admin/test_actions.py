"""`rerun_summary`, `recrawl_date` and `refresh_metadata` act at once, tell what they did, and leave a record."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import OrmQ

from operations.models import ArxivRequest, CrawlJob, Heartbeat
from papers.models import ErrorType, SummaryState, SummaryStatus
from tests.factories import DAY, make_paper, make_summary
from tests.roles import client_of

PAPERS = "/admin/papers/paper/"
STATUSES = "/admin/papers/summarystatus/"


def act(client, address, action, rows, **more):
    data = {"action": action, "_selected_action": [row.pk for row in rows], **more}
    return client.post(address, data, follow=True)


def messages_of(answer) -> str:
    return " ".join(str(message) for message in answer.context["messages"])


def failed_for_good(**columns):
    status = {"error_type": ErrorType.TIMEOUT, "error": "too long", "retry_count": 1}
    return make_paper(state=SummaryState.PERMANENT_FAILURE, status=status, **columns)


@pytest.mark.parametrize("address", [PAPERS, STATUSES, "/admin/auth/user/"])
@pytest.mark.parametrize("row", ["abc", "", "-1", "１", "1e3", "9" * 30, "\0"])
def test_a_row_that_cannot_be_is_a_bad_request(owner, address, row):
    action = "delete_selected" if "user" in address else "rerun_summary"
    assert owner.post(address, {"action": action, "_selected_action": [row]}).status_code == 400


@pytest.mark.parametrize("address", [PAPERS, STATUSES])
def test_papers_that_failed_for_good_wait_again_with_a_fresh_count(owner, address):
    papers = [failed_for_good(), failed_for_good()]
    rows = papers if address == PAPERS else [paper.status for paper in papers]
    answer = act(owner, address, "rerun_summary", rows)
    assert answer.redirect_chain, "the list comes back, no page stands between"
    for status in SummaryStatus.objects.all():
        assert (status.status, status.retry_count, status.error_type) == (SummaryState.PENDING, 0, None)
    assert "2 篇论文已重新排队" in messages_of(answer)
    assert LogEntry.objects.filter(change_message="重新运行总结").count() == 2
    assert OrmQ.objects.exists()


def test_a_done_paper_keeps_its_summary_while_it_waits(owner):
    paper = make_paper()
    make_summary(paper)
    act(owner, PAPERS, "rerun_summary", [paper])
    paper.refresh_from_db()
    assert paper.status.status == SummaryState.PENDING
    assert paper.summary.one_line


def test_a_paper_in_work_is_left_alone_and_that_is_said(owner):
    paper = make_paper(state=SummaryState.PROCESSING, status={"started_at": timezone.now(), "owner": "x"})
    answer = act(owner, PAPERS, "rerun_summary", [paper])
    assert SummaryStatus.objects.get().status == SummaryState.PROCESSING
    assert "1 篇正在总结，未作改动" in messages_of(answer)


def test_a_paper_without_a_status_gets_one(owner):
    paper = make_paper(state=None)
    act(owner, PAPERS, "rerun_summary", [paper])
    assert SummaryStatus.objects.get(paper=paper).status == SummaryState.PENDING


def test_all_papers_of_a_filter_can_be_run_again_at_once(owner):
    for _ in range(60):
        failed_for_good()
    make_paper(state=SummaryState.DONE)
    address = f"{PAPERS}?status__status__exact=permanent_failure"
    act(owner, address, "rerun_summary", [], select_across="1", index="0", _selected_action="1")
    assert SummaryStatus.objects.filter(status=SummaryState.PENDING).count() == 60
    assert SummaryStatus.objects.filter(status=SummaryState.DONE).count() == 1


def test_the_days_of_papers_are_asked_for_once_each_the_newest_first(owner):
    papers = [make_paper(), make_paper(), make_paper(paper_date=DAY - dt.timedelta(days=1))]
    answer = act(owner, PAPERS, "recrawl_date", papers)
    job = CrawlJob.objects.get()
    assert list(job.days.values_list("date", flat=True)) == [DAY, DAY - dt.timedelta(days=1)]
    assert job.requested_by == "owner"
    assert OrmQ.objects.get().task["args"] == (job.pk,)
    assert f"2 天：{DAY}" in messages_of(answer)
    assert f'href="/admin/crawl/{job.pk}/"' in messages_of(answer)
    assert LogEntry.objects.count() == 3


def test_a_day_that_cannot_be_crawled_is_refused_in_words(owner):
    answer = act(owner, PAPERS, "recrawl_date", [make_paper(paper_date="2020-01-01")])
    assert "太早" in messages_of(answer)
    assert not CrawlJob.objects.exists() and not LogEntry.objects.exists()


def test_metadata_is_asked_for_again_once_for_each_paper(owner):
    papers = [make_paper(), make_paper()]
    for _ in range(2):
        answer = act(owner, PAPERS, "refresh_metadata", papers)
    assert set(ArxivRequest.objects.values_list("arxiv_id", "kind", "requested_by")) == {
        (paper.arxiv_id, "refresh", "owner") for paper in papers
    }
    assert "2 篇论文重新获取元数据" in messages_of(answer) and 'href="/admin/add-papers/"' in messages_of(answer)
    assert LogEntry.objects.filter(change_message="重新获取元数据").count() == 4
    assert OrmQ.objects.exists()


def test_all_papers_of_a_list_are_acted_on_without_reading_them_whole(owner, django_assert_max_num_queries):
    for number in range(60):
        make_paper(paper_date=DAY - dt.timedelta(days=number // 20))
    for action in ("recrawl_date", "refresh_metadata"):
        with django_assert_max_num_queries(60) as captured:
            act(owner, PAPERS, action, [], select_across="1", index="0", _selected_action="1")
        read = [query["sql"] for query in captured if query["sql"].startswith("SELECT") and "LIMIT" not in query["sql"]]
        assert not any('"papers"."abstract"' in sql for sql in read)
    assert CrawlJob.objects.get().days.count() == 3
    assert ArxivRequest.objects.count() == 60


@pytest.mark.django_db
@pytest.mark.parametrize("action", ["rerun_summary", "recrawl_date", "refresh_metadata"])
@pytest.mark.parametrize(("role", "may"), [("operator", True), ("editor", False), ("auditor", False)])
def test_operators_act_without_a_right_to_edit_and_editors_do_not(role, may, action):
    paper, client = failed_for_good(), client_of(role)
    act(client, PAPERS, action, [paper])
    acted = CrawlJob.objects.exists() or ArxivRequest.objects.exists() or OrmQ.objects.exists()
    assert acted is may
    assert LogEntry.objects.exists() is may
    offered = f'value="{action}"' in client.get(PAPERS).content.decode()
    assert offered is may


@pytest.mark.parametrize("beats", [True, False])
def test_a_missing_worker_is_said(owner, beats):
    if beats:
        Heartbeat.objects.create(name="worker", beat_at=timezone.now())
    answer = act(owner, PAPERS, "rerun_summary", [failed_for_good()])
    assert ("没有后台任务在运行" in messages_of(answer)) is not beats


@pytest.mark.parametrize(
    ("address", "action"),
    [
        (PAPERS, "rerun_summary"),
        (PAPERS, "recrawl_date"),
        (PAPERS, "refresh_metadata"),
        (STATUSES, "rerun_summary"),
    ],
)
def test_someone_who_may_only_look_cannot_act_not_even_by_a_forged_post(viewer, address, action):
    paper = failed_for_good()
    row = paper if address == PAPERS else paper.status
    act(viewer, address, action, [row])
    assert SummaryStatus.objects.get().status == SummaryState.PERMANENT_FAILURE
    assert not OrmQ.objects.exists() and not CrawlJob.objects.exists() and not ArxivRequest.objects.exists()
    assert not LogEntry.objects.exists()


def test_looking_never_acts(owner):
    paper = failed_for_good()
    owner.get(PAPERS, {"action": "rerun_summary", "_selected_action": paper.pk})
    assert SummaryStatus.objects.get().status == SummaryState.PERMANENT_FAILURE
