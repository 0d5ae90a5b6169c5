"""What every page of the console has around it."""

from playwright.sync_api import expect

from tests.browser.looking import no_wider_than_screen
from tests.everything import make_everything
from tests.roles import make_user


def test_the_language_is_changed_where_one_is_and_stays_changed(page_as, site):
    page = page_as("owner", width=390)
    page.goto(f"{site}/admin/papers/paper/?o=1")
    page.get_by_role("button", name="English").click()
    expect(page).to_have_url(f"{site}/admin/papers/paper/?o=1")
    expect(page.locator("html")).to_have_attribute("lang", "en")
    page.goto(f"{site}/admin/")
    page.get_by_role("button", name="简体中文").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("今天的情况")


def test_the_language_can_be_changed_before_signing_in(page_as, site):
    page = page_as(None)
    page.goto(f"{site}/admin/login/?next=/admin/papers/paper/")
    page.get_by_role("button", name="English").click()
    expect(page.get_by_label("Username")).to_be_visible()
    expect(page).to_have_url(f"{site}/admin/login/?next=/admin/papers/paper/")


def test_after_too_many_failures_a_plain_page_says_so(page_as, site):
    make_user("owner")
    page = page_as(None, width=390, dark=True)
    for _ in range(5):
        page.goto(f"{site}/admin/login/")
        page.get_by_label("用户名").fill("owner")
        page.get_by_label("密码").fill("wrong")
        page.get_by_role("button", name="登录").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("登录尝试过多")
    expect(page.get_by_text("请在 15 分钟后再试")).to_be_visible()
    no_wider_than_screen(page)
    page.get_by_role("link", name="回到登录页面").click()
    expect(page.get_by_label("用户名")).to_be_visible()


def test_each_part_of_the_console_is_one_click_away(page_as, site):
    page = page_as("auditor", javascript=False)
    page.goto(f"{site}/admin/")
    nav = page.get_by_role("navigation", name="后台各部分")
    nav.get_by_role("link", name="操作记录").click()
    expect(nav.get_by_role("link", name="操作记录")).to_have_attribute("aria-current", "page")
    expect(nav.get_by_role("link", name="论文", exact=True)).to_be_visible()


def test_an_owner_makes_an_operator_on_a_phone(page_as, site):
    make_user("operator", "another")
    page = page_as("owner", width=390)
    page.goto(f"{site}/admin/auth/user/add/")
    page.get_by_label("用户名").fill("wang")
    for label in ("密码:", "密码确认:"):
        page.get_by_label(label, exact=True).fill("a fine long password 7")
    page.get_by_label("operator（").check()
    page.get_by_role("button", name="保存", exact=True).click()
    expect(page.get_by_text("成功添加了")).to_be_visible()
    expect(page.get_by_label("operator（")).to_be_checked()
    no_wider_than_screen(page)


def test_djangos_own_pickers_and_searches_keep_to_the_policy(page_as, site):
    rows = make_everything()
    page = page_as("owner")
    page.goto(f"{site}/admin/papers/usernote/add/")
    page.locator(".select2-selection").click()
    page.locator(".select2-search__field").fill("2606.90011")
    page.locator(".select2-results__option", has_text="2606").first.click()
    page.goto(f"{site}/admin/papers/paper/?paper_date__year=2026")
    page.get_by_label("动作").select_option("rerun_summary")
    page.locator("#action-toggle").check()
    account = next(row for model, row in rows.items() if model.__name__ == "User")
    page.goto(f"{site}/admin/auth/user/{account.pk}/change/")
    page.get_by_text("单独的权限").click()
    page.locator(".theme-toggle").click()
