"""The set-up page: settings shown, the trial run step by step, with and without JavaScript."""

import pytest
from playwright.sync_api import expect

from operations import trial
from operations.admin import setup as setup_page
from operations.trial import FREE_STEPS, StepOutcome
from tests.browser.looking import no_wider_than_screen


@pytest.fixture
def tried(monkeypatch) -> list[str]:
    """The names of the steps that were tried; arXiv's API alone fails."""
    names: list[str] = []

    def try_step(name: str) -> StepOutcome:
        names.append(name)
        return StepOutcome(name, name != "arxiv_api", 0.2, f"outcome of <{name}>")

    monkeypatch.setattr(setup_page, "try_step", try_step)
    return names


@pytest.mark.parametrize("javascript", [True, False], ids=["with", "without"])
@pytest.mark.parametrize("width", [390, 1440])
def test_an_operator_tries_all_steps_and_sees_how_each_ended(page_as, site, tried, javascript, width):
    page = page_as("operator", width=width, javascript=javascript)
    page.goto(f"{site}/admin/setup/")
    no_wider_than_screen(page)
    page.get_by_role("button", name="全部检查").click()
    expect(page.get_by_role("row").filter(has_text="outcome of <model>")).to_contain_text("正常")
    expect(page.get_by_role("row").filter(has_text="outcome of <arxiv_api>")).to_contain_text("失败")
    expect(page.get_by_role("row").filter(has_text="智能体真的回答")).to_contain_text("未试")
    assert tried == list(FREE_STEPS), "each once, in order; nothing that costs"
    no_wider_than_screen(page)


def test_asking_the_agent_is_a_button_of_its_own(page_as, site, tried):
    page = page_as("owner")
    page.goto(f"{site}/admin/setup/")
    page.get_by_role("button", name="问智能体一句话").click()
    expect(page.get_by_text("outcome of <agent_answers>")).to_be_visible()
    assert tried == ["agent_answers"]
    expect(page.get_by_role("button", name="全部检查")).to_be_enabled()


def test_a_step_without_an_answer_is_told_and_the_others_go_on(page_as, site, tried):
    page = page_as("operator")
    page.goto(f"{site}/admin/setup/")
    page.context.route("**/setup/try/", lambda route: route.abort() if not tried else route.continue_(), times=1)
    page.get_by_role("button", name="全部检查").click()
    expect(page.get_by_role("row").filter(has_text="数据目录可写")).to_contain_text("没有收到答复")
    expect(page.get_by_text("outcome of <model>")).to_be_visible()


def test_an_auditor_reads_the_settings_and_tries_nothing(page_as, site):
    page = page_as("auditor", dark=True)
    page.goto(f"{site}/admin/setup/")
    expect(page.get_by_role("row").filter(has_text="PAPERSITE_SUMMARY_WORKERS")).to_contain_text("默认值")
    assert page.get_by_role("button", name="全部检查").count() == 0


def test_an_editor_has_no_business_here(page_as, site):
    page = page_as("editor")
    assert page.goto(f"{site}/admin/setup/").status == 403


def test_the_real_steps_of_this_machine_are_told(page_as, site):
    page = page_as("operator")
    page.goto(f"{site}/admin/setup/")
    assert trial.STEPS
    page.route("**/setup/try/", lambda route: route.continue_())
    page.evaluate("document.querySelector('[data-trial]').dataset.trial = 'data_folder database'")
    page.get_by_role("button", name="全部检查").click()
    expect(page.get_by_role("row").filter(has_text="数据目录可写")).to_contain_text("可以写入")
    expect(page.get_by_role("row").filter(has_text="数据库可写")).to_contain_text("没有发现问题")
