"""Backups in a browser: asked for by an operator, looked at by an auditor, out of an editor's reach."""

import pytest
from playwright.sync_api import expect

from operations.backup.kept import backups
from tests.browser.looking import no_wider_than_screen
from tests.browser.working import run_queue
from tests.factories import make_paper


def test_an_operator_makes_a_backup_and_sees_it_arrive(page_as, site):
    make_paper()
    page = page_as("operator")
    page.goto(f"{site}/admin/")
    page.get_by_role("link", name="备份").first.click()
    expect(page.get_by_text("还没有备份过。")).to_be_visible()
    page.get_by_role("button", name="立即备份").click()
    expect(page.get_by_text("备份在等待后台任务")).to_be_visible()
    run_queue()
    (made,) = backups()
    expect(page.get_by_role("rowheader", name=made.name)).to_be_visible()  # without a reload
    expect(page.get_by_text("备份在等待后台任务")).to_have_count(0)
    page.reload()
    expect(page.locator("pre")).to_contain_text(f"manage.py restore {made.path}")


def test_without_javascript_it_works_too(page_as, site):
    make_paper()
    page = page_as("operator", javascript=False)
    page.goto(f"{site}/admin/backups/")
    page.get_by_role("button", name="立即备份").click()
    expect(page.get_by_text("备份在等待后台任务")).to_be_visible()
    run_queue()
    page.goto(f"{site}/admin/backups/")
    expect(page.get_by_role("rowheader", name=backups()[0].name)).to_be_visible()


def test_an_auditor_looks_and_cannot_ask(page_as, site):
    page = page_as("auditor")
    page.goto(f"{site}/admin/backups/")
    expect(page.get_by_role("heading", name="恢复备份")).to_be_visible()
    expect(page.get_by_role("button", name="立即备份")).to_have_count(0)


def test_an_editor_is_refused(page_as, site):
    page = page_as("editor")
    answer = page.goto(f"{site}/admin/backups/")
    assert answer is not None and answer.status == 403


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_it_can_be_used_on_a_phone(page_as, site, dark):
    make_paper()
    page = page_as("operator", width=390, dark=dark)
    page.goto(f"{site}/admin/backups/")
    page.get_by_role("button", name="立即备份").tap()
    expect(page.get_by_text("备份在等待后台任务")).to_be_visible()
    run_queue()
    page.goto(f"{site}/admin/backups/")
    expect(page.get_by_role("rowheader", name=backups()[0].name)).to_be_visible()
    no_wider_than_screen(page)
