"""Results of any shape as a table."""

import json

import pytest

from papers.benchmarks import TABLE_COLUMNS, TABLE_ROWS, Table, table
from tests.factories import make_paper, make_summary


def table_of(value) -> Table | None:
    return table(json.dumps(value, ensure_ascii=False))


@pytest.mark.parametrize(
    ("value", "headings", "rows"),
    [
        ([{"d": "MMLU", "v": 71.3}], ("d", "v"), (("MMLU", "71.3"),)),
        ({"d": "MMLU", "v": 71}, ("d", "v"), (("MMLU", "71"),)),
        ([{"a": 1}, {"b": 2}], ("a", "b"), (("1", ""), ("", "2"))),
        ([{"d": "x", "s": {"ours": 1, "base": {"a": 2}}}], ("d", "s · ours", "s · base · a"), (("x", "1", "2"),)),
        ([{"d": ["x", "y"], "ok": True, "no": False, "n": None}], ("d", "ok", "no"), (("x、y", "✓", "✗"),)),
        ([{"d": [{"m": "F1", "v": 2}, {"m": "EM", "v": 3}]}], ("d",), (("m：F1；v：2、m：EM；v：3",),)),
        ([{"v": 5 * 1.37}, {"v": 61.0}, {"v": 1e-7}], ("v",), (("6.85",), ("61.0",), ("1e-07",))),
        ([{"": "x"}, {" a ": {"": 1}}], ("", "a"), (("x", ""), ("", "1"))),
        ([{"a": {"b": {"c": {"d": 1}}}}], ("a · b · c",), (("d：1",),)),
    ],
)
def test_every_shape_becomes_rows_and_columns(value, headings, rows):
    found = table_of(value)
    assert found is not None and (found.headings, found.rows) == (headings, rows)


@pytest.mark.parametrize("value", [None, [], {}, [[]], ["text"], 7, [{}], [{"a": None}], [{"a": {}}], [{"a": " "}]])
def test_what_holds_nothing_is_no_table(value):
    assert table_of(value) is None


@pytest.mark.parametrize("column", [None, "", " ", "{", "[" * 4000, "nul"])
def test_a_damaged_column_is_no_table(column):
    assert table(column) is None


@pytest.mark.parametrize(
    "cell",
    ["47.2", "1,024", "-3.1 %", "+4.1", "−0.5", "71.3 ± 0.2", "~2.5x", "12 ms", "1.5B", "3e-4", "$0.07", "<1", "2倍"],
)
def test_numbers_are_known_as_numbers(cell):
    found = table_of([{"d": "x", "v": cell}, {"d": "y", "v": 1}, {"d": "z", "v": ""}])
    assert found is not None and found.numeric == (False, True)


@pytest.mark.parametrize(
    "cell", ["MMLU", "3 of 4 wins", "-", "2024-06-01", "1 and 2", "v2", "✓", "9" * 50 + " samples"]
)
def test_words_are_not_numbers(cell):
    found = table_of([{"d": "x", "v": cell}, {"d": "y", "v": 1}])
    assert found is not None and found.numeric == (False, False)


def test_the_first_column_names_the_rows_unless_it_holds_numbers():
    named, unnamed = table_of([{"d": "x", "v": 1}]), table_of([{"v": 1, "d": "x"}])
    assert named is not None and named.is_named
    assert unnamed is not None and not unnamed.is_named


def test_a_long_single_row_stands_upright():
    found = table_of([{f"k{number}": number for number in range(9)}])
    assert found is not None and found.is_upright and not found.is_wide
    assert found.upright[3] == ("k3", "3", True)


def test_objects_that_would_make_too_many_columns_are_written_into_cells():
    found = table_of([{"d": "x", "s": {f"a{number}": number for number in range(9)}},
                      {"d": "y", "s": {f"b{number}": number for number in range(9)}}])  # fmt: skip
    assert found is not None and found.headings == ("d", "s")


def test_what_is_too_much_to_read_is_counted():
    found = table_of([{f"k{number}": 1 for number in range(TABLE_COLUMNS + 3)}] * (TABLE_ROWS + 2))
    assert found is not None and (len(found.headings), len(found.rows)) == (TABLE_COLUMNS, TABLE_ROWS)
    assert (found.more_columns, found.more_rows) == (3, 2)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("rows", "shown"),
    [
        ([{"dataset": f"Set {number}", "value": number} for number in range(100)], "benchmarks-scroll--long"),
        ([{f"k{number}": 1 for number in range(9)}], "benchmarks--upright"),
        ([{"a": "x", "b": 2, "c": 3, "d": 4}], "表格可以左右滑动"),
        ([{f"k{number}": 1 for number in range(30)}] * 2, "另有 6 列没有显示"),
        ([{"a": 1}] * 250, "另有 50 行没有显示"),
        ([{"dataset": "x", "score": {"metric": 3}}], "得分 · 指标"),
    ],
)
def test_the_page_shows_each_kind_of_table(client, rows, shown):
    paper = make_paper()
    make_summary(paper, results_benchmarks_json=json.dumps(rows))
    assert shown in client.get(paper.get_absolute_url()).content.decode()
