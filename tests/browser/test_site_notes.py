"""The owner's note on a bad connection: answers that fail, are slow, are lost or are somebody else's. No text is lost."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from papers.models import UserNote
from papers.personal.verbs import LONGEST_NOTE, save_note
from tests.factories import make_paper, make_summary

PAPER = "2606.50001"
SAVES, PREVIEWS = "**/note/", "**/preview/"
SAVED = re.compile(r"^已保存 \d\d:\d\d$")
HTML = {"body": "<html><h1>502 Bad Gateway</h1></html>", "content_type": "text/html"}


@pytest.fixture
def open_paper(page_as, site) -> Callable[..., Page]:
    """Open the paper as the owner; answers of these statuses are meant."""
    make_summary(make_paper(arxiv_id=PAPER, title_en="Sparse Attention"))

    def open_page(*refusals: int) -> Page:
        page = page_as("owner", refusals=set(refusals))
        page.on("dialog", lambda dialog: dialog.accept())
        page.goto(f"{site}/papers/{PAPER}/")
        return page

    return open_page


def field(page: Page):
    return page.get_by_label("笔记，Markdown")


def state(page: Page):
    return page.locator("[data-note-state]")


def preview(page: Page):
    return page.locator("[data-note-html]")


def drafts(page: Page) -> list[str]:
    return page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('papersite-note:'))")


def lose_answer(route: Route) -> None:
    """Let the server do what it is asked, and lose what it answers."""
    route.fetch()
    route.abort()


def stored() -> str:
    return UserNote.objects.get().content


class TestSaving:
    @pytest.mark.parametrize(
        "answer", [{"status": 502, **HTML}, {"status": 200, **HTML}, {"status": 200, "body": "null"}]
    )
    def test_a_page_of_a_proxy_is_no_answer(self, open_paper, answer):
        page = open_paper(502)
        page.route(SAVES, lambda route: route.fulfill(**answer))
        field(page).fill("dear to me")
        expect(state(page)).to_contain_text("服务器没有保存，已存在本机")
        assert "dear to me" in page.evaluate("JSON.stringify(localStorage)")
        page.unroute(SAVES)
        expect(state(page)).to_have_text(SAVED)
        assert stored() == "dear to me" and drafts(page) == []

    def test_a_slow_answer_is_waited_for_and_the_newer_text_wins(self, open_paper):
        page = open_paper()
        held: list[Route] = []
        page.route(SAVES, lambda route: held.append(route), times=1)
        asked = []
        page.on("request", lambda request: asked.append(request) if request.url.endswith("/note/") else None)
        field(page).fill("first")
        expect(state(page)).to_have_text("正在保存…")
        field(page).fill("second")
        page.wait_for_timeout(2_500)
        assert len(asked) == 1  # the second does not overtake it
        with page.expect_response(lambda answer: "second" in (answer.request.post_data or "")):
            held[0].continue_()
        expect(state(page)).to_have_text(SAVED)
        assert field(page).input_value() == stored() == "second" and drafts(page) == []

    def test_what_was_stored_without_an_answer_is_no_conflict(self, open_paper):
        page = open_paper(409)
        page.route(SAVES, lose_answer, times=1)
        field(page).fill("an idea")
        expect(state(page)).to_contain_text("没有连接")
        field(page).press_sequentially(" and more")
        expect(state(page)).to_have_text(SAVED)
        expect(page.locator("[data-note-conflict]")).to_be_hidden()
        assert stored() == "an idea and more" and drafts(page) == []

    def test_what_was_stored_without_an_answer_and_taken_back_does_not_stay(self, open_paper):
        save_note(PAPER, "as it was")
        page = open_paper(409)
        page.route(SAVES, lose_answer, times=1)
        field(page).fill("a slip")
        expect(state(page)).to_contain_text("没有连接")
        assert stored() == "a slip"
        field(page).fill("as it was")
        expect(state(page)).to_have_text(SAVED)
        assert stored() == "as it was" and drafts(page) == []

    def test_one_that_is_too_long_is_told_by_how_much_and_kept(self, open_paper):
        page = open_paper()
        asked = []
        page.on("request", lambda request: asked.append(request.url) if request.method == "POST" else None)
        long = "字" * LONGEST_NOTE + "😀"
        field(page).fill(long)
        expect(state(page)).to_contain_text(f"最多可以写 {LONGEST_NOTE} 个字符，现在有 {LONGEST_NOTE + 1} 个")
        assert not asked and not UserNote.objects.exists()
        page.reload()
        expect(field(page)).to_have_value(long)
        field(page).fill("字" * LONGEST_NOTE)
        expect(state(page)).to_have_text(SAVED)
        assert len(stored()) == LONGEST_NOTE and drafts(page) == []


class TestLeaving:
    def test_a_page_closed_while_it_saves_loses_nothing(self, open_paper, site):
        page = open_paper()
        page.route(SAVES, lambda _route: None)  # never answered
        field(page).fill("written at the last moment")
        expect(state(page)).to_have_text("正在保存…")
        again = page.context.new_page()
        page.close(run_before_unload=False)
        again.goto(f"{site}/papers/{PAPER}/")
        expect(field(again)).to_have_value("written at the last moment")
        expect(state(again)).to_contain_text("已保存")
        assert stored() == "written at the last moment" and drafts(again) == []

    def test_what_was_written_after_a_lost_answer_is_put_back_without_a_question(self, open_paper, site):
        page = open_paper(409)
        page.route(SAVES, lose_answer, times=1)
        field(page).fill("an idea")
        expect(state(page)).to_contain_text("没有连接")
        page.route(SAVES, lambda route: route.abort())
        field(page).fill("an idea and more")
        again = page.context.new_page()
        page.close(run_before_unload=False)
        again.goto(f"{site}/papers/{PAPER}/")
        expect(field(again)).to_have_value("an idea and more")
        expect(again.locator("[data-note-conflict]")).to_be_hidden()
        expect(state(again)).to_have_text(SAVED)
        assert stored() == "an idea and more" and drafts(again) == []

    def test_drafts_of_several_pages_are_all_put_before_the_reader(self, open_paper, site):
        page = open_paper()
        other = page.context.new_page()
        other.goto(f"{site}/papers/{PAPER}/")
        page.context.set_offline(True)
        for tab, text in ((page, "from one"), (other, "from the other")):
            field(tab).fill(text)
            expect(state(tab)).to_contain_text("没有连接")
        again = page.context.new_page()
        page.close(run_before_unload=False)
        other.close(run_before_unload=False)
        again.context.set_offline(False)
        again.goto(f"{site}/papers/{PAPER}/")
        expect(field(again)).to_have_value("from the other")
        expect(again.get_by_label("另一份笔记")).to_have_text("from one")
        again.get_by_role("button", name="两份接在一起").click()
        expect(state(again)).to_have_text(SAVED)
        assert stored() == "from the other\n\n---\n\nfrom one" and drafts(again) == []


class TestPreview:
    def test_shows_what_is_written_though_it_could_not_be_saved(self, open_paper):
        page = open_paper(500)
        page.route(SAVES, lambda route: route.fulfill(status=500, **HTML))
        page.get_by_text("预览", exact=True).click()
        field(page).fill("*one*")
        expect(preview(page).locator("em")).to_have_text("one")
        expect(state(page)).to_contain_text("服务器没有保存")
        field(page).fill("*two*")
        expect(preview(page).locator("em")).to_have_text("two")

    def test_never_shows_an_older_answer_after_a_newer_one(self, open_paper):
        page = open_paper()
        page.get_by_text("预览", exact=True).click()
        held: list[Route] = []
        page.route(PREVIEWS, lambda route: held.append(route), times=1)
        with page.expect_request(PREVIEWS):
            field(page).fill("older")
        field(page).fill("newer")
        expect(preview(page)).to_have_text("newer")
        with page.expect_response(PREVIEWS):
            held[0].continue_()
        page.wait_for_timeout(200)
        expect(preview(page)).to_have_text("newer")

    @pytest.mark.parametrize("answer", [{"status": 502, **HTML}, {"status": 200, **HTML}])
    def test_says_so_when_there_is_none(self, open_paper, answer):
        page = open_paper(502)
        page.route(PREVIEWS, lambda route: route.fulfill(**answer))
        page.get_by_text("预览", exact=True).click()
        expect(preview(page)).to_have_text("现在无法预览。")
