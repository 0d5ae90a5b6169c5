"""Markdown in which nothing is markup, and CSV in which nothing is a formula."""

import csv
import io
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from papers.exports.markdown import markdown, plain
from papers.exports.table import table
from papers.text import one_line
from tests.exports.world import unsaved_paper

GITHUB = MarkdownIt("gfm-like", {"html": True, "linkify": False})
SIGNS = st.text(st.sampled_from("ab 1.)\\`*_{}[]<>()#+-!|~$&@:=/\n\"'^中"), max_size=40)


def cells(*papers) -> list[dict[str, str]]:
    text = table(papers)
    assert text.startswith("\ufeff")
    return list(csv.DictReader(io.StringIO(text.removeprefix("\ufeff"))))


def shown(text: str) -> str:
    """Return the text of one paragraph of Markdown; fail where anything in it is markup."""
    tokens = GITHUB.parse(text)
    assert [token.type for token in tokens] == (["paragraph_open", "inline", "paragraph_close"] if text else [])
    kinds = {child.type for token in tokens for child in token.children or ()}
    assert kinds <= {"text", "text_special"}, kinds
    return "".join(child.content for token in tokens for child in token.children or ())


@given(SIGNS)
def test_nothing_of_a_text_becomes_markup(text):
    assert shown(plain(text)) == one_line(text)


@pytest.mark.parametrize(
    "text",
    [
        *(
            "# a",
            "- a",
            "+ a",
            "1. a",
            "12) a",
            "---",
            "===",
            "> a",
            "```",
            "| a | b |",
            "<b>a</b>",
            "[a](b)",
            "![a](b)",
        ),
        *("*a*", "__a__", "~~a~~", "`a`", "&amp;", "a@b.org", "$x$", "@someone", "[^1]", "[ ] a", "\\", "a  ", ":---"),
    ],
)
def test_every_kind_of_markup_is_shown_as_it_was_written(text):
    assert shown(plain(text)) == one_line(text)


@pytest.mark.parametrize("text", ["https://a.org/b", "www.a.org", "HTTP://a.org", "mailto:a@b.org", "ftp://a.org"])
def test_no_address_becomes_a_link(text):
    assert shown(plain(text)) == text
    # GitHub makes links of these without any mark.
    assert not re.search(r"(?i)(?<!\\)://|www\.|mailto:", plain(text))


def test_a_whole_paper_has_the_headings_of_its_sections_alone():
    paper = unsaved_paper(
        title="# A\n# B", abstract="# C\n\n- d\n\n| e |", authors=["* f"], code_url="javascript:g", one_line="> h"
    )
    tokens = GITHUB.parse(markdown([paper]))
    headings = [tokens[i + 1].content for i, token in enumerate(tokens) if token.type == "heading_open"]
    assert headings == [plain("# A # B"), "原文摘要"]
    assert not [token for token in tokens if token.type in ("table_open", "html_block")]
    assert markdown([paper]).count("](") == 1


@pytest.mark.parametrize("start", ["=", "+", "-", "@", "\t=", "\r=", "＝", "＋", "－", "＠", "|", "%", " ="])
def test_no_cell_is_a_formula(start):
    text = f"{start}HYPERLINK(1)"
    [row] = cells(unsaved_paper(title=text, authors=[text], tags=[text], abstract=text, one_line=text, code_url=text))
    for name in ("title_en", "authors", "tags", "abstract", "one_line", "code_url"):
        assert row[name][0] not in "=+-@＝＋－＠|%\t\r", name


@given(st.lists(st.text(max_size=30), min_size=1, max_size=4))
def test_every_text_keeps_to_its_cell(texts):
    rows = cells(*(unsaved_paper(title=text, abstract=text) for text in texts))
    assert len(rows) == len(texts)
    for row, text in zip(rows, texts, strict=True):
        assert row["title_en"].removeprefix("'") == one_line(text).removeprefix("'")
        assert None not in row


def test_numbers_stay_numbers_and_excel_knows_the_encoding():
    [row] = cells(unsaved_paper(title="中文", upvotes=-3))
    assert (row["votes"], row["title_en"]) == ("-3", "中文")
    assert table([unsaved_paper()]).encode("utf-8").startswith(b"\xef\xbb\xbf")
