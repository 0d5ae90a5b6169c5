"""Accounts: made with a role, changed by superusers alone, closed and not deleted."""

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Group, Permission, User
from django.test import Client

from operations.roles import ROLE_WORDS
from tests.roles import ROLES, client_of, make_user

USERS, GROUPS = "/admin/auth/user/", "/admin/auth/group/"
PASSWORD = "a fine long password 7"


@pytest.fixture
def owner(db) -> Client:
    return client_of("owner")


def new_account(client, role, name="someone"):
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD, "role": role}
    return client.post(f"{USERS}add/", form)


def change(client, user, **columns):
    form = {"username": user.username, "is_active": "on", "is_staff": "on", **columns}
    return client.post(f"{USERS}{user.pk}/change/", {name: value for name, value in form.items() if value})


@pytest.mark.parametrize("role", ROLES)
def test_a_new_account_has_its_role_and_can_sign_in(owner, role):
    make_user(role, "another")  # makes sure of the group
    assert new_account(owner, role).status_code == 302
    user = User.objects.get(username="someone")
    assert [group.name for group in user.groups.all()] == [role]
    assert (user.is_staff, user.is_superuser) == (True, False)
    client = Client()
    assert client.post("/admin/login/", {"username": "someone", "password": PASSWORD}).status_code == 302
    assert client.get("/admin/").status_code == 200


def test_a_new_superuser_is_made_on_purpose(owner):
    new_account(owner, "superuser")
    user = User.objects.get(username="someone")
    assert user.is_superuser and user.is_staff and not user.groups.exists()


@pytest.mark.parametrize("role", ["", "root", "operator; superuser"])
def test_without_a_role_no_account_is_made(owner, role):
    assert new_account(owner, role).status_code == 200
    assert User.objects.count() == 1


def test_the_form_says_what_each_role_may(owner):
    page = owner.get(f"{USERS}add/").content.decode()
    for name, words in ROLE_WORDS.items():
        assert f"{name}（{words}）" in page


def test_groups_are_shown_with_what_they_are_for(owner):
    user = make_user("editor")
    assert "editor（编辑：" in owner.get(f"{USERS}{user.pk}/change/").content.decode()
    assert "编辑：" in owner.get(GROUPS).content.decode()


def _everything_but_superuser() -> Client:
    user = User.objects.create_user("almost", is_staff=True)
    user.user_permissions.set(Permission.objects.all())
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.parametrize("role", [*ROLES, "every permission"])
def test_nobody_but_a_superuser_changes_an_account_or_a_group(db, role):
    victim = make_user("owner", "victim")
    client = _everything_but_superuser() if role == "every permission" else client_of(role)
    own = User.objects.exclude(pk=victim.pk).get()
    before = (list(User.objects.values()), list(Group.objects.values()))
    assert change(client, own, is_superuser="on").status_code == 403
    assert new_account(client, "superuser").status_code == 403
    password = {"password1": PASSWORD, "password2": PASSWORD}
    assert client.post(f"{USERS}{victim.pk}/password/", password).status_code == 403
    for pk in Group.objects.values_list("pk", flat=True):
        assert client.post(f"{GROUPS}{pk}/change/", {"name": "x"}).status_code == 403
    assert client.post(f"{GROUPS}add/", {"name": "x"}).status_code == 403
    assert (list(User.objects.values()), list(Group.objects.values())) == before


def test_an_auditor_sees_accounts_without_anything_of_their_passwords(db):
    client = client_of("auditor")
    victim = make_user("owner", "victim")
    page = client.get(f"{USERS}{victim.pk}/change/").content.decode()
    assert "victim" in page and "password" not in page.replace("password_change", "") and "md5" not in page
    assert client.get(f"{USERS}?password__startswith=m").status_code == 400
    assert client.get(GROUPS).status_code == 200


@pytest.mark.parametrize("role", ["operator", "editor"])
def test_others_do_not_see_accounts(db, role):
    client = client_of(role)
    assert client.get(USERS).status_code == 403 and client.get(GROUPS).status_code == 403


def test_an_account_is_closed_and_keeps_its_record(owner):
    user = make_user("operator")
    LogEntry.objects.log_actions(user.pk, [user], 2, change_message="did something")
    assert owner.post(f"{USERS}{user.pk}/delete/", {"post": "yes"}).status_code == 403
    owner.post(USERS, {"action": "delete_selected", "_selected_action": [user.pk], "post": "yes"})
    assert change(owner, user, is_active="").status_code == 302
    user.refresh_from_db()
    assert not user.is_active
    assert LogEntry.objects.filter(user=user).exists()


@pytest.mark.parametrize("right", ["is_active", "is_staff", "is_superuser"])
def test_a_superuser_does_not_shut_himself_out(owner, right):
    user = User.objects.get(username="owner")
    answer = change(owner, user, **{"is_superuser": "on", right: ""})
    assert answer.status_code == 200 and "不能取消自己账号的管理权限" in answer.content.decode()
    assert getattr(User.objects.get(pk=user.pk), right)


def test_another_superuser_can_be_brought_down(owner):
    other = make_user("owner", "other")
    assert change(owner, other, is_superuser="").status_code == 302
    assert not User.objects.get(pk=other.pk).is_superuser


def test_a_role_stays_and_keeps_its_name(owner):
    make_user("editor")
    group = Group.objects.get(name="editor")
    assert owner.post(f"{GROUPS}{group.pk}/delete/", {"post": "yes"}).status_code == 403
    owner.post(GROUPS, {"action": "delete_selected", "_selected_action": [group.pk], "post": "yes"})
    owner.post(f"{GROUPS}{group.pk}/change/", {"name": "renamed", "permissions": []})
    assert Group.objects.filter(name="editor").exists()
    own = Group.objects.create(name="guests")
    assert owner.post(f"{GROUPS}{own.pk}/delete/", {"post": "yes"}).status_code == 302


def test_lists_ask_no_more_for_more_accounts(owner, django_assert_max_num_queries):
    for number in range(30):
        make_user("editor", f"editor{number}")
    with django_assert_max_num_queries(12):
        assert owner.get(USERS).status_code == 200
    with django_assert_max_num_queries(14):
        assert owner.get(f"{USERS}{User.objects.first().pk}/change/").status_code == 200


@pytest.fixture
def closed(db):
    for _ in range(5):
        Client().post("/admin/login/", {"username": "owner", "password": "wrong"}, REMOTE_ADDR="203.0.113.9")


FAILED, VISITS = "/admin/operations/failedsignin/", "/admin/operations/signin/"


def test_a_superuser_opens_a_sign_in_again_and_that_is_written_down(owner, closed):
    from axes.models import AccessAttempt

    row = AccessAttempt.objects.get()
    assert "203.0.113.9" in owner.get(FAILED).content.decode()
    assert owner.get(f"{FAILED}{row.pk}/change/").status_code == 200
    answer = owner.post(FAILED, {"action": "unlock", "_selected_action": [row.pk]}, follow=True)
    assert "已清除 1 条" in answer.content.decode()
    assert not AccessAttempt.objects.exists()
    assert LogEntry.objects.get().change_message == "解除登录限制"


def test_an_auditor_reads_sign_ins_and_opens_none(db, closed):
    from axes.models import AccessAttempt

    client = client_of("auditor")
    row = AccessAttempt.objects.get()
    for address in (FAILED, f"{FAILED}?q=own", f"{FAILED}{row.pk}/change/", VISITS):
        assert client.get(address).status_code == 200
    client.post(FAILED, {"action": "unlock", "_selected_action": [row.pk]})
    client.post(f"{FAILED}{row.pk}/delete/", {"post": "yes"})
    assert AccessAttempt.objects.exists()
