"""The rules of grading, one by one."""

import pytest

from papers.summary.grading import grade
from papers.summary.schema import parse_summary
from tests.summary.samples import FACTS, good_summary, without

IMPORTANT = ["motivation.goal", "motivation.gap", "method.overview", "results.main_findings"]
PROSE = ["one_line", "motivation.problem", "method.key_idea"]


def quality(changes=None, title=FACTS.title):
    return grade(parse_summary(good_summary(changes)), title)


def test_a_complete_summary_is_normal():
    assert quality() == ("normal", ())


@pytest.mark.parametrize("name", IMPORTANT)
def test_a_missing_important_field_makes_it_degraded(name):
    assert grade(parse_summary(without(name))) == ("degraded", (name,))


@pytest.mark.parametrize("name", IMPORTANT)
@pytest.mark.parametrize("value", ["", "无", "N/A", "暂无。", "生成失败", "未提及"])
def test_a_placeholder_for_an_important_field_counts_as_missing(name, value):
    given = [value] if name == "results.main_findings" else value
    assert quality({name: given}) == ("degraded", (name,))


@pytest.mark.parametrize(
    "name", ["results.limitations", "improvements", "prerequisites", "results.benchmarks", "method.steps", "difficulty"]
)
def test_a_missing_optional_field_changes_nothing(name):
    assert grade(parse_summary(without(name))) == ("normal", ())


@pytest.mark.parametrize("name", [*PROSE, "title_zh"])
@pytest.mark.parametrize("value", ["无", "暂无", "……", "未提及"])
def test_a_required_field_that_says_nothing_makes_it_low(name, value):
    assert quality({name: value})[0] == "low"


@pytest.mark.parametrize("name", PROSE)
@pytest.mark.parametrize(
    "value",
    ["本文提出了一种方法。", "好。", FACTS.title, good_summary()["title_zh"], "检索 即条件:检索器与生成器的联合训练。"],
)
def test_an_empty_sentence_a_short_one_or_the_title_makes_it_low(name, value):
    assert quality({name: value})[0] == "low"


@pytest.mark.parametrize(
    ("one", "other"), [("one_line", "motivation.problem"), ("motivation.problem", "method.key_idea")]
)
def test_required_fields_that_equal_each_other_make_it_low(one, other):
    assert quality({one: "现有方法 在长文本上代价很高", other: "现有方法在长文本上代价很高。"})[0] == "low"


def test_an_untranslated_title_makes_it_low_and_a_name_does_not():
    assert quality({"title_zh": FACTS.title})[0] == "low"
    assert quality({"title_zh": "Qwen3"}, title="Qwen3")[0] == "normal"


def test_one_sentence_said_again_and_again_makes_it_low():
    said = "该方法显著优于现有基线"
    assert quality({"one_line": f"{said}。" * 3})[0] == "low"
    assert quality({"method.key_idea": f"{said}。{said}！"})[0] == "low"
    everywhere = {"motivation.goal": said, "motivation.gap": said, "method.overview": said, "method.novelty": said}
    assert quality(everywhere | {"method.steps": [said] * 9})[0] == "low"
    assert quality({"motivation.goal": said, "motivation.gap": said})[0] == "normal"


def test_a_summary_with_little_chinese_is_low():
    english = dict.fromkeys(
        IMPORTANT[:3], "This text is written in English, and rather long at that, so that it weighs."
    )
    assert (
        quality(english | {"method.novelty": "More English words follow here, and more again, to weigh. " * 20})[0]
        == "low"
    )


def test_low_beats_degraded_and_still_names_what_is_missing():
    assert quality({"one_line": "无", "motivation.goal": ""}) == ("low", ("motivation.goal",))


def test_sentences_that_differ_are_not_repeated():
    assert quality({"one_line": "模型 A 得分 71.3。模型 B 得分 68.9。模型 C 得分 55.0。"})[0] == "normal"
