"""Finding the object meant in what a model wrote."""

import contextlib
import json
import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from papers.summary.json_extraction import JsonInvalid, JsonNotFound, find_json_object
from papers.summary.json_values import DamagedText, NotFinite, Unstorable


def accept(value):
    if not isinstance(value.get("tldr"), str) or not isinstance(value.get("score"), int | float):
        raise ValueError("not what was asked for")
    return value


def find(raw):
    return find_json_object(raw, accept)


GOOD = {"tldr": "短摘要", "score": 4}
TEXT = json.dumps(GOOD, ensure_ascii=False)


def test_every_recorded_damage_ends_as_a_careful_reader_would_end_it(recorded):
    wrong = []
    rows = [json.loads(line) for line in (recorded / "broken_json.jsonl").read_text("utf-8").splitlines()]
    for row in rows:
        try:
            found = find(row["raw"])
        except ValueError:
            found = None
        if found != row["want"]:
            wrong.append(row["kind"])
    assert len(rows) >= 36
    assert wrong == []


@pytest.mark.parametrize(
    "raw",
    [
        f"```json\n{TEXT}\n```",
        f"~~~\n{TEXT}\n~~~",
        f"集合 {{甲, 乙}} 与 {{a: 1}} 之后：{TEXT} 以上。",
        f'<think>草稿 {{"tldr": "x", "score": 1}}</think>{TEXT}',
        f"<THINK>提到 </think> 标签\n</think>\n{TEXT}",
        f'<think>没有结束 {{"tldr": "草\n{TEXT}',
        f'先想一想 {{"tldr": "dr\n</think>\n{TEXT}',
        f'{TEXT}\n<think>再检查 {{"tldr": "x", "score": 1}}</think>',
        f"{TEXT}\n注意 `</think>` 标签。",
        f"\ufeff\u00a0{TEXT}",
        '{"a": 1} ' * 5000 + TEXT,
        f"[{TEXT}]",
        f'{{"answer": {{"result": {TEXT}}}}}',
        f'{{"answer": [{TEXT}]}}',
        f'{{"tldr": "草稿", "score": 1}}\n{TEXT}',
        f'{TEXT}\n{{"done": true}}',
        f'{TEXT}\n{{"tldr": "没写完',
        "{'tldr': '短摘要', 'score': 4}",
        "{‘tldr’: ‘短摘要’, ‘score’: 4}",
        '{tldr: "短摘要", score: 4}',
        '{"tldr"："短摘要"，\n"score"：4，}',
        '{"tldr": "短摘要", # 注释\n "score": 4}',
    ],
)
def test_the_object_is_found_past_what_stands_round_it(raw):
    assert find(raw) == GOOD


@pytest.mark.parametrize(
    "text",
    [
        "在 <think> 与 </think> 之间推理",
        "</think>",
        "运行 ```pip install x``` 即可",
        "集合 {a, b} 与 [c]",
        '键 {"tldr": "假", "score": 1} 不算',
        "// 不是注释 /* 也不是 */ # 也不是",
        "True, None, NaN",
        "路径 C:\\新 与 \\name{}",
        "“弯引号”，全角：标点",
        "第一行\n第二行\t缩进",
    ],
)
def test_markup_that_a_text_only_mentions_survives(text):
    wanted = {"tldr": text, "score": 1}
    assert find(json.dumps(wanted, ensure_ascii=False)) == wanted
    assert find(f"```json\n{json.dumps(wanted)},\n```") == wanted


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ('提出"对齐税"概念', '提出"对齐税"概念'),
        ('"甲"与"乙"', '"甲"与"乙"'),
        ('称"首次"', '称"首次"'),
        ('"甲"：说明', '"甲"：说明'),
        ("第一行\n第二行", "第一行\n第二行"),
        ("提出“对齐税”", "提出“对齐税”"),
        ('已转义\\"甲\\"与"乙"', '已转义"甲"与"乙"'),
    ],
)
def test_quotes_and_line_ends_inside_strings_are_kept(written, meant):
    assert find(f'{{"tldr": "{written}", "score": 1}}')["tldr"] == meant
    assert find(f'{{"score": 1, "tldr": "{written}"}}')["tldr"] == meant
    listed = find(f'{{"tldr": "x", "steps": ["{written}", "末尾"], "score": 1}}')
    assert listed["steps"] == [meant, "末尾"]


@pytest.mark.parametrize(
    ("raw", "wanted"),
    [
        ('{"tldr": "x" "score": 1}', {"tldr": "x", "score": 1}),
        ('{"tldr": "x", "score": 1 "more": [1, 2,],}', {"tldr": "x", "score": 1, "more": [1, 2]}),
        ('{"tldr": "x", "score": 1, "more": ["a"\n"b"]}', {"tldr": "x", "score": 1, "more": ["a", "b"]}),
        ('{"tldr": "x", "more": {"a": 1} "score": 1}', {"tldr": "x", "more": {"a": 1}, "score": 1}),
        (
            '{"tldr": "x", "more": [{"a": 1} {"b": 2}], "score": 1}',
            {"tldr": "x", "more": [{"a": 1}, {"b": 2}], "score": 1},
        ),
        ('{"tldr": "x", "open": False, "score": 01}', {"tldr": "x", "open": False, "score": 1}),
    ],
)
def test_commas_and_literals_are_mended(raw, wanted):
    assert find(raw) == wanted


@pytest.mark.parametrize(
    "raw",
    ["", " \n\n", "\ufeff", "抱歉，我无法处理这个请求。", "Hello! What would you like?", "tldr: x", "[1] 见 {a, b}"],
)
def test_prose_holds_no_object(raw):
    with pytest.raises(JsonNotFound):
        find(raw)


@pytest.mark.parametrize(
    "raw",
    [
        '{"tldr": "短摘要", "score": 4',
        '{"tldr": "短摘',
        '{"tldr": "短摘要",',
        "{",
        '{"tl',
        f"[{TEXT}",
        f'{{"result": {TEXT}',
        f'```json\n{{"result": {TEXT}\n```',
        f"<think>{TEXT}</think>\n" + '{"tldr": "真',
        '{"tldr": "<一句话>", "score": <1-5>}',
        '{"tldr": ..., "score": 4}',
        '{"tldr": "x", "score": 4]',
        '{"tldr": "x", "score": ' + "9" * 5000 + "}",
    ],
)
def test_what_is_cut_off_or_a_template_is_refused(raw):
    with pytest.raises(JsonInvalid):
        find(raw)


def test_reasoning_alone_is_no_answer():
    with pytest.raises(JsonNotFound):
        find(f"<think>{TEXT}</think>")


@pytest.mark.parametrize(
    ("value", "error"),
    [
        ("a\\u0000b", DamagedText),
        ("a\\u0008b", DamagedText),
        ("\\ud800", DamagedText),
        ("a\\fb", DamagedText),
        ("a\x1bb", DamagedText),
    ],
)
def test_control_characters_and_lone_surrogates_are_refused(value, error):
    with pytest.raises(error):
        find(f'{{"tldr": "{value}", "score": 1}}')


@pytest.mark.parametrize("number", ["NaN", "Infinity", "-Infinity", "1e999"])
def test_numbers_that_are_none_are_refused(number):
    with pytest.raises(NotFinite):
        find(f'{{"tldr": "x", "score": {number}}}')


def test_deep_nesting_is_refused():
    for depth in (100, 900, 100_000):
        with pytest.raises((JsonInvalid, Unstorable)):
            find('{"tldr": "x", "score": 1, "deep": ' + "[" * depth + "]" * depth + "}")


def test_the_largest_failure_is_reported():
    with pytest.raises(ValueError, match="not what was asked for"):
        find('{"a"} {"tldr": "没有分数的长长的摘要", "more": 1} {"x": 1}')


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        "[",
        '"',
        '{"',
        "[{",
        '{"a":',
        '{"a":"',
        '{"a":1}',
        '{"a":"x"/*',
        "{a:",
        "\\",
        "<think>",
        "</think>",
        '{"a":["x" ',
        " ",
        "9",
    ],
)
def test_hostile_repetitions_end_soon(unit):
    raw = unit * (65_536 // len(unit))
    began = time.process_time()
    with pytest.raises(ValueError):
        find(raw)
    assert time.process_time() - began < 4


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.one_of(st.sampled_from("{}[]\":,\\ntu<>/`“”，：'#*.-1 "), st.characters()), max_size=120))
def test_any_text_ends_in_an_object_or_a_value_error(raw):
    with contextlib.suppress(ValueError):
        assert isinstance(find(raw), dict)


_PLAIN = st.text(
    alphabet=st.characters(exclude_categories=["Cc", "Cs"], exclude_characters='\\"\ufffe\uffff'), max_size=30
)
_NOISE = st.text(
    alphabet=st.characters(exclude_categories=["Cc", "Cs"], exclude_characters="{}[]<>\"'“”‘’＂\\"), max_size=40
)


@settings(max_examples=200, deadline=None)
@given(_PLAIN, st.integers(-1000, 1000), _NOISE, _NOISE, st.booleans(), st.sampled_from([None, 2]))
def test_an_object_amid_noise_is_found_unchanged(tldr, score, before, after, plain, indent):
    wanted = {"tldr": tldr, "score": score, "more": [tldr, {"x": tldr}]}
    assert find(f"{before}\n{json.dumps(wanted, ensure_ascii=plain, indent=indent)}\n{after}") == wanted


_QUIET = st.text(alphabet=st.characters(categories=["Lo"]), min_size=1, max_size=20)


@settings(max_examples=100, deadline=None)
@given(_QUIET, _QUIET, st.integers(0, 60))
def test_a_truncated_object_is_never_completed(one, other, lost):
    whole = json.dumps({"more": {"tldr": one, "score": 1}, "tldr": other, "score": 2}, ensure_ascii=False)
    with pytest.raises(JsonInvalid):
        find(whole[: max(1, len(whole) - 1 - lost)])
