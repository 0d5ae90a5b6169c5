"""The way in and out of the console."""

from playwright.sync_api import expect

from tests.browser.looking import no_wider_than_screen
from tests.roles import PASSWORD, make_user


def sign_in(page, site, name, password):
    page.goto(f"{site}/admin/")
    page.get_by_label("用户名").fill(name)
    page.get_by_label("密码").fill(password)
    page.get_by_role("button", name="登录").click()


def test_someone_of_the_staff_signs_in_and_out(page_as, site):
    make_user("operator")
    page = page_as(None)
    sign_in(page, site, "operator", PASSWORD)
    expect(page).to_have_url(f"{site}/admin/")
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    with page.expect_navigation():
        page.get_by_role("button", name="注销").click()
    page.goto(f"{site}/admin/")
    expect(page.get_by_label("用户名")).to_be_visible()


def test_a_wrong_password_is_said_on_a_phone_too(page_as, site):
    make_user("operator")
    page = page_as(None, width=390, dark=True)
    sign_in(page, site, "operator", "wrong")
    expect(page.get_by_text("请输入一个正确的工作人员账户")).to_be_visible()
    no_wider_than_screen(page)
