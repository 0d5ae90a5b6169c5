"""Papers and their summaries, corrected and looked into by people of each role."""

import json

import pytest
from playwright.sync_api import Page, expect

from operations.files import SUMMARY_NAME, paper_folder
from papers.models import ErrorType, Paper, PaperSummary, SummaryState, SummaryStatus
from papers.search.results import search
from tests.browser.looking import no_wider_than_screen, unlabelled_fields
from tests.factories import SUMMARY, make_paper, make_summary

HOSTILE = "</pre></textarea><script>alert(1)</script><img src=x onerror=alert(1)>"


@pytest.fixture
def paper(site) -> Paper:
    paper = make_paper(arxiv_id="2606.00001", tags=["agents"], title_en="Sparse Attention")
    make_summary(paper)
    return paper


def keep(paper: Paper, text: str, *names: str) -> None:
    folder = paper_folder(paper.arxiv_id)
    folder.mkdir(parents=True, exist_ok=True)
    for name in names:
        (folder / name).write_text(text, "utf-8")


def open_paper(page: Page, site: str, paper: Paper) -> None:
    """Find the paper in its list and open it, as a person does."""
    page.goto(f"{site}/admin/papers/paper/")
    page.locator("#searchbar").fill(paper.arxiv_id)
    page.get_by_role("button", name="搜索").click()
    page.get_by_role("link", name=paper.arxiv_id).first.click()


def save(page: Page) -> None:
    page.get_by_role("button", name="保存", exact=True).click()


@pytest.mark.parametrize("javascript", [True, False], ids=["with scripts", "without scripts"])
def test_an_editor_corrects_titles_and_tags(page_as, site, paper, javascript):
    page = page_as("editor", javascript=javascript)
    open_paper(page, site, paper)
    page.get_by_label("英文标题").fill("The Walrus")
    page.get_by_label("中文标题").fill("海象注意力")
    page.locator("#id_tags-1-tag").fill("海象")
    page.locator("#id_tags-2-DELETE").check()
    save(page)
    expect(page.locator(".messagelist .success")).to_be_visible()
    page.goto(f"{site}/papers/{paper.arxiv_id}/")
    expect(page.get_by_role("heading", level=1)).to_have_text("海象注意力")
    tags = page.locator("#tags")
    expect(tags).to_contain_text("海象")
    expect(tags).not_to_contain_text("长上下文")
    assert search("walrus").hits and not search("稀疏注意力 长上下文").hits
    stored = json.loads((paper_folder(paper.arxiv_id) / SUMMARY_NAME).read_text("utf-8"))
    assert (stored["title_zh"], stored["tags"]) == ("海象注意力", ["海象"])


def test_what_no_summary_may_hold_is_said_beside_its_field(page_as, site, paper):
    page = page_as("editor", width=390)
    open_paper(page, site, paper)
    page.get_by_label("中文标题").fill("翻译失败")
    save(page)
    expect(page.locator(".field-title_zh .errorlist")).to_contain_text("失败提示")
    expect(page.get_by_label("中文标题")).to_have_value("翻译失败")
    no_wider_than_screen(page)


def test_an_editor_rewrites_a_part_of_a_summary(page_as, site, paper):
    page = page_as("editor")
    open_paper(page, site, paper)
    page.get_by_role("link", name="总结", exact=True).last.click()
    page.get_by_label("问题").fill("海象在长文里迷路，普通的注意力找不到它们。")
    save(page)
    expect(page.locator(".messagelist")).to_contain_text("总结质量：正常")
    page.goto(f"{site}/admin/papers/papersummary/{paper.pk}/change/")
    expect(page.locator(".field-edited")).to_contain_text("由 editor 于")
    page.get_by_role("link", name="历史").click()
    expect(page.locator("#change-history")).to_contain_text("问题")
    page.goto(f"{site}/search/?q=海象在长文里迷路")
    expect(page.locator("main")).to_contain_text(SUMMARY["title_zh"])


def test_an_editor_edits_the_whole_as_json(page_as, site, paper):
    page = page_as("editor")
    page.goto(f"{site}/admin/papers/papersummary/{paper.pk}/change/")
    page.get_by_role("link", name="作为 JSON 编辑").click()
    box = page.get_by_label("JSON")
    box.fill("{")
    save(page)
    expect(page.locator(".errorlist")).to_contain_text("第 1 行")
    box.fill(json.dumps({**SUMMARY, "difficulty": "专家", "confidence": "高"}, ensure_ascii=False))
    save(page)
    expect(page.locator(".messagelist .success")).to_be_visible()
    assert PaperSummary.objects.get().difficulty == "专家"
    assert json.loads(PaperSummary.objects.get().full_json)["confidence"] == "高"


def test_of_two_editors_the_second_keeps_what_was_typed(page_as, site, paper):
    first, second = page_as("owner"), page_as("editor", width=390)
    address = f"{site}/admin/papers/papersummary/{paper.pk}/change/"
    second.goto(address)
    second.get_by_label("目标").fill("第二个人写下的目标。")
    first.goto(address)
    first.get_by_label("难度").fill("专家")
    save(first)
    expect(first.locator(".messagelist .success")).to_be_visible()
    save(second)
    expect(second.locator(".errorlist").first).to_contain_text("已被改动（owner")
    expect(second.get_by_label("目标")).to_have_value("第二个人写下的目标。")
    no_wider_than_screen(second)
    assert PaperSummary.objects.get().motivation_goal == SUMMARY["motivation"]["goal"]


@pytest.mark.parametrize("role", ["operator", "auditor"])
def test_others_read_papers_and_summaries_and_have_nothing_to_save(page_as, site, paper, role):
    page = page_as(role)
    for address in (f"paper/{paper.pk}", f"papersummary/{paper.pk}"):
        page.goto(f"{site}/admin/papers/{address}/change/")
        expect(page.locator("#content")).to_contain_text(SUMMARY["motivation"]["problem"])
        expect(page.get_by_role("button", name="保存")).to_have_count(0)
        expect(page.locator("#content form").locator("input:visible, textarea:visible")).to_have_count(0)


def test_an_operator_looks_into_a_failure_and_runs_it_again(page_as, site):
    status = {"error_type": ErrorType.JSON_INVALID, "error": "cut in the middle", "retry_count": 1}
    paper = make_paper(state=SummaryState.PERMANENT_FAILURE, status=status)
    keep(paper, "THE REQUEST", "prompt.txt")
    keep(paper, '{"title_zh": "half', "raw_output.txt")
    page = page_as("operator")
    open_paper(page, site, paper)
    page.get_by_role("link", name="请求与输出").click()
    for text in ("THE REQUEST", '{"title_zh": "half', "cut in the middle", "JSON 无法解析"):
        expect(page.locator("#content")).to_contain_text(text)
    page.get_by_role("button", name="重新运行总结").click()
    expect(page.locator(".messagelist .success")).to_contain_text("重新排队")
    assert SummaryStatus.objects.get().status == SummaryState.PENDING


@pytest.mark.parametrize("role", ["editor", "auditor"])
def test_others_look_into_it_without_a_button(page_as, site, paper, role):
    page = page_as(role)
    page.goto(f"{site}/admin/papers/paper/{paper.pk}/attempt/")
    expect(page.locator("#content")).to_contain_text("没有 prompt.txt")
    expect(page.get_by_role("button", name="重新运行总结")).to_have_count(0)


@pytest.mark.parametrize(("width", "dark"), [(1440, False), (390, True)], ids=["desk", "phone in the dark"])
def test_hostile_text_stays_text(page_as, site, width, dark):
    paper = make_paper(title_en=HOSTILE, tags=[HOSTILE])
    make_summary(paper, title_zh=HOSTILE, one_line=HOSTILE, full_json=json.dumps({**SUMMARY, "difficulty": HOSTILE}))
    SummaryStatus.objects.update(error_type=ErrorType.UNKNOWN, error=HOSTILE)
    keep(paper, HOSTILE, "prompt.txt", "raw_output.txt", "prompt.failed.txt", "raw_output.failed.txt")
    page = page_as("editor", width=width, dark=dark)
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    here = f"{site}/admin/papers"
    for address in (
        *(f"{here}/paper/", f"{here}/paper/{paper.pk}/change/", f"{here}/paper/{paper.pk}/attempt/"),
        *(f"{here}/papersummary/", f"{here}/papersummary/{paper.pk}/change/"),
        f"{here}/papersummary/{paper.pk}/change/?as=json",
    ):
        page.goto(address)
        assert page.locator("img[src=x]").count() == 0
        no_wider_than_screen(page)
        assert unlabelled_fields(page) == []
    page.goto(f"{here}/paper/{paper.pk}/attempt/")
    expect(page.locator("pre").first).to_contain_text("<script>alert(1)</script>")
    assert dialogs == []


def test_the_owner_alone_filters_by_notes(page_as, site, paper):
    page = page_as("owner")
    page.goto(f"{site}/admin/papers/paper/")
    expect(page.locator("#changelist-filter")).to_contain_text("笔记")
    other = page_as("operator")
    other.goto(f"{site}/admin/papers/paper/")
    expect(other.locator("#changelist-filter")).not_to_contain_text("笔记")


def test_a_long_title_in_the_list_of_states_covers_no_other_column(page_as, site):
    make_paper(title_en="A Long Title About Agents That Nobody Can Read in One Line of a List " * 2)
    page = page_as("auditor")
    page.goto(f"{site}/admin/papers/summarystatus/")
    title = page.locator("#result_list tbody th a").bounding_box()
    state = page.locator("#result_list tbody .field-status").bounding_box()
    assert title and state
    assert title["x"] + title["width"] <= state["x"]
