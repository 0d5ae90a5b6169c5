"""What each role may do, page by page and table by table. A page or table that stands in no table here fails."""

import re

import pytest
from django.apps import apps
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client, RequestFactory
from django.urls import reverse

from operations.admin.urls import console_urls
from operations.models import Heartbeat
from papers.models import Paper, UserNote
from tests.everything import SECRET, address_of, make_everything, models_of_the_admin
from tests.roles import ROLES, client_of, make_user

STAFF = ("owner", *ROLES, "no_role")
OUTSIDE = ("reader", "anonymous")

# Pages of the console: who may read, who may change.
CONSOLE = {
    "crawl": ("owner operator auditor", "owner operator"),
    "crawl_job": ("owner operator auditor", "owner operator"),
    "crawl_job_progress": ("owner operator auditor", ""),
    "add_papers": ("owner operator auditor", "owner operator"),
    "add_papers_progress": ("owner operator auditor", ""),
    "deletion": ("owner operator auditor", "owner operator"),
    "deletion_job": ("owner operator auditor", "owner operator"),
    "deletion_progress": ("owner operator auditor", ""),
    "backups": ("owner operator auditor", "owner operator"),
    "backups_state": ("owner operator auditor", ""),
    "front_crawl": ("", "owner operator"),
    "maintenance": ("owner operator auditor", "owner operator"),
    "schedules": ("owner operator auditor", "owner operator"),
    "setup": ("owner operator auditor", ""),
    "setup_try": ("", "owner operator"),
    "failures": ("owner operator editor auditor", "owner operator"),
    "release_lock": ("owner operator", "owner operator"),
    "paper_attempt": ("owner operator editor auditor", "owner operator"),
}
# Tables: who may see rows, who may add, change and delete them.
TABLES = {
    "admin.LogEntry": ("owner auditor", "", "", ""),
    "auth.Group": ("owner auditor", "owner", "owner", ""),
    "auth.User": ("owner auditor", "owner", "owner", ""),
    "django_q.Failure": ("owner operator auditor", "", "", ""),
    "django_q.OrmQ": ("owner operator auditor", "", "", ""),
    "django_q.Schedule": ("owner operator auditor", "", "", ""),
    "django_q.Success": ("owner operator auditor", "", "", ""),
    "operations.ArxivRequest": ("owner operator auditor", "", "", ""),
    "operations.CrawlJob": ("owner operator auditor", "", "", ""),
    "operations.CrawlLog": ("owner operator auditor", "", "", ""),
    "operations.DataDeleteJob": ("owner operator auditor", "", "", ""),
    "operations.DayListing": ("owner operator auditor", "", "", ""),
    "operations.DeletedPaper": ("owner operator auditor", "", "", ""),
    "operations.FailedSignIn": ("owner auditor", "", "", ""),
    "operations.Heartbeat": ("owner operator auditor", "", "", ""),
    "operations.QueuePause": ("owner operator auditor", "", "", ""),
    "operations.SignIn": ("owner auditor", "", "", ""),
    "operations.TaskLock": ("owner operator auditor", "", "", ""),
    "papers.Paper": ("owner operator editor auditor", "", "owner editor", ""),
    "papers.PaperAuthor": ("owner operator editor auditor", "", "", ""),
    "papers.PaperSummary": ("owner operator editor auditor", "", "owner editor", ""),
    "papers.PaperTag": ("owner operator editor auditor", "", "", ""),
    "papers.SummaryStatus": ("owner operator editor auditor", "", "", ""),
    "papers.UserBookmark": ("owner", "owner", "owner", "owner"),
    "papers.UserNote": ("owner", "owner", "owner", "owner"),
    "papers.UserReadingStatus": ("owner", "owner", "owner", "owner"),
    "papersite.ApiToken": ("owner auditor", "owner", "", ""),
}
# Actions on chosen rows: who may ask for them.
ACTIONS = {
    ("auth.Group", "delete_selected"): "owner",
    ("django_q.Failure", "put_aside"): "owner operator",
    ("django_q.Failure", "run_again"): "owner operator",
    ("operations.FailedSignIn", "unlock"): "owner",
    ("papers.Paper", "recrawl_date"): "owner operator",
    ("papers.Paper", "refresh_metadata"): "owner operator",
    ("papers.Paper", "rerun_summary"): "owner operator",
    ("papers.SummaryStatus", "rerun_summary"): "owner operator",
    ("papers.UserBookmark", "delete_selected"): "owner",
    ("papers.UserNote", "delete_selected"): "owner",
    ("papers.UserReadingStatus", "delete_selected"): "owner",
    ("papersite.ApiToken", "revoke"): "owner",
}
# What every signed-in request may move: when someone was last here.
_NOT_COUNTED = {Session, Heartbeat}
PRIVATE = ("userbookmark", "usernote", "userreadingstatus")

everybody = pytest.mark.parametrize("role", [*STAFF, *OUTSIDE])


@pytest.fixture
def rows(db):
    return make_everything()


def client_for(role: str) -> Client:
    if role == "anonymous":
        return Client()
    if role in OUTSIDE or role == "no_role":
        client = Client()
        client.force_login(User.objects.create_user(role, is_staff=role == "no_role"))
        return client
    return client_of(role)


def is_refused(answer, role: str) -> bool:
    """Tell whether someone was turned away: a stranger to the sign-in page, one of the staff with a 403."""
    if role in OUTSIDE:
        return answer.status_code == 302 and answer["Location"].startswith("/admin/login/")
    return answer.status_code == 403


def console_addresses(rows) -> list[tuple[str, str]]:
    return [(page.name, address_of(page, rows)) for page in console_urls(lambda view: view)]


def everything_stored() -> dict[str, list]:
    counted = [model for model in apps.get_models() if model not in _NOT_COUNTED and not model._meta.proxy]
    return {model._meta.label: list(model._base_manager.order_by("pk").values_list()) for model in counted}


def test_every_page_every_table_and_every_action_stands_above(rows):
    assert set(CONSOLE) == {page.name for page in console_urls(lambda view: view)}
    assert set(TABLES) == {model._meta.label for model in models_of_the_admin()}
    request = RequestFactory().get("/")
    request.user = make_user("owner")
    offered = {
        (model._meta.label, action)
        for model, model_admin in admin.site._registry.items()
        for action in model_admin.get_actions(request)
    }
    assert set(ACTIONS) == offered


@everybody
def test_pages_of_the_console(rows, role):
    client = client_for(role)
    stored = everything_stored()
    for name, address in console_addresses(rows):
        may_read, may_change = (who.split() for who in CONSOLE[name])
        answer = client.get(address)
        if role in may_read:
            assert answer.status_code == 200, f"GET {address}"
        else:
            assert is_refused(answer, role) or (not may_read and answer.status_code == 405), f"GET {address}"
        if role not in may_change:
            answer = client.post(address, {"act": "on", "confirm": "yes"})
            assert is_refused(answer, role) or (not may_change and answer.status_code == 405), f"POST {address}"
    assert everything_stored() == stored


@pytest.mark.parametrize("role", ["owner", "operator"])
def test_who_may_change_something_is_not_refused(rows, role):
    client = client_for(role)
    for name, address in console_addresses(rows):
        if role in CONSOLE[name][1].split():
            answer = client.post(address, {"step": "no such step", "act": "no such act"})
            assert answer.status_code not in (403, 405, 500), f"POST {address}"


@everybody
def test_tables(rows, role):
    client = client_for(role)
    stored = everything_stored()
    for model in models_of_the_admin():
        sees, adds, changes, deletes = (role in who.split() for who in TABLES[model._meta.label])
        name, pk = f"admin:{model._meta.app_label}_{model._meta.model_name}", rows[model].pk
        pages = {
            reverse(f"{name}_changelist"): sees,
            reverse(f"{name}_add"): adds,
            reverse(f"{name}_change", args=[pk]): sees,
            reverse(f"{name}_history", args=[pk]): sees,
            reverse(f"{name}_delete", args=[pk]): deletes,
        }
        for address, allowed in pages.items():
            answer = client.get(address)
            assert answer.status_code == 200 if allowed else is_refused(answer, role), f"GET {address}"
        writing = {f"{name}_add": adds, f"{name}_change": changes, f"{name}_delete": deletes}
        for view, allowed in writing.items():
            if not allowed:
                address = reverse(view, args=[] if view.endswith("_add") else [pk])
                assert is_refused(client.post(address, {"post": "yes", "_save": "1"}), role), f"POST {address}"
    assert everything_stored() == stored


@everybody
def test_actions(rows, role):
    client = client_for(role)
    stored = everything_stored()
    for (label, action), who in ACTIONS.items():
        model = apps.get_model(label)
        address = reverse(f"admin:{model._meta.app_label}_{model._meta.model_name}_changelist")
        offered = f'value="{action}"' in client.get(address).content.decode()
        assert offered is (role in who.split()), f"{role} is offered {action} on {label}"
        if role not in who.split():
            for across in ("0", "1"):
                form = {"action": action, "_selected_action": [rows[model].pk], "select_across": across, "post": "yes"}
                client.post(address, form)
    assert everything_stored() == stored


@pytest.mark.parametrize("role", STAFF)
def test_every_way_that_is_shown_is_open(rows, role):
    client = client_for(role)
    page = client.get("/admin/").content.decode()
    ways = {way for way in re.findall(r'href="(/admin/[^"#]*)"', page) if "logout" not in way}
    assert ways
    for way in ways:
        assert client.get(way.replace("&amp;", "&")).status_code == 200, way


@pytest.mark.parametrize("role", STAFF)
def test_nothing_is_done_by_looking(rows, role):
    client = client_for(role)
    stored = everything_stored()
    client.get("/admin/")
    for _name, address in console_addresses(rows):
        client.get(address)
    for model in models_of_the_admin():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        client.get(reverse(f"{name}_changelist"), {"action": "delete_selected", "_selected_action": rows[model].pk})
        client.get(reverse(f"{name}_delete", args=[rows[model].pk]), {"post": "yes"})
    assert everything_stored() == stored


# ---------------------------------------------------------------- what is private


@pytest.mark.parametrize("role", [role for role in STAFF if role != "owner"])
def test_what_is_private_is_nowhere_to_be_found(rows, role):
    owner = client_for("owner")
    note = rows[UserNote]
    owner.post(f"/admin/papers/usernote/{note.pk}/change/", {"content": f"{SECRET} changed"})
    assert LogEntry.objects.filter(content_type__model="usernote").exists()
    client = client_for(role)
    paper = Paper.objects.get(pk=note.paper_id)
    seen = ["/admin/", "/admin/papers/", paper.get_absolute_url()]
    for model in models_of_the_admin():
        name = f"admin:{model._meta.app_label}_{model._meta.model_name}"
        pk = paper.pk if model is Paper else rows[model].pk
        seen += [
            reverse(f"{name}_changelist"),
            reverse(f"{name}_change", args=[pk]),
            reverse(f"{name}_history", args=[pk]),
        ]
    for entry in LogEntry.objects.all():
        seen.append(reverse("admin:admin_logentry_change", args=[entry.pk]))
    for address in seen:
        answer = client.get(address)
        page = answer.content.decode()
        assert SECRET not in page, address
        assert answer.status_code == 403 or not re.search("|".join(f"/papers/{model}/" for model in PRIVATE), page), (
            address
        )


@pytest.mark.parametrize("role", [role for role in STAFF if role not in ("owner", "no_role")])
@pytest.mark.parametrize(
    "query",
    [
        "note__isnull=0",
        "note__isnull=True",
        "bookmark__isnull=False",
        "reading_status__status=skimmed",
        "note__content__contains=S",
        "note__paper__note__isnull=0",
        "status__paper__note__isnull=0",
        "has_note=yes",
        "has_note=no",
    ],
)
def test_no_filter_tells_which_papers_carry_something_private(rows, role, query):
    client = client_for(role)
    everything = client.get("/admin/papers/paper/")
    answer = client.get(f"/admin/papers/paper/?{query}")
    if answer.status_code == 302:  # a filter that is not known is left out
        answer = client.get(answer["Location"])
    if answer.status_code == 200:
        assert answer.context["cl"].result_count == everything.context["cl"].result_count
    else:
        assert answer.status_code in (400, 403)


@pytest.mark.parametrize("role", [role for role in STAFF if role != "owner"])
@pytest.mark.parametrize("model", PRIVATE)
def test_the_search_for_the_paper_of_a_private_row_tells_nothing_of_it(rows, role, model):
    query = {"app_label": "papers", "model_name": model, "field_name": "paper", "term": "2606.90011"}
    answer = client_for(role).get("/admin/autocomplete/", query)
    # What it finds are papers, whether or not they carry something, for those who see papers anyway.
    assert answer.status_code == 403 if role == "no_role" else len(answer.json()["results"]) == 1


@pytest.mark.parametrize("role", [role for role in STAFF if role not in ("owner", "no_role")])
def test_no_order_tells_either(rows, role):
    client = client_for(role)
    orders = set()
    for column in range(1, 15):
        answer = client.get(f"/admin/papers/paper/?o={column}")
        assert answer.status_code == 200
        orders.add(answer.context["cl"].queryset.query.order_by)
    assert not [order for order in orders if any(word in str(order) for word in ("note", "bookmark", "reading"))]
