"""Text as it goes into the index, and back."""

import sqlite3
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from papers.search.text import has_token, indexed, is_cjk, restore


def tokens(text: str) -> list[str]:
    """The words SQLite finds in the indexed form of `text`, in order."""
    database = sqlite3.connect(":memory:")
    database.execute("CREATE VIRTUAL TABLE t USING fts5(a, tokenize='unicode61')")
    database.execute("CREATE VIRTUAL TABLE v USING fts5vocab(t, 'instance')")
    database.execute("INSERT INTO t VALUES (?)", (indexed(text),))
    return [row[0] for row in database.execute("SELECT term FROM v ORDER BY offset")]


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("大语言模型", list("大语言模型")),
        ("用LoRA微调LLaMA-3模型", ["用", "lora", "微", "调", "llama", "3", "模", "型"]),
        ("ＧＰＴ－４ｏ", ["gpt", "4o"]),
        ("𠮷野家 𪚥", list("𠮷野家𪚥")),
        ("\uf900 \u2f00", ["豈", "一"]),
        ("ｶﾞﾝ がん", list("ガンがん")),
        ("딥러닝", list("딥러닝")),
        ("naïve cafe\u0301", ["naive", "cafe"]),
        ("ﬁne", ["fine"]),
        ("n² ½ ①", ["n²", "½", "①"]),
        ("", []),
        ("，。！🚀", []),
        ("🤗Transformers🙂", ["🤗", "transformers", "🙂"]),
        ("trans\u200bformer", ["transformer"]),
    ],
)
def test_every_cjk_character_is_a_word_and_width_does_not_count(text, words):
    assert tokens(text) == words


@pytest.mark.parametrize(
    "text",
    [
        "提出一种“稀疏”注意力（LoRA），降低６成。",
        "复杂度 O(n²)，用时 10⁻³ 秒；①方法",
        "plain ASCII, with $x_1$",
        "한국어 かな",
    ],
)
def test_excerpts_look_as_they_were_written(text):
    assert restore(indexed(text)) == text.replace("６", "6")


def test_ideographs_of_every_block_are_words():
    letters = [chr(code) for code in (0x3400, 0x4E00, 0x9FFF, 0x20000, 0x2A700, 0x2B740, 0x2B820, 0x2CEB0, 0x30000)]
    assert tokens("".join(letters)) == letters


@pytest.mark.parametrize("character", "的々〇ーがガ한ㄅ\U00020000")
def test_characters_written_without_blanks_are_cjk(character):
    assert is_cjk(character)


@pytest.mark.parametrize("character", "aé1。，「・ я")
def test_others_are_not(character):
    assert not is_cjk(character)


@given(st.text())
@example("\u32ff")
@example("\u3358")
def test_any_text_can_be_indexed_twice_with_the_same_result(text):
    once = indexed(text)
    assert indexed(once) == once
    assert "\x00" not in once
    once.encode()


@given(st.text())
def test_nothing_is_lost_but_controls_and_width(text):
    kept = restore(indexed(text))
    assert unicodedata.normalize("NFKC", kept) == unicodedata.normalize("NFKC", restore(indexed(kept)))


@pytest.mark.parametrize(("text", "answer"), [("a", True), ("字", True), ("7", True), ("++ 🙂 _", False), ("", False)])
def test_words_are_told_from_punctuation(text, answer):
    assert has_token(text) is answer
