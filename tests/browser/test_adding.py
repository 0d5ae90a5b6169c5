"""Papers added by id, and metadata fetched again, in a browser; by operators alone."""

import pytest
from playwright.sync_api import expect

from operations.models import ArxivRequest
from papers.models import Paper
from tests.browser.looking import no_wider_than_screen
from tests.browser.working import run_queue
from tests.factories import DAY, make_paper


@pytest.fixture(autouse=True)
def _sources(site, replayed_sources):
    """The recorded sources."""


@pytest.mark.parametrize("width", [1440, 390])
def test_an_operator_adds_papers_and_sees_what_became_of_each(page_as, site, width):
    page = page_as("operator", width=width)
    page.goto(f"{site}/admin/add-papers/")
    page.get_by_label("arXiv 编号或网址").fill("https://arxiv.org/abs/hep-th/9901001v1\n9912.99999 nonsense")
    page.get_by_role("button", name="添加", exact=True).click()
    expect(page.get_by_text("已安排向 arXiv 查询 2 篇论文")).to_be_visible()
    expect(page.get_by_text("1 个不是 arXiv 编号：nonsense")).to_be_visible()
    no_wider_than_screen(page)
    run_queue()
    # The page follows by itself.
    expect(page.get_by_role("row").filter(has_text="9912.99999")).to_contain_text("arXiv 没有这篇论文")
    expect(page.get_by_role("row").filter(has_text="hep-th/9901001")).to_contain_text("已添加")
    no_wider_than_screen(page)
    page.get_by_role("link", name="hep-th/9901001").click()
    expect(page).to_have_url(f"{site}/papers/hep-th/9901001/")
    assert Paper.objects.get().arxiv_id == "hep-th/9901001"


def test_metadata_of_chosen_papers_is_fetched_again_without_javascript(page_as, site):
    make_paper(arxiv_id="2608.19880", paper_date=DAY, version=None)
    page = page_as("operator", javascript=False)
    page.goto(f"{site}/admin/papers/paper/")
    page.locator("input.action-select").check()
    page.get_by_label("动作").select_option("refresh_metadata")
    page.get_by_role("button", name="执行").click()
    page.get_by_role("link", name="查看进度").click()
    expect(page.get_by_role("row").filter(has_text="2608.19880")).to_contain_text("等待中")
    run_queue()
    page.reload()
    expect(page.get_by_role("row").filter(has_text="2608.19880")).to_contain_text("已更新")
    assert Paper.objects.get().version


def test_an_auditor_reads_and_has_no_form(page_as, site):
    ArxivRequest.objects.create(arxiv_id="2608.19880", kind="add", requested_at="2026-06-05T00:00Z")
    page = page_as("auditor")
    page.goto(f"{site}/admin/add-papers/")
    expect(page.get_by_role("row").filter(has_text="2608.19880")).to_be_visible()
    expect(page.get_by_role("button", name="添加", exact=True)).to_have_count(0)


def test_an_editor_does_not_come_here(page_as, site):
    answer = page_as("editor").goto(f"{site}/admin/add-papers/")
    assert answer and answer.status == 403
