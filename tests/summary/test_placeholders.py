"""Words that stand where a text should be."""

import pytest

from papers.summary.placeholders import fits_any_paper, is_failure, says_nothing


@pytest.mark.parametrize(
    "text",
    [
        "Error", "ERROR.", "failed", "Failed!", "N/A", "n.a.", "ＥＲＲＯＲ", "None", "null", "undefined", "Summary generation failed",
        "Motivation analysis unavailable", "Method extraction failed", "Result analysis unavailable", "Conclusion extraction failed",
        "Error: timeout after 60 s", "错误：超时", "生成失败", "摘要生成失败。", "方法提取失败", "无法生成摘要", "抱歉，我无法处理这个请求。",
        "Unable to generate summary", "Failed to extract the method",
    ],
)  # fmt: skip
def test_reports_of_failure_are_recognised(text):
    assert is_failure(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "无", "暂无。", "……", "-", "无内容", "不适用", "未提及", "论文未提及", "文中未明确说明", "未明确提及具体结果。", "（略）",
    ],
)  # fmt: skip
def test_texts_that_say_nothing_are_recognised(text):
    assert says_nothing(text)


@pytest.mark.parametrize(
    "text",
    [
        "现有模型在长文本上经常失败", "无法生成长文本", "误差分析", "纠错编码", "无监督学习", "无需训练的方法", "未知环境中的探索", "Error-correcting 编码",
        "现有方法没有考虑时间信息的变化", "模型无法处理罕见的请求", "提出一种无需标注的检索方法",
    ],
)  # fmt: skip
def test_statements_about_failure_and_lack_are_statements(text):
    assert not is_failure(text)
    assert not says_nothing(text)
    assert not fits_any_paper(text)


@pytest.mark.parametrize("text", ["本文提出了一种方法。", "提出了一个新的框架", "作者研究了这个问题。"])
def test_sentences_true_of_any_paper_are_recognised(text):
    assert fits_any_paper(text)
