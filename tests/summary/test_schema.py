"""Reading an object into the schema."""

import pytest

from papers.summary.errors import SummaryRejected
from papers.summary.schema import parse_summary
from tests.summary.samples import good_summary, without

REQUIRED = ["title_zh", "one_line", "tags", "motivation.problem", "method.key_idea"]
TEXTS = ["title_zh", "one_line", "motivation.problem", "method.key_idea"]


def error_type(value):
    with pytest.raises(SummaryRejected) as caught:
        parse_summary(value)
    return caught.value.error_type


def test_a_good_summary_is_kept_as_it_is():
    assert parse_summary(good_summary()).model_dump() == good_summary()


@pytest.mark.parametrize("name", REQUIRED)
@pytest.mark.parametrize("value", [None, "", "  ", "\n"])
def test_a_required_field_that_is_blank_is_missing(name, value):
    assert error_type(good_summary({name: value})) == "field_missing"
    assert error_type(without(name)) == "field_missing"


@pytest.mark.parametrize("name", TEXTS)
@pytest.mark.parametrize("value", ["Error", "N/A", "Summary generation failed", "生成失败"])
def test_a_report_of_failure_is_no_field(name, value):
    assert error_type(good_summary({name: value})) == "field_missing"


@pytest.mark.parametrize("value", [[], [" ", ""], [None], ["无", "N/A"]])
def test_tags_that_are_none_are_missing(value):
    assert error_type(good_summary({"tags": value})) == "field_missing"


@pytest.mark.parametrize("name", ["motivation", "method"])
def test_a_required_part_that_is_null_or_empty_is_missing(name):
    assert error_type(good_summary({name: None})) == "field_missing"
    assert error_type(good_summary({name: {}})) == "field_missing"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        (name, wrong)
        for name in [*TEXTS, "motivation.goal", "method.overview", "difficulty"]
        for wrong in ({"zh": "文"}, 3, ["文"], True)
    ]
    + [
        (name, wrong)
        for name in ["tags", "results.main_findings", "method.steps"]
        for wrong in ({"zh": []}, 3, "一步", [3], [{"a": "b"}])
    ]
    + [("results.benchmarks", ["MMLU"]), ("motivation", "文"), ("prerequisites", ["文"]), ("paper_date", 20240601)],
)
def test_a_wrong_type_is_a_schema_error(name, value):
    assert error_type(good_summary({name: value})) == "schema_error"


@pytest.mark.parametrize(
    "name",
    [
        "difficulty",
        "paper_date",
        "prerequisites",
        "motivation.goal",
        "method.steps",
        "results",
        "results.main_findings",
        "improvements",
    ],
)
def test_an_optional_field_that_is_null_or_absent_takes_its_default(name):
    absent = parse_summary(without(name))
    assert parse_summary(good_summary({name: None})) == absent


def test_blank_items_of_lists_are_dropped():
    assert parse_summary(good_summary({"method.steps": ["甲", None, " "]})).method.steps == ["甲"]


def test_tags_that_fold_alike_are_one_and_twenty_are_kept():
    tags = [" RAG ", "rag", "ＲＡＧ", "多 模态", "多模态", *(f"标签{i}" for i in range(60))]
    kept = parse_summary(good_summary({"tags": tags})).tags
    assert kept[:3] == ["RAG", "多 模态", "标签0"]
    assert len(kept) == 20


def test_the_message_names_fields_and_not_their_values():
    with pytest.raises(SummaryRejected, match=r"motivation\.problem: .*method\.key_idea: ") as caught:
        parse_summary(without("motivation.problem", "method.key_idea"))
    assert "检索" not in str(caught.value)
