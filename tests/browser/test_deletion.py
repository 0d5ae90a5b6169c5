"""Deletion of a range of days in a browser: counted, confirmed, watched, stopped, gone on with; by those who may alone."""

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from operations.deletion import batches
from operations.deletion.jobs import start_job
from operations.deletion.run import run_job
from operations.models import DataDeleteJob
from papers.models import Paper, UserNote
from tests.browser.looking import no_wider_than_screen, unlabelled_fields
from tests.browser.working import run_queue
from tests.factories import DAY, make_paper

RANGE = f"{DAY} {DAY}"


def count(page: Page, site: str, choice: str = "一起删除，包括笔记和收藏") -> None:
    page.goto(f"{site}/admin/deletion/")
    page.get_by_label("第一天").fill(str(DAY))
    page.get_by_label("最后一天").fill(str(DAY))
    page.get_by_label(choice).check()
    page.get_by_role("button", name="清点").click()


def confirm(page: Page, typed: str = RANGE) -> None:
    page.get_by_label("日期范围").fill(typed)
    page.get_by_role("button", name="删除这些论文").click()


@pytest.mark.parametrize("role", ["owner", "operator"])
def test_a_range_is_counted_confirmed_by_typing_and_deleted_while_one_watches(page_as, site, role):
    for _ in range(3):
        make_paper()
    page = page_as(role)
    count(page, site)
    expect(page.get_by_role("listitem").filter(has_text="篇论文将被删除")).to_contain_text("3")
    confirm(page, "2026-06-05")
    expect(page.get_by_role("alert")).to_contain_text("什么都没有删除")
    assert Paper.objects.count() == 3
    confirm(page)
    job = DataDeleteJob.objects.get()
    expect(page).to_have_url(f"{site}/admin/deletion/{job.pk}/")
    expect(page.get_by_role("status").filter(has_text="等待后台任务")).to_be_visible()
    run_queue()
    # The page follows by itself.
    expect(page.get_by_role("status").filter(has_text="成功")).to_be_visible()
    expect(page.get_by_text("3 / 3 篇")).to_be_visible()
    assert not Paper.objects.exists()
    page.get_by_role("link", name="日志", exact=True).first.click()
    expect(page.get_by_text("3 deleted, 0 kept")).to_be_visible()


def test_the_end_is_shown_to_whoever_stood_on_a_button_when_it_came(page_as, site):
    make_paper()
    job = start_job(DAY, DAY, include_notes=True, by="alice")
    page = page_as("operator")
    page.goto(f"{site}/admin/deletion/{job.pk}/")
    button = page.get_by_role("button", name="停止")
    button.focus()
    run_job(job.pk)
    with page.expect_response("**/progress/") as answer:
        pass
    assert answer.value.headers["refresh-ended"] == "yes"
    expect(button).to_be_focused()
    button.blur()
    expect(page.get_by_role("status").filter(has_text="成功")).to_be_visible()


def test_papers_with_notes_are_kept_where_that_is_chosen(page_as, site):
    noted, now = make_paper(), timezone.now()
    UserNote.objects.create(paper=noted, content="mine", created_at=now, updated_at=now)
    make_paper()
    page = page_as("operator")
    count(page, site, "保留这些论文")
    expect(page.get_by_role("listitem").filter(has_text="篇论文保留")).to_contain_text("1")
    confirm(page)
    run_queue()
    expect(page.get_by_role("listitem").filter(has_text="篇因笔记或收藏保留")).to_contain_text("1")
    assert Paper.objects.get() == noted


def test_a_job_is_stopped_on_a_phone_and_gone_on_with(page_as, site, monkeypatch):
    monkeypatch.setattr(batches, "BATCH", 2)
    for _ in range(3):
        make_paper()
    job = start_job(DAY, DAY, include_notes=True, by="alice")
    page = page_as("operator", width=390, dark=True)
    page.goto(f"{site}/admin/deletion/{job.pk}/")
    no_wider_than_screen(page)
    page.get_by_role("button", name="停止").click()
    expect(page.get_by_role("status").filter(has_text="已停止")).to_contain_text("停在第 0 篇，共 3 篇。按要求停止。")
    page.get_by_role("button", name="继续删除剩下的").click()
    no_wider_than_screen(page)
    assert unlabelled_fields(page) == []
    confirm(page)
    run_queue()
    expect(page.get_by_role("status").filter(has_text="成功")).to_be_visible()
    page.goto(f"{site}/admin/deletion/")
    no_wider_than_screen(page)
    expect(page.get_by_role("row").filter(has_text="alice")).to_contain_text("已停止")
    assert not Paper.objects.exists()


def test_all_of_it_works_without_javascript(page_as, site):
    make_paper()
    make_paper()
    page = page_as("operator", javascript=False)
    count(page, site)
    confirm(page)
    run_queue()
    page.reload()
    expect(page.get_by_text("2 / 2 篇")).to_be_visible()


def test_an_auditor_watches_and_has_no_button(page_as, site):
    make_paper()
    job = start_job(DAY, DAY, include_notes=True, by="alice")
    page = page_as("auditor")
    page.goto(f"{site}/admin/deletion/")
    expect(page.get_by_role("button", name="清点")).to_have_count(0)
    page.get_by_role("link", name=f"#{job.pk}").click()
    expect(page.get_by_text("0 / 1 篇")).to_be_visible()
    expect(page.get_by_role("button", name="停止")).to_have_count(0)


def test_an_editor_is_refused(page_as, site):
    page = page_as("editor")
    assert page.goto(f"{site}/admin/deletion/").status == 403
