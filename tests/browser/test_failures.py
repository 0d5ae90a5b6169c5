"""Permanent failures in a browser: understood, run again by operators, looked at by others."""

import datetime as dt
import json

import pytest
from django_q.models import OrmQ
from playwright.sync_api import Page, expect

from operations import states
from operations.addition import add_papers
from operations.summarize import summarize_waiting
from operations.tasks import request_summaries
from papers.models import ErrorType, Paper, SummaryState, SummaryStatus
from tests.browser.looking import no_wider_than_screen
from tests.browser.working import run_queue
from tests.factories import DAY, SUMMARY, make_paper, make_summary
from tests.work.conftest import agent  # noqa: F401  (a fixture)

ID = "2608.19880"
GOOD = f"import sys\nsys.stdin.read()\nprint({json.dumps(SUMMARY, ensure_ascii=False)!r})\n"
BAD = "import sys\nsys.stdin.read()\nsys.exit(3)\n"


def failed_for_good(error_type=ErrorType.TIMEOUT, error="the agent took too long", **columns) -> Paper:
    status = {"error_type": error_type, "error": error, "retry_count": 1}
    return make_paper(state=SummaryState.PERMANENT_FAILURE, status=status, **columns)


def pending() -> int:
    return SummaryStatus.objects.filter(status=SummaryState.PENDING).count()


def forged(page: Page, site: str, kind: str) -> int:
    """The status of a post that the page offers no button for."""
    token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "csrftoken")
    form = {"error_type": kind, "csrfmiddlewaretoken": token}
    return page.request.post(f"{site}/admin/failures/", form=form, headers={"Referer": site}).status


def test_an_operator_runs_one_kind_again(page_as, site):
    for _ in range(3):
        failed_for_good()
    failed_for_good(ErrorType.JSON_INVALID)
    page = page_as("operator")
    page.goto(f"{site}/admin/failures/")
    kind = page.get_by_role("region", name="超时")
    expect(kind).to_contain_text("已被终止")
    expect(kind).to_contain_text("PAPERSITE_AGENT_TIMEOUT")
    kind.get_by_role("button", name="这一类全部重新运行（3 篇）").click()
    expect(page.get_by_text("3 篇论文已重新排队")).to_be_visible()
    expect(page.get_by_text("没有后台任务在运行")).to_be_visible()
    expect(page.get_by_role("region", name="超时")).to_have_count(0)
    expect(page.get_by_role("region", name="JSON 无法解析")).to_be_visible()
    assert pending() == 3


def test_one_day_is_run_again_on_a_phone_without_javascript(page_as, site):
    failed_for_good(title_en="A title that is long enough to need more than one line of a phone " * 3)
    failed_for_good(paper_date=DAY - dt.timedelta(days=1), error="x" * 400)
    page = page_as("operator", width=390, dark=True, javascript=False)
    page.goto(f"{site}/admin/failures/")
    no_wider_than_screen(page)
    page.get_by_role("button", name="重新运行 2026-06-04 的超时").click()
    expect(page.get_by_text("1 篇论文已重新排队")).to_be_visible()
    assert SummaryStatus.objects.get(status=SummaryState.PENDING).paper.paper_date == DAY - dt.timedelta(days=1)


def test_from_a_sample_to_what_was_asked_and_answered(page_as, site):
    paper = failed_for_good()
    page = page_as("auditor")
    page.goto(f"{site}/admin/failures/")
    page.get_by_role("link", name="请求与输出").click()
    expect(page.get_by_text("the agent took too long").first).to_be_visible()
    page.goto(f"{site}/admin/failures/")
    page.get_by_role("link", name=paper.arxiv_id).click()
    expect(page).to_have_url(f"{site}/admin/papers/paper/{paper.pk}/change/")


def test_many_are_run_again_from_the_list_of_states(page_as, site):
    for _ in range(60):
        failed_for_good()
    page = page_as("operator")
    page.goto(f"{site}/admin/papers/summarystatus/?status__exact=permanent_failure")
    page.locator("#action-toggle").check()
    page.get_by_role("button", name="选中所有的 60 个 总结状态").click()
    page.get_by_label("动作").select_option(label="重新运行总结")
    page.get_by_role("button", name="执行").first.click()
    expect(page.get_by_text("60 篇论文已重新排队")).to_be_visible()
    assert pending() == 60


@pytest.mark.parametrize("role", ["editor", "auditor"])
def test_others_look_and_run_nothing(page_as, site, role):
    failed_for_good()
    make_summary(make_paper())
    SummaryStatus.objects.filter(status=SummaryState.DONE).update(error_type=ErrorType.TIMEOUT)
    page = page_as(role)
    page.goto(f"{site}/admin/failures/")
    expect(page.get_by_role("region", name="超时")).to_be_visible()
    expect(page.get_by_role("heading", name="旧总结仍在")).to_be_visible()
    expect(page.get_by_role("button", name="重新运行")).to_have_count(0)
    assert [forged(page, site, kind) for kind in ("timeout", "all", "kept")] == [403] * 3
    assert pending() == 0 and not OrmQ.objects.exists()


# ---------------------------------------------------------------- with an agent


@pytest.fixture
def summarised(site, replayed_sources, agent):  # noqa: F811
    """A paper whose good summary is there, and whose last re-run failed."""
    add_papers([ID])
    agent(GOOD)
    assert summarize_waiting().done == 1
    SummaryStatus.objects.update(error_type=ErrorType.TIMEOUT, error="too long")
    return Paper.objects.get()


def test_a_re_run_that_fails_leaves_the_good_summary_in_place(page_as, site, summarised, agent):  # noqa: F811
    page = page_as("operator")
    page.goto(f"{site}/admin/failures/")
    page.get_by_role("button", name="这些也重新运行（1 篇）").click()
    expect(page.get_by_text("1 篇论文已重新排队")).to_be_visible()
    agent(BAD)
    assert run_queue()
    states.retry_failed()  # ten minutes later
    request_summaries()
    assert run_queue()
    row = SummaryStatus.objects.get()
    assert (row.status, row.error_type) == (SummaryState.DONE, ErrorType.PROCESS_ERROR)
    page.reload()
    expect(page.get_by_role("region", name="旧总结仍在")).to_contain_text("进程出错")
    page.goto(f"{site}{summarised.get_absolute_url()}")
    expect(page.get_by_text(SUMMARY["one_line"]).first).to_be_visible()


def test_a_failure_that_is_run_again_becomes_a_summary(page_as, site, replayed_sources, agent):  # noqa: F811
    add_papers([ID])
    SummaryStatus.objects.update(status=SummaryState.PERMANENT_FAILURE, error_type=ErrorType.TIMEOUT, retry_count=1)
    agent(GOOD)
    page = page_as("operator")
    page.goto(f"{site}/admin/failures/")
    page.get_by_role("button", name="全部重新运行（1 篇）", exact=True).click()
    expect(page.get_by_text("没有永久失败的论文。")).to_be_visible()
    run_queue()
    page.goto(f"{site}/papers/{ID}/")
    expect(page.get_by_text(SUMMARY["one_line"]).first).to_be_visible()
