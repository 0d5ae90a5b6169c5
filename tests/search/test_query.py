"""What people type, and the MATCH expression it becomes."""

import sqlite3

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from papers.search.query import MAX_LENGTH, MAX_TERMS, Query, Term, parse_query
from papers.search.results import FIELDS
from papers.search.text import indexed, restore

TITLES = ("title_en", "title_zh")


def parse(text: str) -> Query:
    return parse_query(text, FIELDS)


def match(text: str) -> str:
    return restore(parse(text).match)


@pytest.mark.parametrize(
    ("typed", "expression"),
    [
        ("attention", '"attention"*'),
        ("sparse attention", '"sparse" AND "attention"*'),
        ("扩散模型", '"扩散模型"'),
        ("sparse 注意力", '"sparse"* AND "注意力"'),
        ("GPT模型", '"GPT模型"'),
        ("用LoRA", '"用LoRA"*'),
        ('"sparse attention" 模型', '"sparse attention" AND "模型"'),
        ("“稀疏 注意力”", '"稀疏 注意力"'),
        ("low-rank", '"low-rank"*'),
        ("GPT-4o", '"GPT-4o"*'),
        ("C++", '"C++"'),
        ("RL", '"RL"'),
        ("transf* 模型 attention", '"transf"* AND "模型" AND "attention"*'),
        ("what's", '"what\'s"*'),
        ("(attention", '"(attention"*'),
        ('"open phrase', '"open phrase"'),
        ('say "hi', '"say" AND "hi"'),
        ("AND", '"AND"*'),
        ("a OR b", '"a" AND "OR" AND "b"'),
        ("NEAR(a b)", '"NEAR(a" AND "b)"'),
        ("NOT", '"NOT"*'),
        ("a^2 + b:c", '"a^2" AND "b:c"*'),
        ("模型 -扩散", '("模型") NOT ("扩散")'),
        ("模型 -扩散 -title:视频", '("模型") NOT ("扩散" OR {title_en title_zh} : "视频")'),
        ('-"chain of thought" 推理', '("推理") NOT ("chain of thought")'),
        ("模型 －扩散", '("模型") NOT ("扩散")'),
        ("a - b", '"a" AND "b"'),
        ("title:扩散", '{title_en title_zh} : "扩散"'),
        ("title：扩散", '{title_en title_zh} : "扩散"'),
        ("标题：扩散", '{title_en title_zh} : "扩散"'),
        ("Author:smith", '{authors} : "smith"*'),
        ("tag: agents", '{tags} : "agents"*'),
        ('tag:"computer vision"', '{tags} : "computer vision"'),
        ("title: author:smith", '{authors} : "smith"*'),
        ("https://arxiv.org/abs/2406.01234", '"https://arxiv.org/abs/2406.01234"*'),
        ("subtitle:x", '"subtitle:x"*'),
        ("🚀 attention", '"attention"*'),
        ("ＧＰＴ", '"GPT"*'),
        ("　模型　推理　", '"模型" AND "推理"'),
        ("atten\u200btion", '"attention"*'),
        ("ab\x00cd", '"abcd"*'),
        ("ab\ud800cd", '"abcd"*'),
    ],
)
def test_an_input_becomes_an_expression(typed, expression):
    assert match(typed) == expression


@pytest.mark.parametrize(
    "typed",
    ["", " ", "　", "-", "--", '"', '""', "*", "**", ":", "title:", "title：", '-title:"', "++", "( )", "🚀🙂", "\x00",
     "\ud800", "\u200b", "-扩散", '-"a b" -c', "…", "__", "title: author: tag:"],
)  # fmt: skip
def test_where_there_is_nothing_to_look_for_nothing_is_asked(typed):
    assert parse(typed).match == ""


def test_terms_say_what_was_understood():
    assert parse('title:"a b" -模型 att').terms == (
        Term("a b", TITLES, quoted=True),
        Term("模型", excluded=True),
        Term("att", prefix=True),
    )


def test_terms_and_length_are_bounded():
    assert len(parse(" ".join(f"w{number}" for number in range(50))).terms) == MAX_TERMS
    assert len(match("x" * 100_000)) <= MAX_LENGTH + 3
    assert len(match("模" * 100_000)) <= MAX_LENGTH + 3
    assert match(" " * 100_000 + "模型") == '"模型"'


@pytest.fixture(scope="module")
def table():
    database = sqlite3.connect(":memory:", check_same_thread=False)
    database.execute(
        "CREATE VIRTUAL TABLE papers_fts USING fts5(title_en, title_zh, abstract, authors, tags, summary_text)"
    )
    database.execute(
        "INSERT INTO papers_fts VALUES (?, ?, 'C++ and low-rank', '', '', '')", ("GPT-4o", indexed("模型"))
    )
    return database


PIECES = st.sampled_from(
    ['"', "-", "*", ":", "：", "(", ")", "^", "+", "{", "}", " ", "　", "title:", "author：", "标签:", "AND", "OR", "NOT",
     "NEAR(", "模型", "的", "a", "C++", "GPT-4o", "what's", "🙂", "\x00", "\ud800", "\u200b", "'", ";", "--", "\\", "%s", "?"]
)  # fmt: skip


@settings(max_examples=400, deadline=None)
@given(st.one_of(st.text(), st.lists(PIECES, max_size=30).map("".join)))
@example('"' * 1001)
@example("(" * 5000)
@example("-a " * 500)
def test_no_input_is_ever_an_error(table, typed):
    expression = parse(typed).match
    if expression:
        table.execute("SELECT rowid FROM papers_fts WHERE papers_fts MATCH ?", (expression,)).fetchall()


@settings(max_examples=100, deadline=None)
@given(st.text(alphabet=st.characters(categories=("L", "N", "P", "S", "Zs")), min_size=1))
def test_parsing_is_about_the_first_characters_only(typed):
    assert parse(typed + " " * 10_000).terms == parse(typed).terms
