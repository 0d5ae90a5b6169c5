"""Ticking papers on lists and reading them side by side."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.browser.looking import no_wider_than_screen, serious_faults, unlabelled_fields, unreadable_texts
from tests.factories import DAY, make_paper, make_summary


def papers_of_a_day(count: int = 6, day=DAY) -> list:
    papers = [make_paper(upvotes=50 - number, paper_date=day, title_en=f"Paper {number}") for number in range(count)]
    for number, paper in enumerate(papers):
        make_summary(paper, title_zh=f"论文 {number}")
    return papers


def tick(page: Page, number: int):
    return page.get_by_role("checkbox", name=f"论文 {number}")


@pytest.mark.parametrize("width", [390, 1440])
def test_ticked_papers_are_remembered_over_pages_and_compared(page_as, site, width):
    papers, others = papers_of_a_day(), papers_of_a_day(1, DAY.replace(day=4))
    page = page_as(None, width=width)
    page.goto(f"{site}/day/{DAY}/")
    bar = page.get_by_role("form", name="对比论文")
    expect(bar).to_be_hidden()
    tick(page, 1).check()
    expect(bar).to_be_in_viewport()
    expect(bar).to_contain_text("已选 1 篇")
    expect(bar.get_by_role("button", name="对比")).to_be_disabled()

    page.goto(f"{site}/day/{DAY.replace(day=4)}/")
    expect(bar).to_contain_text("已选 1 篇")
    tick(page, 0).check()
    expect(bar).to_contain_text("已选 2 篇")
    no_wider_than_screen(page)
    assert serious_faults(page) == []
    bar.get_by_role("button", name="对比").click()
    expect(page).to_have_url(f"{site}/compare/?ids={papers[1].arxiv_id},{others[0].arxiv_id}")
    expect(page.get_by_role("columnheader")).to_have_count(2)


def test_at_most_four_can_be_ticked_and_one_click_clears_them(page_as, site):
    papers_of_a_day()
    page = page_as(None)
    page.goto(f"{site}/day/{DAY}/")
    for number in range(4):
        tick(page, number).check()
    expect(tick(page, 4)).to_be_disabled()
    expect(tick(page, 4)).to_have_accessible_description("已选 4 篇，最多就是这么多")
    expect(tick(page, 0)).to_be_enabled()
    tick(page, 0).uncheck()
    expect(tick(page, 4)).to_be_enabled()
    page.get_by_role("button", name="清除").click()
    expect(page.get_by_role("form", name="对比论文")).to_be_hidden()
    expect(tick(page, 0)).to_be_focused()
    page.reload()
    expect(page.locator("input[name=ids]:checked")).to_have_count(0)


def test_the_bar_covers_nothing_that_has_the_focus(page_as, site):
    papers_of_a_day()
    page = page_as(None, width=390)
    page.goto(f"{site}/day/{DAY}/")
    tick(page, 0).check()
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate("""() => {
          const focused = document.activeElement, bar = document.getElementById("compare").getBoundingClientRect();
          const box = focused.getBoundingClientRect();
          return focused === document.body || !!focused.closest("#compare") || box.bottom <= bar.top + 1 || box.top >= bar.bottom - 1;
        }""")


def test_without_a_script_a_button_at_the_end_of_the_list_compares(page_as, site):
    papers = papers_of_a_day()
    page = page_as(None, width=390, javascript=False)
    page.goto(f"{site}/day/{DAY}/")
    tick(page, 2).check()
    tick(page, 0).check()
    page.get_by_role("form", name="对比论文").get_by_role("button", name="对比").click()
    expect(page).to_have_url(f"{site}/compare/?ids={papers[0].arxiv_id},{papers[2].arxiv_id}")


@pytest.mark.parametrize(
    ("width", "dark", "language"), [(390, True, "zh-hans"), (800, False, "en"), (1440, False, "en")]
)
def test_four_papers_in_every_state_fit_the_screen_and_can_be_read(page_as, site, width, dark, language):
    papers = papers_of_a_day(2)
    long = make_paper(title_en="Unbroken" * 30, authors=[f"Author {number}" for number in range(664)], tags=["t" * 200])
    rows = [{"dataset": "x" * 80, "score": number, "note": "没有空格" * 40} for number in range(60)]
    make_summary(long, title_zh="很长的题目" * 50, motivation_goal="", results_benchmarks_json=json.dumps(rows))
    ids = [papers[0].arxiv_id, long.arxiv_id, make_paper(arxiv_id="hep-th/9901001", title_en="نماذج اللغة").arxiv_id, "2699.00001", "x"]  # fmt: skip
    page = page_as(None, width=width, dark=dark, language=language)
    for asked in (ids, ids[:2], ids[:1], ["x"], []):
        page.goto(f"{site}/compare/?ids={','.join(asked)}")
        no_wider_than_screen(page)
        assert unreadable_texts(page) == [] and serious_faults(page) == [] and unlabelled_fields(page) == []


def test_the_heads_of_the_columns_stay_in_view(page_as, site):
    ids = ",".join(paper.arxiv_id for paper in papers_of_a_day(3))
    page = page_as(None)
    page.goto(f"{site}/compare/?ids={ids}")
    page.get_by_role("heading", name="论文信息").scroll_into_view_if_needed()
    page.evaluate("scrollBy(0, 200)")
    for head in page.get_by_role("columnheader").all():
        expect(head).to_be_in_viewport()


def test_a_comparison_is_changed_by_the_keyboard_alone(page_as, site):
    papers = papers_of_a_day(3)
    first, second, third = (paper.arxiv_id for paper in papers)
    page = page_as(None)
    page.goto(f"{site}/compare/?ids={first}")
    page.get_by_label("arXiv 编号，或标题里的词").focus()
    page.keyboard.type("Paper")
    page.keyboard.press("Enter")
    page.get_by_role("link", name="加入").first.focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader")).to_have_count(2)
    page.get_by_label("arXiv 编号，或标题里的词").fill(f"https://arxiv.org/abs/{third}v2")
    page.keyboard.press("Enter")
    expect(page.get_by_role("columnheader")).to_have_count(2 if third in page.url.split("=")[1].split(",")[:2] else 3)
    page.goto(f"{site}/compare/?ids={first},{second},{third}")
    page.get_by_role("link", name="把「论文 2」前移").press("Enter")
    expect(page).to_have_url(f"{site}/compare/?ids={first},{third},{second}")
    page.get_by_role("link", name="移除「论文 0」").press("Enter")
    expect(page).to_have_url(f"{site}/compare/?ids={third},{second}")
