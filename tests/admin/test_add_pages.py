"""The page of papers added by id."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import OrmQ

from operations.admin.add_pages import MOST_IDS
from operations.models import ArxivRequest, QueuePause
from tests.factories import make_paper
from tests.roles import client_of

pytestmark = pytest.mark.django_db

PAGE = "/admin/add-papers/"
NOW = timezone.now()


def make_request(arxiv_id: str, state: str, result: str | None = None) -> ArxivRequest:
    return ArxivRequest.objects.create(
        arxiv_id=arxiv_id, kind="add", state=state, result=result, requested_at=NOW, requested_by="alice"
    )


def page_of(client) -> str:
    answer = client.get(PAGE)
    assert answer.status_code == 200
    return answer.content.decode()


def test_ids_in_any_form_are_asked_for_and_what_became_of_each_is_said():
    make_paper(arxiv_id="2606.00001")
    make_request("2606.00003", "waiting")
    ids = "arXiv:2606.00001v2\nhttps://arxiv.org/abs/hep-th/9901001，2606.00003; <b>nonsense"
    page = client_of("operator").post(PAGE, {"ids": ids}, follow=True).content.decode()
    assert "已安排向 arXiv 查询 2 篇论文" in page and "其中 1 篇已收录" in page and "1 篇先前已在等待" in page
    assert "1 个不是 arXiv 编号：&lt;b&gt;nonsense" in page
    assert ArxivRequest.objects.filter(requested_by="operator").count() == 2
    assert [row.task["func"] for row in OrmQ.objects.all()] == ["operations.tasks.answer_requests"]
    entry = LogEntry.objects.get()
    assert (entry.change_message, entry.user.username) == ("添加论文：2606.00001 hep-th/9901001", "operator")


@pytest.mark.parametrize(
    ("ids", "sentence"),
    [
        ("", "必填"),
        (" , ，\n", "请填写编号"),
        ("foo bar", "2 个不是 arXiv 编号：foo、bar"),
        ("x" * 200_000, "100000"),
        (" ".join(f"2606.{number:05}" for number in range(MOST_IDS + 1)), "一次最多 1000 个编号"),
        ("2606.00001\0", "字符"),
    ],
    ids=["nothing", "blanks", "no ids", "a book", "too many", "nul"],
)
def test_what_makes_no_sense_is_said_beside_what_was_typed(ids, sentence):
    answer = client_of("operator").post(PAGE, {"ids": ids})
    assert answer.status_code == 200 and sentence in answer.content.decode()
    assert not ArxivRequest.objects.exists() and not LogEntry.objects.exists() and not OrmQ.objects.exists()


def test_how_questions_went_is_told_in_words():
    make_request("2606.00001", "done", "new")
    make_request("2606.00002", "failed", "unknown to arXiv")
    make_request("2606.00003", "failed", "the paper was deleted meanwhile")
    make_request("2606.00004", "failed", "could not be stored: <b>")
    page = page_of(client_of("auditor"))
    for words in ("已添加", "arXiv 没有这篇论文", "论文已被删除", "could not be stored: &lt;b&gt;"):
        assert words in page
    assert 'href="/papers/2606.00001/"' in page and 'href="/papers/2606.00002/"' not in page


def test_the_page_keeps_up_while_something_waits_and_says_why_it_waits():
    client = client_of("operator")
    assert "data-refresh-url" not in page_of(client)
    assert client.get(f"{PAGE}progress/").headers["Refresh-Ended"] == "yes"
    make_request("2606.00001", "waiting")
    until = NOW + dt.timedelta(hours=1)
    QueuePause.objects.create(cause="arxiv_api", message="HTTP 503", since=NOW, until=until)
    page = page_of(client)
    assert f'data-refresh-url="{PAGE}progress/"' in page and '<noscript><meta http-equiv="refresh"' in page
    assert "添加 1 篇" in page and "HTTP 503" in page and "没有后台任务在运行" in page
    assert "Refresh-Ended" not in client.get(f"{PAGE}progress/").headers


@pytest.mark.parametrize(("role", "looks", "acts"), [
    ("owner", True, True), ("operator", True, True), ("auditor", True, False), ("editor", False, False),
])  # fmt: skip
def test_who_may_look_and_who_may_act(role, looks, acts):
    client = client_of(role)
    for address in (PAGE, f"{PAGE}progress/"):
        assert client.get(address).status_code == (200 if looks else 403)
    if looks:
        assert ("<textarea" in page_of(client)) is acts
    assert client.post(PAGE, {"ids": "2606.00001"}).status_code == (302 if acts else 403)
    assert ArxivRequest.objects.exists() is acts


def test_thousands_of_questions_cost_the_same_few_queries(django_assert_max_num_queries):
    rows = [ArxivRequest(arxiv_id=f"2606.{n:05}", kind="refresh", requested_at=NOW) for n in range(3000)]
    ArxivRequest.objects.bulk_create(rows)
    client = client_of("operator")
    with django_assert_max_num_queries(20):
        page = page_of(client)
    assert "重新获取元数据 3000 篇" in page and page.count("<tr>") < 100
