"""The queue's own tables: failed tasks with their trace, run again or put aside; the rest to be read."""

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import Failure, OrmQ, Success
from django_q.models import Task as QueueTask

from operations import tasks
from operations.queue_tasks import is_ours, short_error
from operations.schedules import ensure_schedules
from tests.roles import client_of

pytestmark = pytest.mark.django_db

FAILURES = "/admin/django_q/failure/"
TRACE = "no <b>room</b> : Traceback (most recent call last):\n  File x, line 1\nOSError: no <b>room</b>"


def ended(number=1, func="operations.tasks.cleaning", success=False, result=TRACE, **columns):
    now = timezone.now()
    columns = {"args": (), "kwargs": {}, "started": now, "stopped": now} | columns
    return QueueTask.objects.create(
        id=f"{number:032}", name=f"task {number}", func=func, success=success, result=result, **columns
    )


def act(client, action, *rows):
    return client.post(FAILURES, {"action": action, "_selected_action": [row.pk for row in rows]}, follow=True)


def test_a_failed_task_is_listed_in_a_line_and_shown_whole_and_escaped(owner):
    task = ended(args=("2026-06-05",))
    listed = owner.get(FAILURES).content.decode()
    assert "no &lt;b&gt;room" in listed and "Traceback" not in listed
    page = owner.get(f"{FAILURES}{task.pk}/change/").content.decode()
    assert "line 1\nOSError: no &lt;b&gt;room" in page and "<b>room" not in page
    assert "2026-06-05" in page and "cleaning" in page


def test_a_failed_task_is_run_again_with_its_arguments_and_leaves_the_list(owner):
    task = ended(func="operations.tasks.crawl_again", args=("2026-06-05",))
    page = act(owner, "run_again", task).content.decode()
    asked = OrmQ.objects.get().task
    assert (asked["func"], asked["args"]) == ("operations.tasks.crawl_again", ("2026-06-05",))
    assert not Failure.objects.exists()
    assert "1 个任务已重新排队" in page
    assert LogEntry.objects.get().change_message == "再次运行出错的队列任务：crawl_again"


def test_nothing_but_our_own_tasks_is_ever_run(owner):
    rows = [
        ended(number, func) for number, func in enumerate(["os.system", "operations.tasks._crawl", "builtins.exec"])
    ]
    page = act(owner, "run_again", *rows).content.decode()
    assert "3 个任务不属于本站" in page
    assert not OrmQ.objects.exists() and Failure.objects.count() == 3


def test_failed_tasks_are_put_aside(owner):
    rows = [ended(number) for number in range(12)]
    page = act(owner, "put_aside", *rows).content.decode()
    assert "12 个任务已移除" in page
    assert not Failure.objects.exists() and not OrmQ.objects.exists()
    assert "等 12 个" in LogEntry.objects.get().change_message


@pytest.mark.parametrize(("role", "sees", "acts"), [
    ("operator", True, True), ("auditor", True, False), ("editor", False, False),
])  # fmt: skip
def test_who_may_look_and_who_may_act(role, sees, acts):
    task, client = ended(), client_of(role)
    assert client.get(FAILURES).status_code == (200 if sees else 403)
    assert client.get(f"{FAILURES}{task.pk}/change/").status_code == (200 if sees else 403)
    act(client, "run_again", task), act(client, "put_aside", task)
    assert Failure.objects.exists() is not acts
    assert client.post(f"{FAILURES}{task.pk}/delete/", {"post": "yes"}).status_code == 403


@pytest.mark.parametrize("model", ["success", "ormq", "schedule"])
def test_the_other_tables_can_be_read(owner, model):
    ended(1, success=True, result="done")
    tasks.request_crawl(timezone.now().date())
    ensure_schedules()
    page = owner.get(f"/admin/django_q/{model}/?q=x")
    assert page.status_code == 200
    assert owner.get(f"/admin/django_q/{model}/").status_code == 200
    for row in {"success": Success, "ormq": OrmQ}.get(model, Success).objects.all():
        assert owner.get(f"/admin/django_q/{model}/{row.pk}/change/", follow=True).status_code == 200


@pytest.mark.parametrize("row", ["", "-1", "a" * 33, "é", "x' OR '1'='1", "\0"])
def test_a_row_that_cannot_be_is_a_bad_request(owner, row):
    assert owner.post(FAILURES, {"action": "put_aside", "_selected_action": [row]}).status_code == 400


def test_lists_cost_the_same_however_many_rows_there_are(owner, django_assert_max_num_queries):
    for number in range(60):
        ended(number)
    with django_assert_max_num_queries(10):
        owner.get(FAILURES)


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("operations.tasks.cleaning", True),
        ("operations.tasks.summarize", True),
        ("operations.tasks.async_task", False),
        ("operations.tasks._crawl", False),
        ("operations.tasks.", False),
        ("operations.tasks.logger", False),
        ("os.system", False),
        ("", False),
    ],
)
def test_our_own_tasks_are_told_from_all_others(function, expected):
    assert is_ours(function) is expected


@pytest.mark.parametrize(("result", "said"), [(TRACE, "no <b>room</b>"), ("", ""), (None, ""), ("a\nb", "a")])
def test_an_error_is_told_in_a_line(result, said):
    assert short_error(result) == said


def test_the_list_of_failed_tasks_is_called_as_the_way_to_it(owner):
    answer = owner.get("/admin/django_q/failure/")
    assert answer.context["title"] == "出错的队列任务"
    assert "Started at" not in answer.content.decode()
