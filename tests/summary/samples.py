"""A good summary and its paper, for the tests of reading."""

import copy
import json
from typing import Any

from papers.summary.reading import PaperFacts

FACTS = PaperFacts("2406.01234", "Retrieval as a Condition: Training Retrievers with Generators")

_GOOD: dict[str, Any] = {
    "title_zh": "检索即条件：检索器与生成器的联合训练",
    "one_line": "作者把检索结果作为可学习的条件，与生成器端到端地联合训练，在多个基准上取得更好的效果。",
    "tags": ["检索增强", "大语言模型"],
    "difficulty": "进阶",
    "paper_date": None,
    "prerequisites": {"concepts": ["Transformer", "强化学习"], "level": "研究生"},
    "motivation": {
        "problem": "现有方法在长文本场景下代价高、效果不稳定。",
        "goal": "在不增加推理成本的前提下提升效果。",
        "gap": "已有工作缺少系统的对比实验。",
    },
    "method": {
        "overview": "提出两阶段框架，先检索再生成。",
        "key_idea": "将检索结果作为可学习的条件注入生成过程。",
        "steps": ["构建数据", "训练检索器", "联合微调"],
        "novelty": "首次将两者端到端地联合优化。",
    },
    "results": {
        "main_findings": ["在基准上得分 71.3，高于基线的 68.9。"],
        "benchmarks": [{"dataset": "benchmark", "value": 71.3}],
        "limitations": ["仅覆盖英文数据。"],
    },
    "improvements": {
        "weaknesses": ["实验规模有限。"],
        "future_work": ["扩展到多语言。"],
        "reproducibility": "代码已公开。",
    },
}

_ABSENT = object()


def good_summary(changes: dict[str, Any] | None = None, /) -> dict[str, Any]:
    """A good summary, with fields changed by dotted name."""
    summary = copy.deepcopy(_GOOD)
    for name, value in (changes or {}).items():
        *parents, last = name.split(".")
        inner = summary
        for parent in parents:
            inner = inner[parent]
        if value is _ABSENT:
            inner.pop(last)
        else:
            inner[last] = value
    return summary


def without(*names: str) -> dict[str, Any]:
    """A good summary that lacks fields."""
    return good_summary(dict.fromkeys(names, _ABSENT))


def as_text(value: Any) -> str:
    """A value as a model writes it."""
    return json.dumps(value, ensure_ascii=False, indent=1)
