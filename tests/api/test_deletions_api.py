"""Deletions that scripts ask for."""

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from operations import maintenance, tasks
from operations.locks import hold
from operations.models import CrawlLog, DataDeleteJob, RunState
from papers.models import Paper, UserBookmark, UserNote
from tests.factories import DAY, make_paper
from tests.roles import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]

JOBS = "/api/v1/operations/delete-jobs"
RANGE = {"date_start": DAY.isoformat(), "date_end": DAY.isoformat()}


@pytest.fixture
def operator(script):
    return script("operate")


def post(client, **body):
    return client.post(JOBS, RANGE | body, "application/json")


def noted(**columns) -> Paper:
    paper, now = make_paper(**columns), timezone.now()
    UserNote.objects.create(paper=paper, content="SECRET", created_at=now, updated_at=now)
    UserBookmark.objects.create(paper=paper, note="SECRET", created_at=now)
    return paper


def test_a_deletion_is_stored_run_by_the_worker_and_followed(operator):
    make_paper(), noted()
    answer = post(operator)
    job = answer.json()
    assert (answer.status_code, job["status"], job["total"], job["paper_count"]) == (202, "running", 2, 0)
    assert (job["requested_by"], job["include_notes"], job["log_id"]) == ("token script to operate", True, None)
    assert Paper.objects.count() == 2, "nothing is deleted by the request"
    tasks.delete_papers(job["id"])
    assert not Paper.objects.exists()
    followed = operator.get(job["look_at"]).json()
    assert (followed["status"], followed["paper_count"], followed["error"]) == ("success", 2, None)
    assert CrawlLog.objects.get(pk=followed["log_id"]).status == RunState.SUCCESS
    assert operator.get(JOBS).json() == {"items": [followed], "count": 1}


def test_papers_with_notes_can_be_kept(operator):
    kept, _gone = noted(), make_paper()
    job = post(operator, include_notes=False).json()
    assert (job["total"], job["kept"], job["include_notes"]) == (1, 1, False)
    tasks.delete_papers(job["id"])
    assert list(Paper.objects.all()) == [kept]


def test_a_dry_run_counts_and_stores_nothing(operator):
    make_paper(), noted()
    answer = post(operator, dry_run=True)
    assert answer.status_code == 200
    assert answer.json() == {
        **{"dry_run": True, "papers": 2, "kept": 0, "notes": 1, "bookmarks": 1, "reading_statuses": 0},
        **{"files": 0, "bytes": 0, "in_work": 0},
    }
    assert post(operator, dry_run=True, include_notes=False).json()["kept"] == 1
    assert not DataDeleteJob.objects.exists() and Paper.objects.count() == 2 and not CrawlLog.objects.exists()


@pytest.mark.parametrize("include_notes", [True, False])
def test_of_a_single_paper_nothing_tells_what_the_owner_noted(operator, include_notes):
    noted()
    with_note = post(operator, dry_run=True, include_notes=include_notes).json()
    UserNote.objects.all().delete()
    UserBookmark.objects.all().delete()
    assert post(operator, dry_run=True, include_notes=include_notes).json() == with_note
    noted(paper_date=DAY.replace(day=1))
    other = {"date_start": "2026-06-01", "date_end": "2026-06-01", "dry_run": True}
    assert post(client_of("owner"), **other).json()["notes"] == 1


def test_one_at_a_time(operator):
    make_paper()
    first = post(operator).json()
    answer = post(operator)
    assert (answer.status_code, answer.json()["code"]) == (409, "already_running")
    assert f"deletion {first['id']}" in answer.json()["detail"] and " since 20" in answer.json()["detail"]
    DataDeleteJob.objects.all().delete()
    with hold("delete", "all"):
        assert post(operator).json()["code"] == "already_running"
    assert not DataDeleteJob.objects.exists()


def test_none_during_maintenance(operator):
    maintenance.switch_on("moving", by="ann")
    answer = post(operator)
    assert (answer.status_code, answer.json()["code"]) == (409, "maintenance")
    assert not DataDeleteJob.objects.exists()


@pytest.mark.parametrize(
    ("body", "named"),
    [
        ({"date_start": "2026-06-09"}, "date_start"),
        ({"date_end": "yesterday"}, "date_end"),
        ({"date_end": None}, "date_end"),
        ({"include_notes": "perhaps"}, "include_notes"),
        ({"keep_notes": True}, "keep_notes"),
    ],
)
def test_what_is_no_range_is_422(operator, body, named):
    answer = post(operator, **body)
    assert answer.status_code == 422 and named in answer.json()["detail"]
    assert not DataDeleteJob.objects.exists()


@pytest.mark.parametrize("job_id", ["1", "99999999999999999999999", "-1", "0"])
def test_an_unknown_job_is_404(operator, job_id):
    assert operator.get(f"{JOBS}/{job_id}").status_code == 404


def test_the_list_is_read_in_pages_and_refuses_what_it_does_not_know(operator):
    now = timezone.now()
    for _ in range(3):
        DataDeleteJob.objects.create(date_start=DAY, date_end=DAY, status="success", started_at=now)
    ids = [job["id"] for job in operator.get(f"{JOBS}?limit=2").json()["items"]]
    ids += [job["id"] for job in operator.get(f"{JOBS}?limit=2&offset=2").json()["items"]]
    assert ids == sorted(DataDeleteJob.objects.values_list("pk", flat=True), reverse=True)
    assert operator.get(f"{JOBS}?status=failed").json()["code"] == "unknown_parameter"


def test_roles_as_in_the_admin():
    operator, auditor, editor = (client_of(role) for role in ("operator", "auditor", "editor"))
    assert post(operator).status_code == 202
    assert LogEntry.objects.get().change_message == f"开始删除 {DAY} – {DAY} 的论文，连同有笔记或收藏的"
    assert (post(auditor).status_code, auditor.get(JOBS).status_code) == (403, 200)
    assert (post(editor).status_code, editor.get(JOBS).status_code) == (403, 403)


@pytest.mark.parametrize("scope", ["read", "personal"])
def test_other_tokens_may_not(script, scope):
    client = script(scope)
    assert post(client).status_code == client.get(JOBS).status_code == 403
