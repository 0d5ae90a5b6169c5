"""Permanent failures are listed by kind and day, explained, and run again as many at a time as is wished."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import OrmQ

from operations import failures, maintenance, states
from operations.error_advice import advice
from operations.failures import failure_groups, rerun_failures
from operations.models import CrawlLog, Heartbeat
from papers.models import ErrorType, PaperSummary, SummaryState, SummaryStatus
from tests.factories import DAY, make_paper, make_summary
from tests.roles import client_of

PAGE = "/admin/failures/"
EARLIER = DAY - dt.timedelta(days=1)


def failed_for_good(error_type: str | None = ErrorType.TIMEOUT, error="it took too long", **columns):
    status = {"error_type": error_type, "error": error, "retry_count": 1, "interruptions": 2}
    return make_paper(state=SummaryState.PERMANENT_FAILURE, status=status, **columns)


def kept_summary():
    paper = make_paper()
    make_summary(paper, one_line="旧的好总结")
    SummaryStatus.objects.filter(paper=paper).update(error_type=ErrorType.TIMEOUT, error="too long")
    return paper


def states_now() -> dict[str, int]:
    return {state: SummaryStatus.objects.filter(status=state).count() for state in SummaryState.values}


def messages_of(answer) -> str:
    return " ".join(str(message) for message in answer.context["messages"])


@pytest.fixture
def operator(db):
    return client_of("operator")


# ---------------------------------------------------------------- the page


def test_each_kind_is_explained_with_its_days_and_papers(operator):
    paper = failed_for_good()
    failed_for_good(paper_date=EARLIER)
    failed_for_good(ErrorType.JSON_INVALID)
    page = operator.get(PAGE).content.decode()
    for kind in (ErrorType.TIMEOUT, ErrorType.JSON_INVALID):
        assert advice(kind).meaning in page and advice(kind).what_helps in page
    assert advice(ErrorType.SCHEMA_ERROR).meaning not in page
    assert page.index(">2026-06-05<") < page.index(">2026-06-04<")
    assert f"/admin/papers/paper/{paper.pk}/change/" in page
    assert f"/admin/papers/paper/{paper.pk}/attempt/" in page
    assert "这一类全部重新运行（2 篇）" in page and "全部重新运行（3 篇）" in page


def test_without_failures_it_says_so(operator):
    make_paper()
    assert "没有永久失败的论文" in operator.get(PAGE).content.decode()


def test_the_links_lead_to_lists_of_those_papers(operator):
    failed_for_good()
    failed_for_good(paper_date=EARLIER)
    failed_for_good(ErrorType.JSON_INVALID)
    shown = next(group for group in operator.get(PAGE).context["groups"] if group.error_type == "timeout")
    assert operator.get(shown.papers).context["cl"].result_count == 2
    assert operator.get(shown.days[0].papers).context["cl"].result_count == 1


def test_many_days_are_shown_a_few_at_a_time(operator):
    for back in range(70):
        failed_for_good(paper_date=DAY - dt.timedelta(days=back))
    group = operator.get(PAGE).context["groups"][0]
    assert (len(group.days), group.all_days) == (7, 70)
    first = operator.get(PAGE, {"type": "timeout"})
    second = operator.get(PAGE, {"type": "timeout", "page": "2"})
    assert [len(answer.context["groups"][0].days) for answer in (first, second)] == [60, 10]
    assert "page=2" in first.content.decode()


@pytest.mark.parametrize("query", ["type=none", "type=%00", "type=timeout&page=x", "type=timeout&page=99999"])
def test_odd_addresses_get_no_error_of_ours(operator, query):
    failed_for_good()
    assert operator.get(f"{PAGE}?{query}").status_code in (200, 400)


def test_hostile_text_is_escaped_and_bounded(operator):
    failed_for_good(
        error="<script>alert(1)</script>" + "x" * 4000, title_en="<img src=x onerror=alert(1)>" + "y" * 4000
    )
    page = operator.get(PAGE).content.decode()
    assert "<script>alert" not in page and "<img src=x" not in page
    assert "x" * 300 not in page and "y" * 300 not in page


@pytest.mark.parametrize("papers", [2, 200])
def test_the_page_costs_the_same_few_queries_however_many_failed(operator, papers, django_assert_max_num_queries):
    for number in range(papers):
        failed_for_good(paper_date=DAY - dt.timedelta(days=number % 30))
    operator.get(PAGE)
    with django_assert_max_num_queries(12):
        operator.get(PAGE)


# ---------------------------------------------------------------- running again


def test_one_kind_is_run_again_and_nothing_else(operator):
    for _ in range(3):
        failed_for_good()
    failed_for_good(ErrorType.JSON_INVALID)
    answer = operator.post(PAGE, {"error_type": "timeout"}, follow=True)
    assert states_now()[SummaryState.PENDING] == 3
    assert states_now()[SummaryState.PERMANENT_FAILURE] == 1
    row = SummaryStatus.objects.filter(status=SummaryState.PENDING).first()
    assert (row.retry_count, row.interruptions, row.error_type, row.error) == (0, 0, None, None)
    assert "3 篇论文已重新排队" in messages_of(answer)
    assert OrmQ.objects.exists(), "the worker is woken"


def test_one_day_of_a_kind_is_run_again_and_nothing_else(operator):
    failed_for_good()
    failed_for_good(paper_date=EARLIER)
    operator.post(PAGE, {"error_type": "timeout", "date": EARLIER.isoformat(), "shown": "timeout"})
    pending = SummaryStatus.objects.get(status=SummaryState.PENDING)
    assert pending.paper.paper_date == EARLIER


def test_all_kinds_are_run_again_at_once(operator):
    failed_for_good()
    failed_for_good(ErrorType.JSON_INVALID)
    make_paper(state=SummaryState.FAILED)
    operator.post(PAGE, {"error_type": "all"})
    assert (states_now()[SummaryState.PENDING], states_now()[SummaryState.FAILED]) == (2, 1)


def test_a_failure_without_a_kind_is_one_of_the_unknown(operator):
    failed_for_good(None)
    failed_for_good(ErrorType.UNKNOWN)
    assert [(group.error_type, group.count) for group in failure_groups()] == [("unknown", 2)]
    operator.post(PAGE, {"error_type": "unknown"})
    assert states_now()[SummaryState.PENDING] == 2


@pytest.mark.parametrize("beats", [True, False])
def test_it_says_where_no_worker_runs_that_they_wait(operator, beats):
    failed_for_good()
    if beats:
        Heartbeat.objects.create(name="worker", beat_at=timezone.now())
    answer = operator.post(PAGE, {"error_type": "timeout"}, follow=True)
    assert ("没有后台任务在运行" in messages_of(answer)) is not beats


def test_it_says_during_maintenance_that_they_wait_for_its_end(operator):
    failed_for_good()
    maintenance.switch_on("moving the disk", by="ada")
    answer = operator.post(PAGE, {"error_type": "timeout"}, follow=True)
    assert "结束维护后才会执行" in messages_of(answer)
    assert states_now()[SummaryState.PENDING] == 1


def test_it_is_written_down_who_did_what(operator):
    failed_for_good()
    operator.post(PAGE, {"error_type": "timeout", "date": DAY.isoformat()})
    entry = LogEntry.objects.get()
    assert entry.user.username == "operator"
    assert entry.change_message == f"重新运行 1 篇永久失败的论文（超时、{DAY}）"
    assert "1 permanent failures (timeout of 2026-06-05) asked for by operator" in CrawlLog.objects.get().detail


@pytest.mark.parametrize(
    "data",
    [{}, {"error_type": "none"}, {"error_type": ""}, {"error_type": "timeout", "date": "yesterday"}],
    ids=["nothing", "no kind", "blank", "no date"],
)
def test_a_post_that_names_nothing_moves_nothing(operator, data):
    failed_for_good()
    assert operator.post(PAGE, data).status_code == 400
    assert states_now()[SummaryState.PERMANENT_FAILURE] == 1


def test_looking_never_acts(operator):
    failed_for_good()
    operator.get(PAGE, {"error_type": "timeout"})
    assert states_now()[SummaryState.PERMANENT_FAILURE] == 1


def test_a_paper_that_changed_meanwhile_is_left_alone(db, monkeypatch):
    papers = [failed_for_good() for _ in range(3)]
    real = states._rerun_chunk

    def chunk_after_a_change(paper_ids, only):
        SummaryStatus.objects.filter(paper=papers[1]).update(status=SummaryState.DONE, error_type=None)
        SummaryStatus.objects.filter(paper=papers[2]).update(error_type=ErrorType.JSON_INVALID)
        return real(paper_ids, only)

    monkeypatch.setattr(states, "_rerun_chunk", chunk_after_a_change)
    assert rerun_failures("timeout", by="ada") == 1
    assert [SummaryStatus.objects.get(paper=paper).status for paper in papers] == [
        SummaryState.PENDING,
        SummaryState.DONE,
        SummaryState.PERMANENT_FAILURE,
    ]


def test_a_thousand_are_run_again_in_chunks(operator, monkeypatch):
    sizes = []
    real = states._rerun_chunk
    monkeypatch.setattr(states, "_rerun_chunk", lambda ids, only: sizes.append(len(ids)) or real(ids, only))
    SummaryStatus.objects.bulk_create(
        SummaryStatus(paper=paper, status=SummaryState.PERMANENT_FAILURE, error_type=ErrorType.TIMEOUT)
        for paper in bare_papers(1200)
    )
    operator.post(PAGE, {"error_type": "timeout"})
    assert states_now()[SummaryState.PENDING] == 1200
    assert sizes == [500, 500, 200]


def bare_papers(count: int):
    from papers.models import Paper

    return Paper.objects.bulk_create(
        Paper(arxiv_id=f"2606.{number:05d}", title_en="x", paper_date=DAY, crawled_at=timezone.now())
        for number in range(50_000, 50_000 + count)
    )


# ---------------------------------------------------------------- a summary from before


def test_papers_with_a_summary_from_before_are_listed_apart(operator):
    paper = kept_summary()
    answer = operator.get(PAGE)
    page = answer.content.decode()
    assert "旧总结仍在" in page and paper.arxiv_id in page
    assert not answer.context["groups"]
    assert operator.get(answer.context["kept_papers"]).context["cl"].result_count == 1


def test_they_are_run_again_apart(operator):
    kept_summary()
    failed_for_good()
    operator.post(PAGE, {"error_type": "all"})
    assert states_now()[SummaryState.DONE] == 1
    operator.post(PAGE, {"error_type": "kept"})
    assert states_now()[SummaryState.DONE] == 0


def test_a_re_run_that_fails_leaves_the_good_summary_in_place(operator):
    paper = make_paper()
    make_summary(paper, one_line="旧的好总结")
    SummaryStatus.objects.filter(paper=paper).update(
        status=SummaryState.PERMANENT_FAILURE, error_type=ErrorType.TIMEOUT
    )
    operator.post(PAGE, {"error_type": "timeout"})
    for _ in range(2):  # with its one retry
        claim = states.claim_next(states.due())
        states.fail(claim, ErrorType.JSON_INVALID, "cut off")
        states.retry_failed()
    row = SummaryStatus.objects.get(paper=paper)
    assert (row.status, row.error_type) == (SummaryState.DONE, ErrorType.JSON_INVALID)
    assert PaperSummary.objects.get(paper=paper).one_line == "旧的好总结"
    assert "旧的好总结" in operator.get(paper.get_absolute_url()).content.decode()
    assert "旧总结仍在" in operator.get(PAGE).content.decode()


# ---------------------------------------------------------------- roles


@pytest.mark.parametrize("role", ["editor", "auditor"])
def test_others_look_and_cannot_run_anything(role, db):
    failed_for_good()
    kept_summary()
    client = client_of(role)
    page = client.get(PAGE).content.decode()
    assert "超时" in page and "重新运行这一天" not in page and 'name="error_type"' not in page
    for kind in ("timeout", "all", "kept"):
        assert client.post(PAGE, {"error_type": kind}).status_code == 403
    assert states_now()[SummaryState.PERMANENT_FAILURE] == 1
    assert not OrmQ.objects.exists() and not LogEntry.objects.exists()


def test_samples_are_a_few(db):
    for _ in range(failures.SAMPLES + 3):
        failed_for_good()
    assert len(failure_groups()[0].samples) == failures.SAMPLES


def test_the_ways_to_a_page_are_called_as_the_page(owner):
    make_paper(state=SummaryState.PERMANENT_FAILURE, status={"error_type": ErrorType.TIMEOUT})
    answer = owner.get("/admin/failures/")
    page = answer.content.decode()
    assert f">{answer.context['title']}</a>" in page, "the way to this page"
    assert "请求与输出</a>" in page, "the way to the page of a paper's attempts"
