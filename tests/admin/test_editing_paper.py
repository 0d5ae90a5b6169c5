"""Papers corrected in the admin: titles and tags, of which some are part of the summary."""

import json

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission, User
from django.test import Client
from django.utils import timezone

from operations.files import META_NAME, SUMMARY_NAME, paper_folder
from papers.models import Paper, PaperSummary, PaperTag, SummaryState, SummaryStatus, UserBookmark, UserNote
from papers.search.index import index_problems
from papers.search.results import search
from tests.admin.forms import form_of
from tests.factories import SUMMARY, make_paper, make_summary
from tests.roles import client_of

LIST = "/admin/papers/paper/"


@pytest.fixture
def editor(db):
    return client_of("editor")


@pytest.fixture
def paper(db) -> Paper:
    paper = make_paper(tags=["hf tag"], abstract="One paragraph\nof two lines.\n\nAnother.")
    make_summary(paper)
    return paper


def address(paper: Paper) -> str:
    return f"{LIST}{paper.pk}/change/"


def save(client, paper, **changes):
    return client.post(address(paper), form_of(client, address(paper), **changes))


def tag_field(paper: Paper, tag: str, field: str = "tag") -> str:
    """The name of the field of a tag on the page."""
    return f"tags-{list(paper.tags.values_list('tag', flat=True)).index(tag)}-{field}"


def tags_of(paper: Paper) -> list[tuple[str, str]]:
    return list(paper.tags.values_list("tag", "source"))


def summary_file(paper: Paper) -> dict:
    return json.loads((paper_folder(paper.arxiv_id) / SUMMARY_NAME).read_text("utf-8"))


def errors_of(answer) -> dict:
    assert answer.status_code == 200, "the form comes back"
    return answer.context["adminform"].form.errors


def tag_errors_of(answer) -> str:
    assert answer.status_code == 200, "the form comes back"
    tags = next(each.formset for each in answer.context["inline_admin_formsets"] if each.formset.prefix == "tags")
    return " ".join(
        [*tags.non_form_errors(), *(word for form in tags.forms for words in form.errors.values() for word in words)]
    )


def test_an_editor_corrects_the_english_title(editor, paper, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        assert save(editor, paper, title_en="The Walrus").status_code == 302
    assert [hit.paper_id for hit in search("walrus").hits] == [paper.pk]
    assert not search("sparse attention").hits
    assert json.loads((paper_folder(paper.arxiv_id) / META_NAME).read_text("utf-8"))["title_en"] == "The Walrus"
    entry = LogEntry.objects.get()
    assert (entry.user.username, entry.get_change_message()) == ("editor", "已修改英文标题。")


def test_the_chinese_title_is_changed_in_the_summary_too(editor, paper):
    assert save(editor, paper, title_zh=" 海象 注意力 ").status_code == 302
    stored = PaperSummary.objects.get()
    assert json.loads(stored.full_json)["title_zh"] == summary_file(paper)["title_zh"] == "海象 注意力"
    assert (stored.edited_by, Paper.objects.get().title_zh) == ("editor", "海象 注意力")
    assert search("海象").hits and not index_problems()


def test_tags_of_the_agent_are_changed_in_the_summary_too(editor, paper):
    changes = {tag_field(paper, "稀疏注意力"): "海象", tag_field(paper, "长上下文", "DELETE"): "on"}
    assert save(editor, paper, **changes).status_code == 302
    assert sorted(tags_of(paper)) == [("hf tag", "hf"), ("海象", "ai")]
    assert summary_file(paper)["tags"] == ["海象"]
    assert json.loads(PaperSummary.objects.get().full_json)["tags"] == ["海象"]
    assert search("tag:海象").hits and not search("tag:长上下文").hits
    assert "海象" in LogEntry.objects.get().get_change_message()


def test_other_tags_leave_the_summary_alone(editor, paper):
    new = f"tags-{paper.tags.count()}-tag"
    assert save(editor, paper, **{tag_field(paper, "hf tag"): "renamed", new: "mine"}).status_code == 302
    assert set(tags_of(paper)) >= {("renamed", "hf"), ("mine", "user")}
    assert PaperSummary.objects.get().edited_by is None
    assert search("tag:mine").hits and not search('tag:"hf tag"').hits


def test_title_and_tags_of_a_summary_can_be_changed_at_once(editor, paper):
    assert save(editor, paper, title_zh="海象注意力", **{tag_field(paper, "长上下文"): "海象"}).status_code == 302
    assert (summary_file(paper)["title_zh"], summary_file(paper)["tags"]) == ("海象注意力", ["稀疏注意力", "海象"])


def test_tags_can_change_places(editor, paper):
    changes = {tag_field(paper, "稀疏注意力"): "长上下文", tag_field(paper, "长上下文"): "稀疏注意力"}
    assert save(editor, paper, **changes).status_code == 302
    assert summary_file(paper)["tags"] == ["长上下文", "稀疏注意力"]


def test_a_tag_can_take_the_name_of_one_that_goes(editor, db):
    paper = make_paper(tags=["one", "two"])
    changes = {tag_field(paper, "one"): "two", tag_field(paper, "two", "DELETE"): "on"}
    assert save(editor, paper, **changes).status_code == 302
    assert tags_of(paper) == [("two", "hf")]


@pytest.mark.parametrize(
    ("title", "words"),
    [("", "不能为空"), ("长" * 301, "最多 300 个字符"), ("翻译失败", "失败提示"), ("N/A", "失败提示")],
    ids=["blank", "long", "failure", "N/A"],
)
def test_a_chinese_title_that_no_summary_may_have_is_refused_at_its_field(editor, paper, title, words):
    errors = errors_of(save(editor, paper, title_zh=title))
    assert list(errors) == ["title_zh"] and words in errors["title_zh"][0]
    assert Paper.objects.get().title_zh == SUMMARY["title_zh"]


def test_without_a_summary_the_chinese_title_is_free(editor, db):
    paper = make_paper(title_zh="旧")
    assert save(editor, paper, title_zh="").status_code == 302
    assert Paper.objects.get().title_zh is None


@pytest.mark.parametrize(
    ("tag", "words"),
    [("N/A", "失败提示"), ("暂无", "没有内容"), ("长" * 101, "最多 100 个字符"), ("长上下文 ", "已经有了")],
    ids=["failure", "empty", "long", "twice"],
)
def test_a_tag_that_no_summary_may_have_is_refused_at_its_field(editor, paper, tag, words):
    answer = save(editor, paper, **{tag_field(paper, "稀疏注意力"): tag})
    assert words in tag_errors_of(answer)
    assert ("稀疏注意力", "ai") in tags_of(paper)


def test_the_last_tag_of_a_summary_cannot_go(editor, paper):
    changes = {tag_field(paper, tag, "DELETE"): "on" for tag in SUMMARY["tags"]}
    assert "至少要有一个标签" in tag_errors_of(save(editor, paper, **changes))
    assert len(tags_of(paper)) == 3


def test_what_is_wrong_with_another_part_is_told_and_where_to_mend_it(editor, paper):
    PaperSummary.objects.update(full_json=json.dumps({**SUMMARY, "one_line": ""}))
    told = errors_of(save(editor, paper, title_zh="海象注意力"))
    assert told == {"__all__": ["总结没有通过检查，请在总结的页面上修改。one_line：不能为空。"]}


def test_an_editor_without_a_right_to_tags_corrects_titles_alone(paper):
    user = User.objects.create_user("titles", is_staff=True)
    user.user_permissions.set(Permission.objects.filter(codename__in=["view_paper", "change_paper"]))
    client = Client()
    client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    data = form_of(client, address(paper), title_zh="海象注意力") | {tag_field(paper, "长上下文"): "改了"}
    assert client.post(address(paper), data).status_code == 302
    assert Paper.objects.get().title_zh == "海象注意力"
    assert ("长上下文", "ai") in tags_of(paper) and summary_file(paper)["tags"] == SUMMARY["tags"]


def test_a_failure_in_the_list_leads_to_its_attempts(editor, paper):
    SummaryStatus.objects.update(error_type="timeout")
    assert f'<a href="{LIST}{paper.pk}/attempt/">超时</a>' in editor.get(LIST).content.decode()


def test_a_title_of_a_summary_that_was_changed_meanwhile_is_refused(editor, paper):
    data = form_of(editor, address(paper), title_zh="第二个人的标题")
    save(client_of("owner"), paper, title_zh="第一个人的标题")
    page = editor.post(address(paper), data).content.decode()
    assert "已被改动（owner" in page and "第二个人的标题" in page
    assert Paper.objects.get().title_zh == "第一个人的标题"


def test_tags_of_a_summary_that_was_made_again_meanwhile_are_refused(editor, paper):
    data = form_of(editor, address(paper), **{tag_field(paper, "稀疏注意力"): "海象"})
    PaperSummary.objects.update(updated_at=timezone.now())
    answer = editor.post(address(paper), data)
    assert "已被改动（重新总结" in tag_errors_of(answer)
    PaperTag.objects.filter(source="ai").delete()
    assert editor.post(address(paper), data).status_code == 200, "tags that are gone are no server error"


def test_what_is_no_part_of_the_summary_can_be_corrected_all_the_same(editor, paper):
    data = form_of(editor, address(paper), abstract="Another abstract.")
    PaperSummary.objects.update(updated_at=timezone.now())
    SummaryStatus.objects.update(status=SummaryState.PROCESSING, owner="x", started_at=timezone.now())
    assert editor.post(address(paper), data).status_code == 302
    assert Paper.objects.get().abstract == "Another abstract."


def test_a_title_is_not_changed_while_the_summary_is_being_made(editor, paper):
    SummaryStatus.objects.update(status=SummaryState.PROCESSING, owner="x", started_at=timezone.now())
    assert "正在重新总结" in " ".join(errors_of(save(editor, paper, title_zh="新的标题"))["__all__"])


def test_a_form_that_was_not_touched_changes_nothing(editor, paper):
    before = Paper.objects.values().get(), PaperSummary.objects.values().get()
    assert save(editor, paper).status_code == 302
    assert (Paper.objects.values().get(), PaperSummary.objects.values().get()) == before


def test_what_was_refreshed_while_the_page_was_open_is_left_alone(editor, paper):
    data = form_of(editor, address(paper), organization="A university")
    Paper.objects.update(abstract="A newer abstract.", code_url="https://github.com/a/b")
    assert editor.post(address(paper), data).status_code == 302
    stored = Paper.objects.get()
    assert (stored.organization, stored.abstract) == ("A university", "A newer abstract.")
    assert stored.code_url == "https://github.com/a/b"


def test_a_correction_counts_though_another_field_is_refused_first(editor, paper):
    data = form_of(editor, address(paper), organization="A university", code_url="no address")
    answer = editor.post(address(paper), data)
    assert "code_url" in errors_of(answer)
    assert 'name="initial-organization"' in answer.content.decode()
    assert editor.post(address(paper), {**data, "code_url": ""}).status_code == 302
    assert Paper.objects.get().organization == "A university"


def test_every_column_is_on_the_page(editor, paper):
    fieldsets = editor.get(address(paper)).context["adminform"].fieldsets
    shown = {name for _heading, options in fieldsets for name in options["fields"]}
    assert shown >= {field.name for field in Paper._meta.fields} - {
        "id",
        "meta_path",
        "summary_path",
        "raw_output_path",
    }
    assert "files" in shown, "the paths are shown together"


@pytest.mark.parametrize("role", ["operator", "auditor"])
def test_others_read_the_page_and_change_nothing(role, paper):
    client = client_of(role)
    page = client.get(address(paper)).content.decode()
    assert paper.title_en in page and "长上下文" in page
    assert 'name="_save"' not in page and 'name="title_en"' not in page and 'name="tags-0-tag"' not in page
    assert client.post(address(paper), {"title_en": "Changed"}).status_code == 403


def test_a_tag_that_is_added_is_said_to_be_given_by_hand(editor, paper):
    assert editor.get(address(paper)).content.decode().count("<p>手动</p>") >= 1


def test_the_page_leads_to_what_belongs_to_the_paper(editor, paper):
    page = editor.get(address(paper)).content.decode()
    for link in (
        f"/admin/papers/papersummary/{paper.pk}/change/",
        f"{LIST}{paper.pk}/attempt/",
        paper.get_absolute_url(),
    ):
        assert f'href="{link}"' in page


def test_a_paper_with_thousands_of_authors_has_a_page_of_its_own_size(editor, db):
    paper = make_paper(authors=[f"Author {number}" for number in range(3_000)])
    page = editor.get(address(paper)).content.decode()
    assert "Author 99" in page and "Author 100" not in page


# ---------------------------------------------------------------- what is the owner's alone


@pytest.mark.parametrize(("model", "name"), [(UserNote, "has_note"), (UserBookmark, "has_bookmark")])
def test_the_owner_finds_papers_by_what_is_private_and_nobody_else(owner, editor, paper, model, name):
    other = make_paper()
    now = timezone.now()
    times = {"updated_at": now, "content": "x"} if model is UserNote else {}
    model.objects.create(paper=paper, created_at=now, **times)
    for value, expected in (("yes", {paper.pk}), ("no", {other.pk}), ("x", {paper.pk, other.pk})):
        answer = owner.get(LIST, {name: value})
        assert {row.pk for row in answer.context["cl"].result_list} == expected
    for client in (editor, client_of("operator"), client_of("auditor")):
        assert name not in client.get(LIST).content.decode()
        assert client.get(LIST, {name: "yes"}).status_code == 400
