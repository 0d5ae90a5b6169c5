"""A paper's page as a reader meets it: on a desk and on a phone, by mouse and by keyboard, with and without a script."""

import json

import pytest
from playwright.sync_api import Page, expect

from papers.models import Paper, SummaryQuality, SummaryState, SummaryStatus
from tests.browser.looking import no_wider_than_screen, serious_faults, unreadable_texts
from tests.factories import make_paper, make_summary

ROWS = [{"dataset": f"基准 {number}", "score": {"ours": number * 1.5, "base": number}, "note": "说明" * 30} for number in range(40)]  # fmt: skip
LONG = {f"key_{number}": "很长的内容" * 8 for number in range(9)}


def crowded() -> Paper:
    """Return a paper with much of everything."""
    paper = make_paper(
        authors=[f"Author Number{number}" for number in range(664)],
        title_en="Unbroken" * 40 + " Title",
        tags=[f"tag-{number}" for number in range(40)],
        categories="cs.CL cs.AI xx.YY",
        version=3,
        organization="An Organization of a Rather Long Name " * 4,
        arxiv_comment="https://example.org/" + "x" * 200,
        code_url="https://github.com/a/b",
        code_stars=12345,
        project_url="https://example.org/",
        is_withdrawn=True,
        upvotes=5,
    )
    make_summary(
        paper, quality=SummaryQuality.LOW, title_zh="很长的题目" * 50, source_version=1, motivation_goal="",
        results_benchmarks_json=json.dumps(ROWS), method_overview="没有空格" * 300,
    )  # fmt: skip
    return paper


def states() -> dict[str, Paper]:
    """Return a paper in each state of its summary."""
    waiting = {state: make_paper(state=state, status={"error_type": error}) for state, error in (
        (SummaryState.PENDING, None), (SummaryState.PROCESSING, None),
        (SummaryState.FAILED, "timeout"), (SummaryState.PERMANENT_FAILURE, "json_invalid"),
    )}  # fmt: skip
    degraded, upright, arabic = (
        make_paper(),
        make_paper(),
        make_paper(title_en="دراسة حول نماذج اللغة", abstract="نص عربي"),
    )
    make_summary(degraded, quality=SummaryQuality.DEGRADED, results_main_json="[]", motivation_gap=None)
    make_summary(upright, results_benchmarks_json=json.dumps([LONG]))
    make_summary(arabic, one_line="هذه دراسة")
    return {**waiting, "crowded": crowded(), "degraded": degraded, "upright": upright, "arabic": arabic}


@pytest.mark.parametrize(("width", "dark", "language"), [(390, False, "zh-hans"), (1440, True, "en")])
def test_every_state_fits_the_screen_and_can_be_read(page_as, site, width, dark, language):
    papers = states()
    page = page_as(None, width=width, dark=dark, language=language)
    for name, paper in papers.items():
        page.goto(f"{site}{paper.get_absolute_url()}")
        no_wider_than_screen(page)
        assert unreadable_texts(page) == [], name
        assert serious_faults(page) == [], name


def test_the_contents_follow_the_reader_and_lead_to_each_section(page_as, site):
    paper = crowded()
    page = page_as(None)
    page.goto(f"{site}{paper.get_absolute_url()}")
    contents = page.get_by_role("navigation", name="本页内容")
    for link in contents.get_by_role("link").all():
        link.click()
        expect(page.locator(":target")).to_be_in_viewport()
    contents.get_by_role("link", name="方法").click()
    expect(contents.get_by_role("link", name="方法")).to_have_attribute("aria-current", "true")
    expect(contents).to_be_in_viewport()
    assert contents.locator("[aria-current]").count() == 1


def test_on_a_phone_contents_and_links_stay_within_reach(page_as, site):
    paper = crowded()
    page = page_as(None, width=390)
    page.goto(f"{site}{paper.get_absolute_url()}")
    page.get_by_role("navigation", name="本页内容").get_by_role("link", name="结果").click()
    heading = page.get_by_role("heading", name="结果", exact=True)
    expect(heading).to_be_in_viewport()
    assert heading.bounding_box()["y"] >= page.locator(".contents").bounding_box()["height"]
    bar = page.get_by_role("navigation", name="原文链接")
    expect(bar).to_be_in_viewport()
    for link in bar.get_by_role("link").all():
        assert link.bounding_box()["height"] >= 44
    expect(page.get_by_text("表格可以左右滑动")).to_be_visible()


def test_the_table_is_pushed_by_the_keyboard_and_its_names_stay(page_as, site):
    paper = crowded()
    page = page_as(None, width=390)
    page.goto(f"{site}{paper.get_absolute_url()}")
    table = page.get_by_role("region", name="基准结果")
    table.focus()
    table.evaluate("region => region.scrollLeft = 200")
    name = table.get_by_role("rowheader", name="基准 0")
    assert abs(name.bounding_box()["x"] - table.bounding_box()["x"]) < 2
    page.keyboard.press("End")
    expect(table).to_be_focused()


def test_all_authors_are_one_touch_away(page_as, site):
    paper = crowded()
    page = page_as(None, width=390, javascript=False)
    page.goto(f"{site}{paper.get_absolute_url()}")
    last = page.get_by_text("Author Number663")
    expect(last).to_be_hidden()
    page.get_by_text("全部 664 位作者").click()
    expect(last).to_be_visible()


def hurry(page: Page) -> None:
    """Let the page's clock be set forward instead of waiting for it."""
    page.clock.install()


def test_a_waiting_page_brings_its_summary_without_moving_what_is_read(page_as, site):
    paper = make_paper(state=SummaryState.PROCESSING, abstract="We read this abstract. " * 300)
    page = page_as(None)
    hurry(page)
    page.goto(f"{site}{paper.get_absolute_url()}")
    expect(page.get_by_text("完成后这一页会自己更新")).to_be_visible()
    expect(page.get_by_text("稍后刷新即可看到")).to_be_hidden()
    page.evaluate("scrollTo(0, 500)")
    abstract = page.locator("#abstract p").first
    before = abstract.bounding_box()["y"]

    make_summary(paper)
    page.clock.run_for(70_000)
    expect(page.locator("h1")).to_have_text("面向长上下文推理的稀疏注意力")
    expect(page.get_by_role("heading", name="动机")).to_be_attached()
    expect(page.get_by_text("AI 正在总结这篇论文")).to_have_count(0)
    expect(page.get_by_role("status").get_by_text("总结已更新")).to_be_attached()
    assert abs(abstract.bounding_box()["y"] - before) < 3
    assert page.title().startswith("面向长上下文推理的稀疏注意力")
    expect(page.get_by_role("navigation", name="本页内容").get_by_role("link", name="方法")).to_be_attached()


def test_a_waiting_page_follows_each_step_and_stops_when_nothing_more_will_come(page_as, site):
    paper = make_paper(state=SummaryState.PENDING)
    page = page_as(None, width=390)
    hurry(page)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if request.url.endswith("/progress/") else None)
    page.goto(f"{site}{paper.get_absolute_url()}")
    SummaryStatus.objects.filter(paper=paper).update(status=SummaryState.PROCESSING)
    page.clock.run_for(70_000)
    expect(page.get_by_text("AI 正在总结这篇论文")).to_be_visible()
    SummaryStatus.objects.filter(paper=paper).update(status=SummaryState.PERMANENT_FAILURE, error_type="timeout")
    page.clock.run_for(70_000)
    expect(page.get_by_text("总结没有成功")).to_be_visible()
    so_far = len(asked)
    page.clock.run_for(600_000)
    assert len(asked) == so_far


def test_without_a_script_a_waiting_page_says_to_reload(page_as, site):
    paper = make_paper(state=SummaryState.PROCESSING)
    page = page_as(None, javascript=False)
    page.goto(f"{site}{paper.get_absolute_url()}")
    expect(page.get_by_text("稍后刷新即可看到")).to_be_visible()
    expect(page.get_by_text("完成后这一页会自己更新")).to_be_hidden()


def test_a_reader_goes_from_paper_to_paper_by_the_keyboard(page_as, site):
    papers = [make_paper(upvotes=votes, title_en=f"Paper {votes}") for votes in (3, 2, 1)]
    page = page_as(None)
    page.goto(f"{site}{papers[0].get_absolute_url()}")
    for following in papers[1:]:
        page.get_by_role("link", name="下一篇").focus()
        page.keyboard.press("Enter")
        expect(page.get_by_role("heading", level=1)).to_have_text(following.title_en)
    expect(page.get_by_role("link", name="下一篇")).to_have_count(0)


def test_the_owners_marks_are_within_the_thumbs_reach(page_as, site):
    paper = crowded()
    page = page_as("owner", width=390)
    page.goto(f"{site}{paper.get_absolute_url()}")
    page.evaluate("scrollTo(0, 2000)")
    mark = page.get_by_role("button", name="收藏")
    expect(mark).to_be_in_viewport()
    assert mark.bounding_box()["y"] > 844 / 2
    no_wider_than_screen(page)
    assert serious_faults(page) == []


def test_in_print_the_summary_is_whole_and_nothing_else_is_there(page_as, site):
    paper = crowded()
    page = page_as(None)
    page.goto(f"{site}{paper.get_absolute_url()}")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="不足与改进")).to_be_visible()
    expect(page.get_by_text("基准 39")).to_be_visible()
    for gone in (".contents", ".dock", ".neighbours", ".paper__tools"):
        expect(page.locator(gone)).to_be_hidden()
    expect(page.get_by_text("https://arxiv.org/abs/")).to_be_visible()


def test_a_formula_is_copied_as_its_tex_with_the_text_round_it(page_as, site):
    paper = make_paper(abstract="The cost is $\\mathcal{O}(n \\log n)$ for $n$ tokens.\n\nIt was \\[x_t^2\\] before.")
    page = page_as(None)
    page.goto(f"{site}{paper.get_absolute_url()}")
    page.get_by_text("The cost is").evaluate(
        "start => getSelection().setBaseAndExtent(start, 0, start.nextElementSibling, start.nextElementSibling.childNodes.length)"
    )
    page.keyboard.press("Control+c")
    copied = page.evaluate_handle("document.createElement('textarea')")
    copied.evaluate("area => { document.querySelector('main').append(area); area.focus(); }")
    page.keyboard.press("Control+v")
    lines = copied.evaluate("area => area.value").split("\n")
    assert [line for line in lines if line] == [
        "The cost is $\\mathcal{O}(n \\log n)$ for $n$ tokens.",
        "It was",
        "$$x_t^2$$",
        "before.",
    ]


def test_what_has_no_formula_is_copied_as_ever(page_as, site):
    paper = make_paper(title_en="Sparse Attention", abstract="We study attention.")
    page = page_as(None)
    page.goto(f"{site}{paper.get_absolute_url()}")
    page.get_by_text("We study attention.").evaluate("part => getSelection().selectAllChildren(part)")
    assert page.evaluate(
        "document.dispatchEvent(new ClipboardEvent('copy', { cancelable: true, clipboardData: new DataTransfer() }))"
    )
