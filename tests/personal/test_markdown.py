"""Markdown of notes: what would become far more than was written stays as it was written."""

import pytest

from papers.markdown import MAX_LENGTH, markdown_html


def table(columns: int, row: str, rows: int) -> str:
    head = "|a" * columns + "|\n" + "|-" * columns + "|\n"
    return (head + f"{row}\n" * rows)[:MAX_LENGTH]


@pytest.mark.parametrize("columns", [50, 500, 2000, 3300])
@pytest.mark.parametrize("row", ["|", "x"])
def test_a_table_of_empty_cells_without_end_is_shown_as_text(columns, row):
    html = markdown_html(table(columns, row, MAX_LENGTH))
    assert "<table" not in html and len(html) < 2 * MAX_LENGTH


@pytest.mark.parametrize(("columns", "rows"), [(1, 400), (8, 1000), (60, 150)])
def test_a_long_or_wide_table_is_one(columns, rows):
    html = markdown_html(table(columns, "|1" * columns + "|", rows))
    assert html.count("<table>") == 1 and html.count("<td>") > columns * rows * 0.9


def test_a_table_in_a_quote_and_after_a_paragraph_is_one():
    assert markdown_html("text\n\n> |a|b|\n> |-|-|\n> |1|2|").count("<td>") == 2
    assert markdown_html("text\n|a|b|\n|-|-|\n|1|2|").count("<td>") == 2
