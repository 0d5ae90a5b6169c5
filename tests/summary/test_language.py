"""How much of a summary is Chinese."""

import pytest

from papers.summary.language import chinese_share, summary_texts
from papers.summary.schema import parse_summary
from tests.summary.samples import good_summary


@pytest.mark.parametrize(
    ("texts", "share"),
    [
        ([], 0), (["123 …"], 0), (["中文"], 1), (["中文", "ab"], 0.5), (["中文ＡＢ"], 0.5), (["𠀀〇éß"], 0.5), (["abc"], 0), (["中 1 2 3"], 1),
    ],
)  # fmt: skip
def test_the_share_counts_characters_and_latin_letters_alone(texts, share):
    assert chinese_share(texts) == share


def test_all_texts_but_the_tags_count():
    texts = list(summary_texts(parse_summary(good_summary({"tags": ["标签甲"]}))))
    assert "标签甲" not in texts
    for text in (good_summary()["title_zh"], "benchmark", "研究生", "代码已公开。"):
        assert text in texts
