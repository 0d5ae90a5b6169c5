"""The page of the maintenance switch and of the pauses."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import OrmQ

from operations import maintenance
from operations.arxiv_requests import request_papers
from operations.models import QueuePause
from operations.pauses import Cause, pause
from papers.models import SummaryState
from tests.factories import make_paper
from tests.roles import client_of

pytestmark = pytest.mark.django_db

PAGE = "/admin/maintenance/"


def post(client, act, **more):
    return client.post(PAGE, {"act": act, **more}, follow=True)


@pytest.mark.parametrize(("role", "sees", "changes"), [
    ("owner", True, True), ("operator", True, True), ("auditor", True, False), ("editor", False, False),
])  # fmt: skip
def test_who_may_look_and_who_may_switch(role, sees, changes):
    client = client_of(role)
    pause(Cause.ARXIV, "HTTP 503")
    answer = client.get(PAGE)
    assert answer.status_code == (200 if sees else 403)
    assert ("开始维护</button>" in answer.content.decode()) is changes
    assert ("现在就再试" in answer.content.decode()) is changes
    for act in ("off", "try_again", "on"):
        assert (post(client, act).status_code == 403) is not changes
    assert bool(maintenance.current()) is changes
    assert QueuePause.objects.exists() is not changes


def test_the_switch_tells_who_since_when_and_why(owner):
    page = post(owner, "on", reason="<b>new disk</b>").content.decode()
    assert "维护正在进行" in page and "owner 于" in page
    assert "&lt;b&gt;new disk" in page and "<b>new disk" not in page
    assert maintenance.current().switched_by == "owner"
    assert "没有在维护" in post(owner, "off").content.decode()
    said = list(LogEntry.objects.order_by("id").values_list("change_message", flat=True))
    assert said == ["开始维护：<b>new disk</b>", "结束维护"]


def test_switching_twice_changes_nothing(owner):
    post(owner, "on", reason="first"), post(owner, "on", reason="second")
    assert maintenance.current().reason == "first"
    post(owner, "off"), post(owner, "off")
    assert LogEntry.objects.count() == 2


def test_every_page_of_the_console_says_that_work_is_held(owner):
    assert "维护中" not in owner.get("/admin/papers/paper/").content.decode()
    post(owner, "on", reason="new disk")
    for address in ("/admin/", "/admin/papers/paper/", "/admin/setup/"):
        page = owner.get(address).content.decode()
        assert "维护中" in page and "new disk" in page


def test_what_is_still_running_is_named(owner):
    started = timezone.now() - dt.timedelta(minutes=7)
    paper = make_paper(state=SummaryState.PROCESSING, status={"started_at": started, "owner": "x"})
    page = owner.get(PAGE).content.decode()
    assert paper.arxiv_id in page and "已用 7" in page


def test_pauses_are_shown_and_can_be_ended(owner):
    pause(Cause.ARXIV, "HTTP <503>")
    make_paper()
    page = owner.get(PAGE).content.decode()
    assert "arXiv 无法访问" in page and "HTTP &lt;503&gt;" in page
    page = post(owner, "try_again").content.decode()
    assert "没有暂停。" in page and not QueuePause.objects.exists()
    assert LogEntry.objects.get().change_message == "结束暂停，立即重试：arXiv 无法访问"
    assert "没有暂停" in post(owner, "try_again").content.decode()
    assert LogEntry.objects.count() == 1


def test_there_are_no_other_acts(owner):
    assert post(owner, "other").status_code == 400
    assert owner.put(PAGE).status_code == 405


def test_questions_to_arxiv_that_waited_for_a_pause_are_asked_at_once(owner):
    pause(Cause.ARXIV_API, "HTTP 503")
    request_papers(["2406.01234"], by="ada")
    assert "没有后台任务在运行" in post(owner, "try_again").content.decode()
    assert [row.task["func"] for row in OrmQ.objects.all()] == ["operations.tasks.answer_requests"]
