"""The switch that holds all work, for each role."""

import pytest
from playwright.sync_api import expect

from operations import maintenance
from operations.models import QueuePause
from operations.pauses import Cause, pause
from papers.models import SummaryState
from tests.browser.looking import no_wider_than_screen
from tests.factories import make_paper


@pytest.mark.parametrize(
    ("width", "dark", "javascript"), [(390, True, True), (1440, False, False)], ids=["phone", "desk"]
)
def test_an_operator_holds_all_work_and_lets_it_go_on(page_as, site, width, dark, javascript):
    make_paper(state=SummaryState.PROCESSING, status={"owner": "x"})
    page = page_as("operator", width=width, dark=dark, javascript=javascript)
    page.goto(f"{site}/admin/maintenance/")
    page.get_by_label("原因").fill("更换硬盘")
    page.get_by_role("button", name="开始维护").click()
    expect(page.get_by_role("heading", name="维护正在进行")).to_be_visible()
    expect(page.get_by_text("operator 于")).to_contain_text("更换硬盘")
    no_wider_than_screen(page)
    page.goto(f"{site}/admin/papers/paper/")
    expect(page.get_by_text("维护中")).to_be_visible()
    page.locator("#content-start").get_by_role("link", name="维护与暂停").click()
    page.get_by_role("button", name="结束维护").click()
    expect(page.get_by_role("heading", name="没有在维护")).to_be_visible()
    assert maintenance.current() is None


def test_a_pause_is_ended_at_once(page_as, site):
    pause(Cause.ARXIV, "HTTP 503 " * 40)
    page = page_as("owner", width=390)
    page.goto(f"{site}/admin/maintenance/")
    no_wider_than_screen(page)
    page.get_by_role("button", name="现在就再试").click()
    expect(page.get_by_text("暂停已结束")).to_be_visible()
    assert not QueuePause.objects.exists()


def test_an_auditor_sees_the_switch_and_cannot_move_it(page_as, site):
    maintenance.switch_on("更换硬盘", by="ada")
    pause(Cause.MODEL, "unreachable")
    page = page_as("auditor")
    page.goto(f"{site}/admin/maintenance/")
    expect(page.get_by_text("ada 于")).to_be_visible()
    assert page.get_by_role("main").get_by_role("button").count() == 0


def test_an_editor_sees_that_work_is_held_and_no_more(page_as, site):
    maintenance.switch_on("更换硬盘", by="ada")
    page = page_as("editor")
    assert page.goto(f"{site}/admin/maintenance/").status == 403
    page.goto(f"{site}/admin/")
    expect(page.get_by_text("维护中")).to_be_visible()
    assert page.get_by_role("link", name="维护与暂停").count() == 0
