"""What anyone did is read by who may, changed by nobody, and tells nobody what the owner keeps private."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from papers.models import UserBookmark, UserNote
from tests.factories import make_paper
from tests.roles import client_of, make_user

AUDIT = "/admin/admin/logentry/"
PAPERS = "/admin/papers/paper/"


@pytest.fixture
def auditor(db):
    return client_of("auditor")


@pytest.fixture
def private_entries(db):
    """The owner bookmarks a paper and writes a note on it, in the admin."""
    owner = client_of("owner")
    paper = make_paper(title_en="Walrus Methods")
    owner.post("/admin/papers/userbookmark/add/", {"paper": paper.pk, "note": "SECRET"})
    owner.post("/admin/papers/usernote/add/", {"paper": paper.pk, "content": "SECRET"})
    owner.post(f"/admin/papers/usernote/{UserNote.objects.get().pk}/change/", {"content": "SECRET too"})
    assert LogEntry.objects.count() == 3
    return owner


def entries(client, **query) -> list[LogEntry]:
    return list(client.get(AUDIT, query).context["cl"].result_list)


def rerun_by(name: str, paper) -> None:
    client = Client()
    client.force_login(make_user("operator", name), backend="django.contrib.auth.backends.ModelBackend")
    client.post(PAPERS, {"action": "rerun_summary", "_selected_action": [paper.pk]})


def test_it_tells_who_did_what_to_what_and_when(auditor):
    paper = make_paper(title_en="Walrus Methods")
    rerun_by("ada", paper)
    page = auditor.get(AUDIT).content.decode()
    assert "ada" in page and "重新运行总结" in page and "Walrus Methods" in page
    entry = LogEntry.objects.get()
    whole = auditor.get(f"{AUDIT}{entry.pk}/change/").content.decode()
    assert f"{PAPERS}{paper.pk}/change/" in whole and "重新运行总结" in whole


def test_entries_are_found_by_person_action_date_and_text(auditor):
    walrus, otter = make_paper(title_en="Walrus"), make_paper(title_en="Otter")
    rerun_by("ada", walrus)
    rerun_by("bob", otter)
    old = timezone.now() - dt.timedelta(days=800)
    LogEntry.objects.filter(object_id=str(otter.pk)).update(action_time=old)
    ada = User.objects.get(username="ada")
    assert [entry.object_id for entry in entries(auditor, user__id__exact=ada.pk)] == [str(walrus.pk)]
    assert [entry.object_id for entry in entries(auditor, q="Otter")] == [str(otter.pk)]
    assert [entry.object_id for entry in entries(auditor, action_time__year=old.year)] == [str(otter.pk)]
    assert entries(auditor, action_flag__exact=3) == []


def test_nobody_but_the_owner_reads_of_private_things(auditor, private_entries):
    assert entries(auditor) == []
    for entry in LogEntry.objects.all():
        answer = auditor.get(f"{AUDIT}{entry.pk}/change/")
        assert answer.status_code in (302, 404)
        assert auditor.get(f"{AUDIT}{entry.pk}/history/").status_code in (302, 403, 404)
    assert entries(auditor, q="#1") == []
    assert len(entries(private_entries)) == 3


def test_the_days_above_the_list_do_not_tell_of_them_either(auditor, private_entries):
    rerun_by("ada", make_paper())
    rerun = LogEntry.objects.get(content_type__model="paper")
    then = dt.datetime(2024, 3, 9, 12, tzinfo=dt.UTC)
    LogEntry.objects.exclude(pk=rerun.pk).update(action_time=then)
    assert "?action_time__year=2024" not in auditor.get(AUDIT).content.decode()
    march = {"action_time__year": 2024, "action_time__month": 3}
    assert "action_time__day=9" not in auditor.get(AUDIT, march).content.decode()
    assert "action_time__day=9" in private_entries.get(AUDIT, march).content.decode()


@pytest.mark.parametrize(
    "query",
    ["content_type__model=usernote", "content_type__app_label=papers", "object_repr__startswith=%23"],
)
def test_no_filter_by_hand_brings_them_out(auditor, private_entries, query):
    answer = auditor.get(f"{AUDIT}?{query}")
    assert answer.status_code in (302, 400) or not list(answer.context["cl"].result_list)


def test_their_own_histories_are_closed_to_others(auditor, private_entries):
    for row, model in ((UserBookmark.objects.get(), "userbookmark"), (UserNote.objects.get(), "usernote")):
        assert auditor.get(f"/admin/papers/{model}/{row.pk}/history/").status_code == 403
        assert private_entries.get(f"/admin/papers/{model}/{row.pk}/history/").status_code == 200


def test_a_papers_history_tells_nothing_of_them(auditor, private_entries):
    paper = UserNote.objects.get().paper
    history = auditor.get(f"{PAPERS}{paper.pk}/history/")
    assert history.status_code == 200
    assert list(history.context["action_list"]) == []


def test_entries_about_no_row_are_shown(auditor):
    operator = client_of("operator")
    operator.post("/admin/failures/", {"error_type": "all"})
    assert len(entries(auditor)) == 1


@pytest.mark.parametrize("role", ["owner", "auditor"])
def test_nobody_changes_it_a_superuser_neither(role, db):
    paper = make_paper()
    rerun_by("ada", paper)
    entry = LogEntry.objects.get()
    client = client_of(role)
    assert client.get(f"{AUDIT}add/").status_code == 403
    assert client.post(f"{AUDIT}{entry.pk}/change/", {"change_message": "x"}).status_code == 403
    assert client.post(f"{AUDIT}{entry.pk}/delete/", {"post": "yes"}).status_code == 403
    client.post(AUDIT, {"action": "delete_selected", "_selected_action": [entry.pk], "post": "yes"})
    assert LogEntry.objects.get().change_message == "重新运行总结"


@pytest.mark.parametrize("role", ["operator", "editor"])
def test_others_do_not_read_it(role, db):
    assert client_of(role).get(AUDIT).status_code == 403


def test_the_record_is_called_as_the_way_to_it(owner):
    assert owner.get("/admin/admin/logentry/").context["title"] == "操作记录"
