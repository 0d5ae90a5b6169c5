"""What is private stays private, and what is history stays as it was."""

import pytest
from django.utils import timezone

from operations.models import CrawlLog, DataDeleteJob, DayListing, DeletedPaper, Heartbeat, QueuePause, TaskLock
from papers.models import UserBookmark, UserNote, UserReadingStatus
from tests.factories import DAY, make_paper, make_summary

NOW = timezone.now()
PRIVATE = ["userbookmark", "usernote", "userreadingstatus"]
HISTORY = {
    "crawllog": lambda: CrawlLog.objects.create(task="crawl", status="success", date=DAY, started_at=NOW),
    "tasklock": lambda: TaskLock.objects.create(task="crawl", lock_key="x", status="finished", acquired_at=NOW),
    "datadeletejob": lambda: DataDeleteJob.objects.create(
        date_start=DAY, date_end=DAY, status="success", started_at=NOW
    ),
    "daylisting": lambda: DayListing.objects.create(date=DAY, entry_key="x", first_seen_at=NOW),
    "deletedpaper": lambda: DeletedPaper.objects.create(arxiv_id="x", paper_date=DAY, deleted_at=NOW),
    "queuepause": lambda: QueuePause.objects.create(cause="arxiv", message="m", since=NOW, until=NOW),
    "heartbeat": lambda: Heartbeat.objects.create(name="worker", beat_at=NOW),
}


@pytest.fixture
def private_rows(db):
    paper = make_paper(arxiv_id="2605.00001")
    return {
        "userbookmark": UserBookmark.objects.create(paper=paper, note="SECRET", created_at=NOW),
        "usernote": UserNote.objects.create(paper=paper, content="SECRET", created_at=NOW, updated_at=NOW),
        "userreadingstatus": UserReadingStatus.objects.create(paper=paper, status="skimmed", updated_at=NOW),
    }


@pytest.mark.parametrize("model", PRIVATE)
def test_staff_without_the_permission_meet_no_private_row_anywhere(staff, private_rows, model):
    row = private_rows[model]
    base = f"/admin/papers/{model}/"
    for address in ("", "add/", f"{row.pk}/change/", f"{row.pk}/delete/", f"{row.pk}/history/"):
        assert staff.get(base + address).status_code == 403
    assert staff.post(f"{base}{row.pk}/delete/", {"post": "yes"}).status_code == 403
    assert model not in staff.get("/admin/").content.decode()
    assert model not in staff.get("/admin/papers/").content.decode()


@pytest.mark.parametrize("model", PRIVATE)
def test_the_owner_reads_and_writes_them(owner, private_rows, model):
    base = f"/admin/papers/{model}/"
    assert owner.get(base).status_code == 200
    assert owner.get(f"{base}{private_rows[model].pk}/change/").status_code == 200
    assert owner.get(f"{base}add/").status_code == 200


def test_the_owner_can_add_a_note_and_its_times_are_kept_by_the_site(owner):
    paper = make_paper()
    answer = owner.post("/admin/papers/usernote/add/", {"paper": paper.pk, "content": "Read again."})
    assert answer.status_code == 302
    note = UserNote.objects.get()
    assert note.content == "Read again." and note.created_at and note.updated_at


def test_a_papers_page_shows_staff_nothing_private(staff, private_rows):
    paper = private_rows["usernote"].paper
    assert "SECRET" not in staff.get(f"/admin/papers/paper/{paper.pk}/change/").content.decode()
    assert "SECRET" not in staff.get("/admin/papers/paper/").content.decode()


@pytest.mark.parametrize(
    "lookup",
    [
        "bookmark__isnull=0",
        "note__isnull=0",
        "note__content__contains=S",
        "reading_status__status=skimmed",
        "note=1",
        "note__id__gt=0",
    ],
)
def test_staff_cannot_find_out_by_a_filter_which_papers_carry_something_private(staff, private_rows, lookup):
    # Django answers a filter that is not allowed with 400.
    assert staff.get(f"/admin/papers/paper/?{lookup}").status_code == 400


def test_nobody_deletes_a_paper_here(owner):
    paper = make_paper()
    assert owner.get(f"/admin/papers/paper/{paper.pk}/delete/").status_code == 403
    assert owner.post(f"/admin/papers/paper/{paper.pk}/delete/", {"post": "yes"}).status_code == 403
    assert "delete_selected" not in owner.get("/admin/papers/paper/").content.decode()


def test_nobody_adds_a_paper_here(owner):
    assert owner.get("/admin/papers/paper/add/").status_code == 403


@pytest.mark.parametrize("model", HISTORY)
def test_history_can_be_read_and_not_changed(owner, model):
    row = HISTORY[model]()
    base = f"/admin/operations/{model}/"
    assert owner.get(base).status_code == 200
    assert owner.get(f"{base}{row.pk}/change/").status_code == 200
    assert owner.post(f"{base}{row.pk}/change/", {"status": "failed"}).status_code == 403
    assert owner.get(f"{base}add/").status_code == 403
    assert owner.post(f"{base}{row.pk}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("model", ["papersummary", "summarystatus", "papertag", "paperauthor"])
def test_what_belongs_to_a_paper_can_be_read_by_itself(owner, model):
    paper = make_paper(tags=["agents"])
    make_summary(paper)
    row = {
        "papersummary": paper.summary,
        "summarystatus": paper.status,
        "papertag": paper.tags.first(),
        "paperauthor": paper.authors.first(),
    }[model]
    assert owner.get(f"/admin/papers/{model}/").status_code == 200
    assert owner.get(f"/admin/papers/{model}/?q=x").status_code == 200
    assert owner.get(f"/admin/papers/{model}/{row.pk}/change/").status_code == 200
    if model != "papersummary":  # that one is edited: see test_editing_summary
        assert owner.post(f"/admin/papers/{model}/{row.pk}/change/", {}).status_code == 403


@pytest.mark.parametrize("model", ["schedule", "success", "failure", "ormq"])
def test_the_queues_tables_can_be_read_and_not_changed(owner, model):
    assert owner.get(f"/admin/django_q/{model}/").status_code == 200
    assert owner.get(f"/admin/django_q/{model}/add/").status_code == 403
