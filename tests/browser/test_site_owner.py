"""The owner's part of the readers' pages, used by mouse and by keyboard, on a phone and on a desk; and others, who see none of it."""

import os
import re
from pathlib import Path

import pytest
from django.contrib.sessions.models import Session
from playwright.sync_api import Page, expect

from papers.models import UserBookmark, UserNote, UserReadingStatus
from papers.personal.verbs import save_note, set_bookmark
from tests.browser.looking import no_wider_than_screen, serious_faults, unlabelled_fields, unreadable_texts
from tests.factories import DAY, make_paper, make_summary
from tests.roles import PASSWORD, make_user

SCREENSHOTS = os.environ.get("SCREENSHOTS")
PAPER = "2606.50001"
LOOKS = [(390, False), (390, True), (1440, False), (1440, True)]


@pytest.fixture
def papers(transactional_db) -> None:
    """A day of three papers, the first with a summary."""
    make_summary(make_paper(arxiv_id=PAPER, title_en="Sparse Attention", upvotes=30))
    make_paper(arxiv_id="2606.50002", title_en="Second Paper", upvotes=20)
    make_paper(arxiv_id="hep-th/9901001", title_en="Third Paper", upvotes=10)


def look_at(page: Page, name: str) -> None:
    """Find nothing wrong with how the page looks."""
    if SCREENSHOTS:
        page.screenshot(path=Path(SCREENSHOTS) / f"owner-{name}.png", full_page=True)
    no_wider_than_screen(page)
    assert not serious_faults(page) and not unlabelled_fields(page) and not unreadable_texts(page)


def drafts(page: Page) -> list[str]:
    return page.evaluate("Object.keys(localStorage).filter(key => key.startsWith('papersite-note:'))")


def note_field(page: Page):
    return page.get_by_label("笔记，Markdown")


def state(page: Page):
    return page.locator("[data-note-state]")


def test_a_card_is_bookmarked_and_marked_by_mouse(page_as, site, papers):
    page = page_as("owner")
    page.goto(f"{site}/day/{DAY}/")
    card = page.locator("#mine-2606\\.50002")
    button = card.get_by_role("button", name="收藏")
    expect(button).to_have_attribute("aria-pressed", "false")
    place = button.bounding_box()
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(card.get_by_role("status")).to_have_text("已收藏")
    assert button.bounding_box() == place
    card.get_by_label("阅读状态").select_option("read_full")
    expect(card.get_by_role("status")).to_have_text("已读全文")
    assert UserBookmark.objects.get().paper.arxiv_id == "2606.50002"
    assert UserReadingStatus.objects.get().status == "read_full"
    button.click()
    expect(card.get_by_role("status")).to_have_text("已取消收藏")
    assert not UserBookmark.objects.exists()
    page.reload()
    expect(page.locator("#mine-2606\\.50002").get_by_label("阅读状态")).to_have_value("read_full")


def test_cards_and_the_paper_are_marked_by_keys(page_as, site, papers):
    page = page_as("owner")
    page.goto(f"{site}/day/{DAY}/")
    page.keyboard.press("j")
    page.keyboard.press("j")
    page.keyboard.press("s")
    card = page.locator("#mine-2606\\.50002")
    expect(card.get_by_role("status")).to_have_text("已收藏")
    page.keyboard.press("m")
    expect(card.get_by_role("status")).to_have_text("已略读")
    page.keyboard.press("m")
    expect(card.get_by_role("status")).to_have_text("已读总结")
    assert UserReadingStatus.objects.get().status == "read_summary"
    page.keyboard.press("o")
    expect(page).to_have_url(re.compile("2606.50002"))
    expect(page.get_by_role("button", name="收藏", exact=True)).to_have_attribute("aria-pressed", "true")
    page.keyboard.press("s")
    expect(page.get_by_role("button", name="收藏", exact=True)).to_have_attribute("aria-pressed", "false")
    page.keyboard.press("g")
    page.keyboard.press("m")
    expect(page).to_have_url(f"{site}/mine/")


def test_without_scripts_everything_is_a_form(page_as, site, papers):
    page = page_as("owner", javascript=False, width=390)
    page.goto(f"{site}/day/{DAY}/")
    card = page.locator("#mine-hep-th\\/9901001")
    card.get_by_role("button", name="收藏").click()
    expect(page).to_have_url(f"{site}/day/{DAY}/#mine-hep-th/9901001")
    expect(card.get_by_role("button", name="收藏")).to_have_attribute("aria-pressed", "true")
    card.get_by_label("阅读状态").select_option("skimmed")
    card.get_by_role("button", name="设为此状态").click()
    expect(card.get_by_label("阅读状态")).to_have_value("skimmed")
    no_wider_than_screen(page)
    page.goto(f"{site}/papers/{PAPER}/")
    note_field(page).fill("# An *idea*")
    page.get_by_role("button", name="保存", exact=True).click()
    page.get_by_text("预览", exact=True).click()
    expect(page.locator("#note em")).to_have_text("idea")
    assert UserNote.objects.get().content == "# An *idea*"


def test_a_bookmark_that_could_not_be_sent_says_so_and_stays_as_it_was(page_as, site, papers):
    page = page_as("owner")
    page.goto(f"{site}/papers/{PAPER}/")
    page.context.set_offline(True)
    button = page.get_by_role("button", name="收藏", exact=True)
    button.click()
    expect(page.locator("[data-personal-message]")).to_have_text("没有保存：没有连接")
    expect(button).to_have_attribute("aria-pressed", "false")


def test_the_note_is_printed_where_its_preview_is_unfolded(page_as, site, papers):
    save_note(PAPER, "an *idea*")
    page = page_as("owner")
    page.goto(f"{site}/papers/{PAPER}/")
    page.emulate_media(media="print")
    expect(page.get_by_role("heading", name="我的笔记")).to_be_hidden()
    page.emulate_media(media="screen")
    page.get_by_text("预览", exact=True).click()
    expect(page.locator("[data-note-html] em")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("[data-note-html] em")).to_be_visible()
    expect(page.get_by_role("heading", name="我的笔记")).to_be_visible()
    expect(page.locator("#note-text")).to_be_hidden()


def test_a_status_that_could_not_be_sent_does_not_stand_there(page_as, site, papers):
    page = page_as("owner")
    page.goto(f"{site}/papers/{PAPER}/")
    status = page.get_by_label("阅读状态")
    status.select_option("read_summary")
    expect(page.locator("[data-personal-message]")).to_have_text("已读总结")
    page.context.set_offline(True)
    status.select_option("read_full")
    expect(page.locator("[data-personal-message]")).to_have_text("没有保存：没有连接")
    expect(status).to_have_value("read_summary")
    page.context.set_offline(False)
    assert UserReadingStatus.objects.get().status == "read_summary"


@pytest.mark.parametrize("status", [200, 502])
def test_a_page_of_a_proxy_is_no_bookmark(page_as, site, papers, status):
    page = page_as("owner", refusals={status} - {200})
    page.goto(f"{site}/papers/{PAPER}/")
    page.route("**/bookmark/", lambda route: route.fulfill(status=status, body="<h1>no</h1>", content_type="text/html"))
    button = page.get_by_role("button", name="收藏", exact=True)
    button.click()
    expect(page.locator("[data-personal-message]")).to_have_text("没有保存，请再试一次")
    expect(button).to_have_attribute("aria-pressed", "false")
    page.unroute("**/bookmark/")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "true")


def test_a_bookmark_has_a_line_of_its_own(page_as, site, papers):
    page = page_as("owner", width=390)
    page.goto(f"{site}/papers/{PAPER}/")
    expect(page.get_by_label("附注")).to_be_hidden()
    page.get_by_role("button", name="收藏", exact=True).click()
    page.get_by_label("附注").fill("for the seminar")
    page.get_by_role("button", name="保存附注").click()
    expect(page.locator("[data-personal-message]")).to_have_text("附注已保存")
    assert UserBookmark.objects.get().note == "for the seminar"


class TestNote:
    def test_is_saved_as_it_is_typed_and_leaves_the_device(self, page_as, site, papers):
        page = page_as("owner")
        page.goto(f"{site}/papers/{PAPER}/")
        note_field(page).press_sequentially("An idea")
        assert len(drafts(page)) == 1
        expect(state(page)).to_have_text(re.compile(r"^已保存 \d\d:\d\d$"))
        assert UserNote.objects.get().content == "An idea" and drafts(page) == []
        note_field(page).fill("")
        expect(state(page)).to_have_text(re.compile("^已删除"))
        assert not UserNote.objects.exists()

    def test_is_previewed_without_what_could_do_harm(self, page_as, site, papers):
        page = page_as("owner")
        page.goto(f"{site}/papers/{PAPER}/")
        note_field(page).fill(
            "**strong** <script>alert(1)</script> [x](javascript:alert(1)) <img src=x onerror=alert(1)>"
        )
        page.get_by_text("预览", exact=True).click()
        preview = page.locator("[data-note-html]")
        expect(preview.locator("strong")).to_have_text("strong")
        assert preview.locator("script, [onerror], a[href^=javascript]").count() == 0

    def test_outlives_a_lost_connection_and_is_sent_when_it_is_back(self, page_as, site, papers):
        page = page_as("owner")
        page.goto(f"{site}/papers/{PAPER}/")
        page.context.set_offline(True)
        note_field(page).fill("written in the train")
        expect(state(page)).to_have_text("没有连接，已存在本机，稍后重试")
        expect(page.locator("[data-note-news]")).to_have_text("没有连接，已存在本机，稍后重试")
        assert len(drafts(page)) == 1 and not UserNote.objects.exists()
        page.context.set_offline(False)
        expect(state(page)).to_have_text(re.compile("^已保存"))
        assert UserNote.objects.get().content == "written in the train" and drafts(page) == []

    def test_outlives_the_page_and_the_browser(self, page_as, site, papers):
        page = page_as("owner")
        page.goto(f"{site}/papers/{PAPER}/")
        page.route("**/note/", lambda route: route.abort())
        note_field(page).fill("written before the crash")
        expect(state(page)).to_have_text("没有连接，已存在本机，稍后重试")
        again = page.context.new_page()  # another tab: what this one had in memory is not there
        page.close(run_before_unload=False)
        again.goto(f"{site}/papers/{PAPER}/")
        expect(note_field(again)).to_have_value("written before the crash")
        expect(state(again)).to_have_text(re.compile("^已保存"))
        assert UserNote.objects.get().content == "written before the crash" and drafts(again) == []

    def test_whoever_leaves_too_early_is_asked(self, page_as, site, papers):
        page = page_as("owner")
        page.goto(f"{site}/papers/{PAPER}/")
        page.route("**/note/", lambda route: route.abort())
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        note_field(page).press_sequentially("x")
        page.reload()
        assert asked == ["beforeunload"]
        expect(note_field(page)).to_have_value("x")

    def test_two_tabs_never_write_over_each_other(self, page_as, site, papers):
        one = page_as("owner", refusals={409})
        one.goto(f"{site}/papers/{PAPER}/")
        other = one.context.new_page()
        other.goto(f"{site}/papers/{PAPER}/")
        note_field(one).fill("from one")
        expect(state(one)).to_have_text(re.compile("^已保存"))
        note_field(other).fill("from the other")
        expect(other.get_by_role("heading", name="这篇笔记在别处改过")).to_be_visible()
        expect(other.get_by_label("另一份笔记")).to_have_text("from one")
        expect(note_field(other)).to_have_value("from the other")
        assert UserNote.objects.get().content == "from one"
        look_at(other, "conflict")
        other.get_by_role("button", name="两份接在一起").click()
        expect(state(other)).to_have_text(re.compile("^已保存"))
        assert UserNote.objects.get().content == "from the other\n\n---\n\nfrom one" and drafts(other) == []

    @pytest.mark.parametrize(("choice", "kept"), [("只留输入框里的", "mine"), ("只留另一份", "theirs")])
    def test_the_reader_chooses(self, page_as, site, papers, choice, kept):
        page = page_as("owner", refusals={409}, width=390, dark=True)
        page.goto(f"{site}/papers/{PAPER}/")
        save_note(PAPER, "theirs")
        note_field(page).fill("mine")
        page.get_by_role("button", name=choice).click()
        expect(note_field(page)).to_have_value(kept)
        expect(page.get_by_label("另一份笔记")).to_be_hidden()
        page.wait_for_function("Object.keys(localStorage).every(key => !key.startsWith('papersite-note:'))")
        assert UserNote.objects.get().content == kept

    def test_what_was_left_on_the_device_does_not_hide_what_is_newer(self, page_as, site, papers):
        page = page_as("owner", refusals={409})
        page.goto(f"{site}/papers/{PAPER}/")
        page.context.set_offline(True)
        note_field(page).fill("left in the train")
        expect(state(page)).to_have_text("没有连接，已存在本机，稍后重试")
        save_note(PAPER, "newer, from the desk")
        page.context.set_offline(False)
        again = page.context.new_page()
        page.close(run_before_unload=False)
        again.goto(f"{site}/papers/{PAPER}/")
        expect(note_field(again)).to_have_value("newer, from the desk")
        expect(again.get_by_label("另一份笔记")).to_have_text("left in the train")
        again.get_by_role("button", name="两份接在一起").click()
        expect(state(again)).to_have_text(re.compile("^已保存"))
        assert UserNote.objects.get().content == "newer, from the desk\n\n---\n\nleft in the train"
        assert drafts(again) == []

    def test_the_end_of_a_session_loses_nothing(self, page_as, site, papers):
        page = page_as("owner", refusals={401, 403})
        page.goto(f"{site}/papers/{PAPER}/")
        Session.objects.all().delete()
        note_field(page).fill("written too late")
        expect(state(page)).to_have_text(re.compile("已退出登录，已存在本机"))
        page.on("dialog", lambda dialog: dialog.accept())
        page.get_by_role("link", name="重新登录").click()
        page.get_by_label("用户名").fill("owner")
        page.get_by_label("密码").fill(PASSWORD)
        page.get_by_role("button", name="登录").click()
        expect(page).to_have_url(f"{site}/papers/{PAPER}/#note")
        expect(note_field(page)).to_have_value("written too late")
        expect(state(page)).to_have_text(re.compile("^已保存"))
        assert UserNote.objects.get().content == "written too late" and drafts(page) == []

    @pytest.mark.parametrize(
        ("status", "words"), [(413, "太长，没有保存"), (500, "服务器没有保存，已存在本机"), (403, "已退出登录")]
    )
    def test_a_refusal_keeps_the_text_here(self, page_as, site, papers, status, words):
        page = page_as("owner", refusals={status})
        page.goto(f"{site}/papers/{PAPER}/")
        page.route("**/note/", lambda route: route.fulfill(status=status, body="<html>no"))
        note_field(page).fill("dear to me")
        expect(state(page)).to_contain_text(words)
        assert "dear to me" in page.evaluate("JSON.stringify(localStorage)")

    def test_signing_out_takes_it_off_the_device_after_asking(self, page_as, site, papers):
        page = page_as("owner")
        page.goto(f"{site}/papers/{PAPER}/")
        page.route("**/note/", lambda route: route.abort())
        note_field(page).fill("private")
        expect(state(page)).to_have_text("没有连接，已存在本机，稍后重试")
        asked = []
        page.on("dialog", lambda dialog: (asked.append(dialog.type), dialog.accept()))
        page.get_by_role("button", name="退出登录").click()
        expect(page.get_by_role("link", name="登录", exact=True)).to_be_visible()
        assert asked[0] == "confirm" and drafts(page) == []
        assert page.locator("[data-personal], [data-note]").count() == 0


class TestReadingToTheEnd:
    def test_marks_the_paper_as_skimmed_once(self, page_as, site, papers):
        page = page_as("owner", width=390)
        page.clock.install()
        page.goto(f"{site}/papers/{PAPER}/")
        page.clock.fast_forward(10_000)
        assert not UserReadingStatus.objects.exists()
        page.locator("#improvements, #results").last.locator(":scope > *").last.scroll_into_view_if_needed()
        page.locator("[data-summary-end]").scroll_into_view_if_needed()
        page.wait_for_function("document.querySelector('[data-summary-end]').isInView")
        page.clock.fast_forward(4_000)
        expect(page.get_by_label("阅读状态")).to_have_value("skimmed")
        assert UserReadingStatus.objects.get().status == "skimmed"

    def test_never_lowers_nor_overrules(self, page_as, site, papers):
        page = page_as("owner")
        page.clock.install()
        page.goto(f"{site}/papers/{PAPER}/")
        page.get_by_label("阅读状态").select_option("unread")
        expect(page.locator("[data-personal-message]")).to_have_text("未读")
        page.locator("[data-summary-end]").scroll_into_view_if_needed()
        page.clock.fast_forward(10_000)
        page.reload()
        assert UserReadingStatus.objects.get().status == "unread"


@pytest.mark.parametrize(("width", "dark"), LOOKS)
@pytest.mark.parametrize("language", ["zh-hans", "en"])
def test_the_pages_look_right(page_as, site, papers, width, dark, language):
    for number in range(26):
        paper = make_paper(title_en=f"Paper {number}", tags=["agents"])
        set_bookmark(paper.arxiv_id, note="a line of its own " * 5 if number == 25 else "")
    save_note(PAPER, "# 想法\n\n- **one**\n- `two`\n\n" + "A long unbroken " + "word" * 100)
    set_bookmark(PAPER, note="for the seminar")
    page = page_as("owner", width=width, dark=dark, language=language)
    name = f"{width}-{'dark' if dark else 'light'}-{language[:2]}"
    for title, address in {
        "mine": "/mine/",
        "mine-notes": "/mine/?show=notes",
        "mine-week": "/mine/?show=week",
        "mine-nothing": "/mine/?q=nothing+at+all",
        "day": f"/day/{DAY}/",
        "paper": f"/papers/{PAPER}/",
    }.items():
        page.goto(f"{site}{address}")
        if title == "paper":
            page.locator("[data-note-preview] > summary").click()
            page.locator("[data-note-html] strong").wait_for()
        look_at(page, f"{title}-{name}")
        if width == 390:
            small = page.evaluate(
                "[...document.querySelectorAll('.personal button, .personal select, .mine-lists a, .note button')]"
                ".filter(one => one.offsetParent && one.getBoundingClientRect().height < 43.5).length"
            )
            assert small == 0, title


@pytest.mark.parametrize("role", [None, "operator"])
def test_others_find_nothing_of_it(page_as, site, papers, role):
    make_user("owner", "somebody")
    set_bookmark(PAPER, note="PRIVATE")
    save_note(PAPER, "PRIVATE")
    page = page_as(role)
    for address in ("/", f"/papers/{PAPER}/", "/search/?q=sparse"):
        page.goto(f"{site}{address}")
        assert page.locator("[data-personal], [data-note], [data-key=bookmark]").count() == 0
        assert "PRIVATE" not in page.content()
        if page.locator(".paper-list").count():  # on the page of a paper this key leads to the next one
            page.keyboard.press("j")
        page.keyboard.press("s")
    page.goto(f"{site}/mine/")
    if role:
        expect(page.get_by_role("heading", level=1)).to_have_text("没有权限")
    else:
        expect(page).to_have_url(f"{site}/admin/login/?next=/mine/")
