"""The pages of deletions: counted first, begun by typing the range, watched, stopped, gone on with; never by a slip."""

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import OrmQ

from operations import maintenance
from operations.deletion.jobs import start_job, stop_job
from operations.deletion.run import run_job
from operations.models import DataDeleteJob
from operations.stopping import WorkStopped
from papers.models import Paper, UserBookmark, UserNote
from tests.factories import DAY, make_paper, make_summary
from tests.roles import client_of, make_user

pytestmark = pytest.mark.django_db

PAGE = "/admin/deletion/"
RANGE = {"first": DAY.isoformat(), "last": DAY.isoformat(), "notes": "delete"}
TYPED = f"{DAY} {DAY}"
NOW = timezone.now()


def text_of(answer) -> str:
    assert answer.status_code == 200
    return answer.content.decode()


def job_of(include_notes: bool = True) -> DataDeleteJob:
    return start_job(DAY, DAY, include_notes=include_notes, by="alice")


def noted_paper() -> Paper:
    paper = make_paper()
    UserNote.objects.create(paper=paper, content="SECRET", created_at=NOW, updated_at=NOW)
    UserBookmark.objects.create(paper=paper, note="SECRET", created_at=NOW)
    return paper


def figures(answer) -> dict[str, str]:
    return {words: str(figure) for figure, words in answer.context["figures"]}


def test_the_range_is_counted_and_nothing_is_begun():
    noted_paper()
    make_summary(make_paper())
    answer = client_of("operator").post(PAGE, RANGE)
    assert "删除不能撤销" in text_of(answer) and f'<strong class="keep">{TYPED}</strong>' in text_of(answer)
    counted = figures(answer)
    assert (counted["篇论文将被删除"], counted["条笔记"], counted["个收藏"], counted["文件大小"]) == (
        "2",
        "1",
        "1",
        "0.0 MB",
    )
    assert "篇论文保留" not in counted
    assert not DataDeleteJob.objects.exists() and not OrmQ.objects.exists() and not LogEntry.objects.exists()


def test_papers_with_notes_can_be_kept():
    noted_paper()
    make_paper()
    counted = figures(client_of("operator").post(PAGE, RANGE | {"notes": "keep"}))
    assert (counted["篇论文将被删除"], counted["篇论文保留"], counted["条笔记"]) == ("1", "1", "0")


@pytest.mark.parametrize(
    ("notes", "words"), [("keep", "有笔记或收藏的论文会保留。"), ("delete", "有笔记或收藏的论文也会删除")]
)
def test_what_becomes_of_noted_papers_is_said_once_more_before_anything_is_typed(notes, words):
    make_paper()
    assert words in text_of(client_of("operator").post(PAGE, RANGE | {"notes": notes}))


@pytest.mark.parametrize("notes", ["keep", "delete"])
@pytest.mark.parametrize(("role", "sees"), [("operator", False), ("owner", True)])
def test_of_a_single_paper_no_count_tells_whether_the_owner_noted_anything(role, sees, notes):
    def shown() -> str:
        return str(client.post(PAGE, RANGE | {"notes": notes}).context["figures"])

    client = client_of(role)
    paper = noted_paper()
    with_note = shown()
    UserNote.objects.all().delete()
    UserBookmark.objects.all().delete()
    assert Paper.objects.get() == paper
    assert (shown() != with_note) is sees


def test_typing_the_range_begins_the_deletion():
    make_paper()
    client = client_of("operator")
    answer = client.post(PAGE, RANGE | {"typed": f"  {TYPED} "})
    job = DataDeleteJob.objects.get()
    assert answer.status_code == 302 and answer.url == f"/admin/deletion/{job.pk}/"
    assert (job.status, job.owner, job.requested_by, job.include_notes, job.total) == (
        "running",
        None,
        "operator",
        True,
        1,
    )
    assert OrmQ.objects.get().task["args"] == (job.pk,)
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.object_id) == ("operator", str(job.pk)) and "开始删除" in entry.change_message


@pytest.mark.parametrize("typed", ["", "yes", DAY.isoformat(), f"{DAY} 2026-06-06", f"{DAY}{DAY}"])
def test_anything_else_typed_deletes_nothing_and_says_so(typed):
    make_paper()
    answer = client_of("operator").post(PAGE, RANGE | {"typed": typed})
    assert "输入的日期与范围不一致，什么都没有删除" in text_of(answer)
    assert not DataDeleteJob.objects.exists() and Paper.objects.exists()


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"first": "2026-06-06"}, "结束日期早于开始日期"),
        ({"first": "x"}, "输入一个有效的日期"),
        ({"last": ""}, "这个字段是必填项"),
        ({"notes": ""}, "这个字段是必填项"),
        ({"notes": "<script>"}, "选择一个有效的选项"),
    ],
    ids=["reversed", "no date", "no end", "no choice", "unknown choice"],
)
def test_a_range_that_is_none_is_said_even_when_confirmed(change, sentence):
    answer = client_of("operator").post(PAGE, RANGE | {"typed": TYPED} | change)
    assert sentence in text_of(answer) and "<script>" not in text_of(answer).replace("<script src", "")
    assert not DataDeleteJob.objects.exists()


def test_a_range_without_papers_offers_nothing_to_confirm():
    text = text_of(client_of("operator").post(PAGE, RANGE))
    assert "这些天没有论文" in text and 'name="typed"' not in text


def test_looking_never_deletes():
    make_paper()
    client = client_of("owner")
    for address in (PAGE, f"{PAGE}{job_of().pk}/"):
        client.get(address, RANGE | {"typed": TYPED})
    assert DataDeleteJob.objects.count() == 1 and DataDeleteJob.objects.get().stop_requested_at is None


def test_another_deletion_is_refused_while_one_is_not_over():
    job = job_of()
    make_paper()
    answer = client_of("operator").post(PAGE, RANGE | {"typed": TYPED})
    assert f"另一个删除任务 #{job.pk} 还没有结束" in text_of(answer)
    assert DataDeleteJob.objects.count() == 1


def test_during_maintenance_nothing_is_begun():
    make_paper()
    maintenance.switch_on("disk", by="alice")
    assert "正在维护，现在不能开始删除" in text_of(client_of("operator").post(PAGE, RANGE | {"typed": TYPED}))
    assert not DataDeleteJob.objects.exists()


# ---------------------------------------------------------------- a job's page


def test_a_job_shows_how_far_it_is_and_follows_by_itself():
    job = job_of()
    DataDeleteJob.objects.update(total=6500, paper_count=1300)
    client = client_of("operator")
    page = text_of(client.get(f"{PAGE}{job.pk}/"))
    assert "1300 / 6500 篇" in page and '<progress max="6500" value="1300"' in page
    assert (
        f'data-refresh-url="/admin/deletion/{job.pk}/progress/"' in page
        and '<noscript><meta http-equiv="refresh"' in page
    )
    part = client.get(f"{PAGE}{job.pk}/progress/")
    assert "1300 / 6500 篇" in text_of(part) and "Refresh-Ended" not in part
    run_job(job.pk)
    part = client.get(f"{PAGE}{job.pk}/progress/")
    assert "成功" in text_of(part) and part["Refresh-Ended"] == "yes"


def test_a_job_is_stopped_by_a_button():
    make_paper()
    job = job_of()
    client = client_of("operator")
    assert "停止" in text_of(client.get(f"{PAGE}{job.pk}/"))
    page = text_of(client.post(f"{PAGE}{job.pk}/", follow=True))
    assert "已要求停止" in page and "：停在第 0 篇，共 1 篇。按要求停止。" in page
    job.refresh_from_db()
    assert (job.status, job.error) == ("failed", "stopped at 0 of 1")
    assert LogEntry.objects.get().change_message == "停止删除任务"
    assert "这个任务已经结束" in text_of(client.post(f"{PAGE}{job.pk}/", follow=True))


def test_a_stopped_job_is_gone_on_with_after_the_same_confirmation():
    make_paper()
    job = job_of(include_notes=False)
    stop_job(job.pk, by="alice")
    client = client_of("operator")
    page = text_of(client.get(f"{PAGE}{job.pk}/"))
    assert "继续删除剩下的" in page and 'name="notes" value="keep"' in page
    assert f'<strong class="keep">{TYPED}</strong>' in text_of(client.post(PAGE, RANGE | {"notes": "keep"}))
    assert client.post(PAGE, RANGE | {"notes": "keep", "typed": TYPED}).status_code == 302
    assert DataDeleteJob.objects.filter(status="running", include_notes=False).count() == 1


def test_the_reason_of_an_end_is_shown_and_escaped():
    job = job_of()
    DataDeleteJob.objects.update(status="failed", error="stopped at 3 of 5: still being summarised: <b>2606.1 (x)</b>")
    page = text_of(client_of("auditor").get(f"{PAGE}{job.pk}/"))
    assert "停在第 3 篇，共 5 篇。等了很久仍在总结的论文：&lt;b&gt;2606.1 (x)&lt;/b&gt;" in page


def test_a_signal_in_the_middle_is_told_as_it_is():
    make_paper()
    job = job_of()

    def stopped() -> None:
        if DataDeleteJob.objects.exclude(owner=None).exists():
            raise WorkStopped("the site is being stopped")

    run_job(job.pk, stopped=stopped)
    assert "停在第 0 篇，共 1 篇。the site is being stopped" in text_of(client_of("owner").get(f"{PAGE}{job.pk}/"))


def test_an_unknown_job_is_not_found():
    client = client_of("owner")
    assert client.get(f"{PAGE}99/").status_code == client.get(f"{PAGE}99/progress/").status_code == 404


# ---------------------------------------------------------------- who may


def test_an_auditor_reads_and_deletes_nothing():
    make_paper()
    job = job_of()
    client = client_of("auditor")
    assert "清点</button>" not in text_of(client.get(PAGE)) and f"#{job.pk}" in text_of(client.get(PAGE))
    assert "停止</button>" not in text_of(client.get(f"{PAGE}{job.pk}/"))
    for address, data in ((PAGE, RANGE), (PAGE, RANGE | {"typed": TYPED}), (f"{PAGE}{job.pk}/", {})):
        assert client.post(address, data).status_code == 403
    job.refresh_from_db()
    assert job.stop_requested_at is None


@pytest.mark.parametrize("address", [PAGE, f"{PAGE}1/", f"{PAGE}1/progress/"])
def test_an_editor_has_no_business_here(address):
    client = client_of("editor")
    assert client.get(address).status_code == 403
    assert client.post(address, RANGE).status_code in (403, 405)


def test_nobody_without_an_account_gets_in(client):
    assert client.get(PAGE).status_code == client.post(PAGE, RANGE | {"typed": TYPED}).status_code == 302
    assert not DataDeleteJob.objects.exists()


def test_a_forged_post_is_refused():
    from django.test import Client

    client = Client(enforce_csrf_checks=True)
    client.force_login(make_user("operator"), backend="django.contrib.auth.backends.ModelBackend")
    assert client.post(PAGE, RANGE | {"typed": TYPED}).status_code == 403


@pytest.mark.parametrize("role", ["owner", "operator", "auditor"])
def test_the_record_can_be_read_and_by_nobody_changed(role):
    job = job_of()
    client = client_of(role)
    base = "/admin/operations/datadeletejob/"
    assert f"/admin/deletion/{job.pk}/" in text_of(client.get(base))
    assert client.get(f"{base}{job.pk}/change/").status_code == 200
    assert client.post(f"{base}{job.pk}/change/", {"status": "success"}).status_code == 403
    assert client.post(f"{base}{job.pk}/delete/", {"post": "yes"}).status_code == 403
    assert client.get(f"{base}add/").status_code == 403
