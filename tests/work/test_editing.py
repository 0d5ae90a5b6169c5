"""Corrections by hand reach tables, index and files together, or not at all."""

import json
import threading
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection
from django.utils import timezone

from operations import editing
from operations.checks import files, index, statuses
from operations.editing import SummaryChanged, SummaryInWork, correct_paper, edit_summary, version_of, with_changes
from operations.files import META_NAME, SUMMARY_NAME, paper_folder, relative
from operations.meta_files import write_meta_files
from papers.models import Paper, PaperSummary, SummaryState, SummaryStatus
from papers.search.results import search
from papers.summary.errors import SummaryRejected
from papers.summary.reading import PaperFacts, check_summary
from papers.summary.storage import store_summary
from tests.factories import SUMMARY, make_paper, make_summary

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("data_dir")]
EDITORS = 6


@pytest.fixture
def paper() -> Paper:
    paper = make_paper(tags=["hf tag"])
    make_summary(paper, source_version=3)
    path = paper_folder(paper.arxiv_id) / SUMMARY_NAME
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(SUMMARY), "utf-8")
    Paper.objects.filter(pk=paper.pk).update(
        summary_path=relative(path), meta_path=relative(path.with_name(META_NAME)), raw_output_path=None
    )
    write_meta_files([paper.arxiv_id])
    return Paper.objects.get(pk=paper.pk)


def edit(paper: Paper, changes: dict, *, seen: str | None = None, by: str | None = "mei"):
    stored = PaperSummary.objects.get(pk=paper.pk)
    return edit_summary(paper.pk, with_changes(SUMMARY, changes), seen=seen or version_of(stored), by=by)


def file_of(paper: Paper) -> dict:
    return json.loads((paper_folder(paper.arxiv_id) / SUMMARY_NAME).read_text("utf-8"))


def all_problems() -> list:
    return [*files.problems(), *index.problems(), *statuses.problems()]


def test_an_edited_summary_reaches_columns_tags_index_file_and_grade(paper):
    edit(
        paper,
        {
            "motivation.problem": "海象在长文里迷路，普通的注意力找不到它们。",
            "tags": ["海象", "稀疏注意力"],
            "title_zh": "海象注意力",
        },
    )
    paper.refresh_from_db()
    stored = paper.summary
    assert stored.motivation_problem.startswith("海象在长文里迷路")
    assert (paper.title_zh, stored.source_version, stored.edited_by) == ("海象注意力", 3, "mei")
    assert stored.edited_at == stored.updated_at
    assert set(paper.tags.values_list("tag", "source")) == {("hf tag", "hf"), ("海象", "ai"), ("稀疏注意力", "ai")}
    assert json.loads(stored.full_json) == file_of(paper)
    assert [hit.paper_id for hit in search("海象在长文里迷路").hits] == [paper.pk]
    assert not search("普通显卡难以承受").hits, "the old words are found no longer"
    assert not search("tag:长上下文").hits
    assert all_problems() == []


def test_the_summary_is_graded_anew_in_both_places_and_its_state_stays(paper):
    SummaryStatus.objects.filter(paper=paper).update(status=SummaryState.PENDING, retry_count=1)
    edit(paper, {"motivation.goal": ""})
    status = SummaryStatus.objects.get(paper=paper)
    assert (status.status, status.quality, status.retry_count) == ("pending", "degraded", 1)
    assert Paper.objects.get().summary_quality == "degraded"


def test_keys_beyond_the_schema_stay_and_order_too():
    full = {"extra": {"a": 1}, **SUMMARY, "motivation": {**SUMMARY["motivation"], "mood": "好"}}
    changed = with_changes(full, {"motivation.goal": "目标变了", "prerequisites.level": "本科"})
    assert changed["extra"] == {"a": 1} and changed["motivation"]["mood"] == "好"
    assert list(changed) == list(full) and full["motivation"]["goal"] != "目标变了"


@pytest.mark.parametrize("part", [None, "文", []])
def test_a_part_that_is_no_object_is_made_one(part):
    assert with_changes({"prerequisites": part}, {"prerequisites.level": "本科"}) == {
        "prerequisites": {"level": "本科"}
    }


@pytest.mark.parametrize(
    ("changes", "field", "code"),
    [
        ({"title_zh": "  "}, "title_zh", "blank"),
        ({"title_zh": "长" * 301}, "title_zh", "string_too_long"),
        ({"one_line": "Summary generation failed"}, "one_line", "failure"),
        ({"motivation.problem": ""}, "motivation.problem", "blank"),
        ({"method.steps": ["一", 2]}, "method.steps.1", "string_type"),
        ({"results.benchmarks": ["MMLU"]}, "results.benchmarks.0", "dict_type"),
        ({"tags": []}, "tags", "no_tag"),
        ({"tags": ["好", "N/A"]}, "tags.1", "failure"),
        ({"tags": ["好", "暂无"]}, "tags.1", "says_nothing"),
        ({"tags": ["好", "长" * 101]}, "tags.1", "tag_too_long"),
        ({"tags": ["RAG", "ｒａｇ"]}, "tags.1", "tag_twice"),
        ({"tags": [f"标签{number}" for number in range(21)]}, "tags", "too_many_tags"),
    ],
)
def test_what_would_be_refused_from_an_agent_is_refused_by_its_field(paper, changes, field, code):
    before = PaperSummary.objects.values().get(pk=paper.pk), file_of(paper)
    with pytest.raises(SummaryRejected) as refused:
        edit(paper, changes)
    assert [(each.field, each.code) for each in refused.value.problems] == [(field, code)]
    assert (PaperSummary.objects.values().get(pk=paper.pk), file_of(paper)) == before


@pytest.mark.parametrize(
    ("changes", "code"),
    [
        ({"arxiv_id": "2401.99999"}, "other_paper"),
        (
            dict.fromkeys(
                ("one_line", "motivation.problem", "method.key_idea", "method.overview"), "english words " * 300
            ),
            "not_chinese",
        ),
    ],
)
def test_what_is_wrong_with_the_whole_names_no_field(paper, changes, code):
    with pytest.raises(SummaryRejected) as refused:
        edit(paper, changes)
    assert [(each.field, each.code) for each in refused.value.problems] == [("", code)]


def test_tags_of_the_agent_that_were_left_out_do_not_stand_in_the_way_of_other_edits(paper):
    many = {**SUMMARY, "tags": [*(f"标签{number}" for number in range(30)), "N/A"]}
    PaperSummary.objects.filter(pk=paper.pk).update(full_json=json.dumps(many))
    stored = PaperSummary.objects.get(pk=paper.pk)
    edit_summary(paper.pk, with_changes(many, {"difficulty": "专家"}), seen=version_of(stored), by="mei")
    assert PaperSummary.objects.get().difficulty == "专家"
    assert paper.tags.filter(source="ai").count() == 20


def test_of_two_who_edit_the_second_is_refused(paper):
    seen = version_of(PaperSummary.objects.get(pk=paper.pk))
    edit(paper, {"difficulty": "专家"}, seen=seen)
    with pytest.raises(SummaryChanged):
        edit(paper, {"difficulty": "入门"}, seen=seen)
    assert PaperSummary.objects.get().difficulty == "专家" == file_of(paper)["difficulty"]


def test_a_summary_that_is_being_made_again_is_not_edited(paper):
    SummaryStatus.objects.filter(paper=paper).update(
        status=SummaryState.PROCESSING, owner="x", started_at=timezone.now()
    )
    with pytest.raises(SummaryInWork):
        edit(paper, {"difficulty": "专家"})
    assert PaperSummary.objects.get().difficulty == "中等" == file_of(paper)["difficulty"]


def test_what_cannot_be_stored_leaves_the_file_as_it_was(paper, monkeypatch):
    monkeypatch.setattr(editing.states, "regrade", lambda *_: False)
    with pytest.raises(SummaryInWork):
        edit(paper, {"difficulty": "专家"})
    assert file_of(paper) == SUMMARY
    assert sorted(path.name for path in paper_folder(paper.arxiv_id).iterdir()) == [META_NAME, SUMMARY_NAME]


def test_a_new_summary_forgets_that_the_old_one_was_edited(paper):
    edit(paper, {"difficulty": "专家"})
    checked = check_summary(SUMMARY, PaperFacts(paper.arxiv_id, paper.title_en))
    store_summary(paper, checked, now=timezone.now(), source_version=4, summary_path=None)
    assert PaperSummary.objects.values_list("edited_at", "edited_by").get() == (None, None)


def test_a_corrected_paper_reaches_index_and_meta_json(paper, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        correct_paper(paper, columns={"title_en": "The Walrus"}, by="mei")
    meta = json.loads((paper_folder(paper.arxiv_id) / META_NAME).read_text("utf-8"))
    assert meta["title_en"] == "The Walrus"
    assert [hit.paper_id for hit in search("walrus").hits] == [paper.pk]
    assert not search("sparse attention").hits
    assert all_problems() == []
    assert PaperSummary.objects.get().edited_by is None, "the summary itself was not edited"


def test_a_title_that_the_summary_only_repeats_lowers_its_grade(paper):
    correct_paper(paper, columns={"title_en": SUMMARY["one_line"]}, by=None)
    status = SummaryStatus.objects.get(paper=paper)
    assert (Paper.objects.get().summary_quality, status.quality, status.status) == ("low", "low", "done")


@pytest.mark.django_db(transaction=True)
def test_of_many_who_edit_at_the_same_moment_one_wins_everywhere(paper):
    seen, together = version_of(PaperSummary.objects.get(pk=paper.pk)), threading.Barrier(EDITORS)

    def edit_as(number: int) -> int | None:
        try:
            together.wait()
            edit_summary(paper.pk, with_changes(SUMMARY, {"difficulty": f"第{number}级"}), seen=seen, by=str(number))
        except SummaryChanged:
            return None
        finally:
            connection.close()
        return number

    with ThreadPoolExecutor(EDITORS) as pool:
        [winner] = [number for number in pool.map(edit_as, range(EDITORS)) if number is not None]
    stored = PaperSummary.objects.get()
    assert (stored.difficulty, stored.edited_by, file_of(paper)["difficulty"]) == (
        f"第{winner}级",
        str(winner),
        f"第{winner}级",
    )
    assert all_problems() == []
