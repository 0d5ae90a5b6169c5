"""Hits marked in texts, and excerpts, as safe HTML."""

import html
import re
import time

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from papers.mathematics.prose import HAS_TEX
from papers.search import marking
from papers.search.marking import excerpt, marked, marks
from papers.search.results import understand

ATTACKS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "<mark>forged</mark>",
    "</mark><b>",
    "&lt;script&gt;",
    "\x01<i>\x02",
    "<<mark>script<mark>>",
]


def mark(text: str, typed: str, column: str = "abstract") -> str:
    return marked(text, marks(understand(typed), column))


def cut(text: str, typed: str) -> str:
    return excerpt(text, marks(understand(typed), "abstract")).html


@pytest.mark.parametrize(
    ("text", "typed", "wanted"),
    [
        ("Sparse Attention", "attention", "Sparse <mark>Attention</mark>"),
        ("Attention heads", "atten", "<mark>Attention</mark> heads"),
        ("the other theme", "the x", "<mark>the</mark> other theme"),
        ("Low-Rank and low rank, lowrank", "low-rank x", "<mark>Low-Rank</mark> and <mark>low rank</mark>, lowrank"),
        ("大语言模型推理", "语言模型", "大<mark>语言模型</mark>推理"),
        ("大语言模型推理", "语言模 模型推", "大<mark>语言模</mark>型推理"),
        ("大模型推理", "模型 推理", "大<mark>模型推理</mark>"),
        ("大，模型", "大模型", "<mark>大，模型</mark>"),
        ("用LoRA微调", "lora", "用<mark>LoRA</mark>微调"),
        ("Café naïve", "cafe naive", "<mark>Café</mark> <mark>naïve</mark>"),
        ("ＧＰＴ模型", "gpt", "ＧＰＴ模型"),
        ("a b", "-a", "a b"),
        ("a C++ b", "c++", "a <mark>C</mark>++ b"),
        ("", "x", ""),
    ],
)
def test_hits_are_marked_as_the_index_finds_them(text, typed, wanted):
    assert mark(text, typed) == wanted


def test_words_of_a_field_are_marked_in_that_field_alone():
    assert mark("Attention", "title:attention", "title_en") == "<mark>Attention</mark>"
    assert mark("Attention", "title:attention", "abstract") == "Attention"


@pytest.mark.parametrize("attack", ATTACKS)
@pytest.mark.parametrize("typed", ["script", "mark", "alert", "模型", "i", "lt", "b"])
def test_no_markup_of_a_text_survives(attack, typed):
    for output in (mark(f"模型{attack}", typed), cut(f"模型{attack}\n{attack}", typed)):
        without_ours = output.replace("<mark>", "").replace("</mark>", "")
        assert "<" not in without_ours
        assert ">" not in without_ours
        assert '"' not in without_ours
        assert output.count("<mark>") == output.count("</mark>")
        assert re.search(r"&(?!(amp|lt|gt|quot|#x27);)", output) is None


@given(st.text(max_size=300), st.text(max_size=20))
def test_marks_add_nothing_and_lose_nothing(text, typed):
    assume(not HAS_TEX.search(text))
    output = mark(text, typed)
    assert html.unescape(output.replace("<mark>", "").replace("</mark>", "")) == html.unescape(html.escape(text))


@given(st.text(max_size=600), st.text(max_size=20))
def test_any_text_gives_an_excerpt(text, typed):
    output = cut(text, typed)
    assert output.count("<mark>") == output.count("</mark>")


def test_letters_are_compared_the_same_alone_and_among_letters_with_an_accent():
    for code in (*range(0xD800), *range(0xE000, 0x30000)):
        # An accent beside it makes the long way be taken.
        assert marking._comparable(chr(code)) == marking._comparable(chr(code) + "é")[0], hex(code)


def test_an_excerpt_shows_the_place_with_the_most_different_hits():
    text = "模型" + "甲" * 300 + "。模型乙扩散" + "丙" * 300
    assert "<mark>模型</mark>乙<mark>扩散</mark>" in cut(text, "模型 扩散")


def test_an_excerpt_begins_with_a_clause_and_says_that_it_is_cut():
    text = "甲" * 200 + "。这一句说的是扩散模型，" + "乙" * 200
    assert cut(text, "扩散模型").startswith("…这一句说的是<mark>扩散模型</mark>，乙")
    assert cut(text, "扩散模型").endswith("乙…")


def test_an_english_excerpt_parts_no_word():
    text = " ".join(f"word{number}" for number in range(200))
    plain = re.sub("</?mark>", "", cut(text, "word100 x")).strip("…")
    assert "<mark>word100</mark>" in cut(text, "word100 x")
    assert set(plain.split()) <= set(text.split())


def test_a_text_without_hits_begins_at_its_beginning():
    assert cut("甲乙丙" * 100, "模型") == ("甲乙丙" * 100)[:130] + "…"


def test_lines_are_joined_without_blanks_between_chinese():
    assert (
        cut("第一句。\n第二句\n键值缓存\nEnglish one\nand two", "无") == "第一句。第二句；键值缓存；English one and two"
    )


@pytest.mark.parametrize("piece", ["a ", "模", "a-", "--", "模 "])
def test_a_long_odd_text_takes_no_long_time(piece):
    start = time.process_time()
    cut(piece * 50_000, "a a a a a b 模模模模模型 " + "x" * 100)
    assert time.process_time() - start < 5


def test_a_formula_without_a_hit_is_shown_beside_marks():
    assert mark("Attention in $O(n)$", "attention").startswith("<mark>Attention</mark> in <math>")


def test_a_formula_with_a_hit_stays_text_with_the_mark():
    assert mark("in $\\mathcal{loss}$ for $5", "loss") == "in $\\mathcal{<mark>loss</mark>}$ for $5"


def test_a_mark_over_emphasis_is_well_formed():
    assert mark("\\emph{low} rank", '"low rank"') == "<em><mark>low</mark></em><mark> rank</mark>"


def test_no_formula_is_cut_by_an_excerpt():
    assert cut("扩散" + "甲" * 120 + "$x^{2}+y^{2}+z^{2}$" + "乙" * 200, "扩散").count("<math") == 1
