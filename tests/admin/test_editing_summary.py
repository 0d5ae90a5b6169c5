"""Summaries edited in the admin: part by part or as JSON, checked like an agent's, never lost to another's edit."""

import json

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone

from operations.files import SUMMARY_NAME, paper_folder
from papers.models import Paper, PaperSummary, SummaryState, SummaryStatus
from papers.search.results import search
from tests.admin.forms import form_of
from tests.factories import SUMMARY, make_paper, make_summary
from tests.roles import client_of

EXTRA = {
    **SUMMARY,
    "confidence": "高",
    "method": {**SUMMARY["method"], "steps": ["第一步\n分两行写", "第二步"], "kind": "稀疏"},
}


@pytest.fixture
def editor(db):
    return client_of("editor")


@pytest.fixture
def paper(db) -> Paper:
    paper = make_paper()
    make_summary(paper, summary=EXTRA)
    return paper


def address(paper: Paper, query: str = "") -> str:
    return f"/admin/papers/papersummary/{paper.pk}/change/{query}"


def save(client, paper, query="", **changes):
    return client.post(address(paper, query), form_of(client, address(paper, query), **changes))


def stored_object() -> dict:
    return json.loads(PaperSummary.objects.get().full_json)


def errors_of(answer) -> dict:
    assert answer.status_code == 200, "the form comes back"
    return answer.context["adminform"].form.errors


def message_of(entry: LogEntry) -> str:
    return entry.get_change_message()


def test_an_editor_changes_one_part_and_all_else_stays_as_it_was(editor, paper):
    assert save(editor, paper, problem="海象在长文里迷路，普通的注意力找不到它们。").status_code == 302
    expected = json.loads(json.dumps(EXTRA))
    expected["motivation"]["problem"] = "海象在长文里迷路，普通的注意力找不到它们。"
    assert stored_object() == expected
    assert json.loads((paper_folder(paper.arxiv_id) / SUMMARY_NAME).read_text("utf-8")) == expected
    stored = PaperSummary.objects.get()
    assert (stored.edited_by, stored.motivation_problem) == ("editor", expected["motivation"]["problem"])
    assert [hit.paper_id for hit in search("海象在长文").hits] == [paper.pk]
    assert not search("普通显卡").hits


def test_the_audit_log_names_the_parts(editor, paper):
    save(editor, paper, goal="目标已经换成了另一个说法。", tags="稀疏注意力\n海象")
    entry = LogEntry.objects.get()
    assert entry.user.username == "editor"
    assert message_of(entry) == "已修改标签 和 目标。"


def test_a_form_that_was_not_touched_changes_nothing(editor, paper):
    before = PaperSummary.objects.values().get()
    assert save(editor, paper).status_code == 302
    assert save(editor, paper, "?as=json").status_code == 302
    assert PaperSummary.objects.values().get() == before
    assert {message_of(entry) for entry in LogEntry.objects.all()} == {"没有字段被修改。"}


def test_an_item_with_line_ends_stays_while_the_list_is_changed_round_it(editor, paper):
    assert form_of(editor, address(paper))["steps"] == "第一步 分两行写\r\n第二步"
    save(editor, paper, steps="第零步\n第一步 分两行写")
    assert stored_object()["method"]["steps"] == ["第零步", "第一步\n分两行写"]


def test_lists_and_rows_can_be_emptied_and_filled(editor, paper):
    rows = [{"dataset": "海象集", "value": True}]
    answer = save(editor, paper, limitations=" \n ", benchmarks=json.dumps(rows), concepts="甲\n\n 乙 ")
    assert answer.status_code == 302
    stored = stored_object()
    assert stored["results"]["limitations"] == []
    assert stored["results"]["benchmarks"] == rows
    assert stored["prerequisites"]["concepts"] == ["甲", "乙"]


@pytest.mark.parametrize(
    ("field", "text", "words"),
    [
        ("title_zh", "", "这个字段是必填项"),
        ("title_zh", "长" * 301, "最多 300 个字符"),
        ("one_line", "Summary generation failed", "失败提示"),
        ("problem", " \n ", "这个字段是必填项"),
        ("key_idea", "N/A", "失败提示"),
        ("overview", "长" * 20_001, "最多 20000 个字符"),
        ("tags", "\n", "这个字段是必填项"),
        ("tags", "好\n" + "长" * 101, "tags.1：标签最多 100 个字符"),
        ("tags", "好\n暂无", "没有内容"),
        ("tags", "RAG\nrag", "已经有了"),
        ("tags", "\n".join(f"标签{number}" for number in range(21)), "最多 20 个标签"),
        ("steps", "\n".join(["步"] * 201), "最多 200 项"),
        ("benchmarks", "[{", "不是正确的 JSON：第 1 行"),
        ("benchmarks", '["MMLU"]', "应当是对象"),
        ("benchmarks", '{"a": 1}', "应当是列表"),
        ("benchmarks", "[" * 100_000, "不是可以保存的 JSON"),
    ],
    ids=[
        *("title blank", "title long", "failure", "blank", "N/A", "text long", "tags blank", "tag long", "tag empty"),
        *("tag twice", "tags many", "items many", "no json", "no object", "no list", "deep json"),
    ],
)
def test_what_an_agent_could_not_store_is_refused_at_its_field(editor, paper, field, text, words):
    before = PaperSummary.objects.values().get()
    answer = save(editor, paper, **{field: text})
    errors = errors_of(answer)
    assert list(errors) == [field]
    assert words in " ".join(errors[field])
    assert PaperSummary.objects.values().get() == before
    assert not LogEntry.objects.exists()


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        ("", "这个字段是必填项"),
        ("{", "不是正确的 JSON"),
        ("[]", "应当是一个 JSON 对象"),
        (json.dumps({**EXTRA, "title_zh": None}), "title_zh：不能为空"),
        (json.dumps({**EXTRA, "one_line": 3}), "one_line：应当是文字"),
        (json.dumps({**EXTRA, "motivation": "文"}), "motivation：应当是对象"),
        (json.dumps({**EXTRA, "confidence": "\x1b[31m"}), "不能保存的控制字符"),
        (json.dumps({**EXTRA, "confidence": float("nan")}), "不能保存的数"),
        (json.dumps({**EXTRA, "arxiv_id": "2401.99999"}), "另一篇论文"),
    ],
    ids=["blank", "half", "list", "null", "number", "text", "control", "nan", "other paper"],
)
def test_json_is_held_to_the_same_rules(editor, paper, typed, words):
    before = PaperSummary.objects.values().get()
    assert words in " ".join(errors_of(save(editor, paper, "?as=json", whole=typed))["whole"])
    assert PaperSummary.objects.values().get() == before


def test_the_whole_can_be_edited_as_json_and_the_log_names_the_parts(editor, paper):
    typed = {**EXTRA, "confidence": True, "difficulty": "专家", "motivation": {**EXTRA["motivation"], "mood": "好"}}
    assert save(editor, paper, "?as=json", whole=json.dumps(typed)).status_code == 302
    assert stored_object() == typed
    assert PaperSummary.objects.get().difficulty == "专家"
    assert message_of(LogEntry.objects.get()) == "已修改难度，motivation 和 confidence。"


def test_a_page_holds_one_of_the_two_forms_alone(editor, paper):
    assert "whole" not in form_of(editor, address(paper))
    assert "problem" not in form_of(editor, address(paper, "?as=json"))


def test_a_damaged_summary_can_only_be_edited_as_json(editor, paper):
    PaperSummary.objects.update(full_json='{"half')
    assert form_of(editor, address(paper))["whole"] == '{"half'
    assert save(editor, paper, whole=json.dumps(SUMMARY)).status_code == 302
    assert stored_object() == SUMMARY


def test_of_two_editors_the_second_is_told_and_keeps_what_was_typed(editor, paper):
    data = form_of(editor, address(paper), goal="第二个人写下的目标。")
    save(client_of("owner"), paper, difficulty="专家")
    answer = editor.post(address(paper), data)
    page = answer.content.decode()
    assert "已被改动（owner" in page and "第二个人写下的目标。" in page
    assert f'href="{address(paper)}"' in page
    assert stored_object()["motivation"]["goal"] == EXTRA["motivation"]["goal"]
    again = editor.post(address(paper), data)
    assert "已被改动" in again.content.decode(), "sending it once more does not make it pass"


def test_what_is_typed_is_kept_beside_other_errors_too(editor, paper):
    data = form_of(editor, address(paper), goal="第二个人写下的目标。", benchmarks="[")
    save(client_of("owner"), paper, difficulty="专家")
    page = editor.post(address(paper), data).content.decode()
    assert "已被改动" in page and "不是正确的 JSON" in page and "第二个人写下的目标。" in page


def test_a_summary_in_work_is_not_edited_and_that_is_said(editor, paper):
    data = form_of(editor, address(paper), goal="写到一半时开始了重新总结。")
    SummaryStatus.objects.update(status=SummaryState.PROCESSING, owner="x", started_at=timezone.now())
    page = editor.post(address(paper), data).content.decode()
    assert "没有保存：这篇论文正在重新总结" in page and "写到一半时开始了重新总结。" in page
    assert PaperSummary.objects.get().edited_by is None


def test_that_a_summary_in_work_cannot_be_edited_is_said_before_anything_is_typed(editor, paper):
    assert "结束以前不能修改" not in editor.get(address(paper)).content.decode()
    SummaryStatus.objects.update(status=SummaryState.PROCESSING, owner="x", started_at=timezone.now())
    assert "结束以前不能修改" in editor.get(address(paper)).content.decode()
    assert "结束以前不能修改" not in client_of("auditor").get(address(paper)).content.decode()


def test_the_new_grade_is_told_and_that_a_rerun_will_replace_the_edit(editor, paper):
    SummaryStatus.objects.update(status=SummaryState.PENDING)
    answer = editor.post(address(paper), form_of(editor, address(paper), goal=""), follow=True)
    told = " ".join(map(str, answer.context["messages"]))
    assert "总结质量：不完整" in told and "新的总结会替换您的修改" in told


@pytest.mark.parametrize("role", ["operator", "auditor"])
def test_others_read_all_of_it_and_change_nothing(role, paper):
    client = client_of(role)
    PaperSummary.objects.update(edited_at=timezone.now(), edited_by="mei")
    page = client.get(address(paper)).content.decode()
    for text in (SUMMARY["motivation"]["problem"], "第一步 分两行写", "LongBench", "由 mei 于", "confidence"):
        assert text in page
    assert 'name="_save"' not in page and "<textarea" not in page
    assert client.post(address(paper), {"problem": "改"}).status_code == 403
    assert client.get("/admin/papers/papersummary/").status_code == 200


@pytest.mark.parametrize("query", ["", "?as=json"])
def test_hostile_text_stays_text(editor, paper, query):
    hostile = "</textarea><script>alert(1)</script>"
    PaperSummary.objects.update(
        full_json=json.dumps({**EXTRA, "difficulty": hostile, "x": [hostile]}), edited_by=hostile
    )
    for client in (editor, client_of("auditor")):
        assert "<script>alert" not in client.get(address(paper, query)).content.decode()


def test_the_public_page_is_another_at_once_for_caches_too(editor, paper, client):
    page = client.get(paper.get_absolute_url())
    save(editor, paper, problem="海象在长文里迷路，普通的注意力找不到它们。")
    again = client.get(paper.get_absolute_url(), headers={"if-none-match": page["ETag"]})
    assert again.status_code == 200 and "海象在长文里迷路" in again.content.decode()
    assert "editor" not in again.content.decode()


def test_what_is_said_after_an_edit_names_the_summary_as_it_is_now(editor, paper):
    new = "海象的新的一句话：注意力在长文里也不再迷路。"
    data = form_of(editor, address(paper), one_line=new)
    messages = [str(message) for message in editor.post(address(paper), data, follow=True).context["messages"]]
    assert any(new in message for message in messages), messages
    assert LogEntry.objects.get().object_repr == new
