"""Valid, searchable rows for tests, each by one call.

`make_paper(authors=["Ada Lovelace"], tags=["agents"], state="pending")` and `make_summary(paper, one_line="…")`;
any other keyword is a column.
"""

import datetime as dt
import itertools
import json
from collections.abc import Iterable, Mapping
from typing import Any

from django.utils import timezone

from papers import arxiv_ids
from papers.models import (
    Paper,
    PaperAuthor,
    PaperSummary,
    PaperTag,
    SummaryQuality,
    SummaryState,
    SummaryStatus,
    TagSource,
)
from papers.search.index import index_papers
from papers.text import fold

DAY = dt.date(2026, 6, 5)
_numbers = itertools.count(1)

# The object an agent gives: complete, in Chinese, graded normal.
SUMMARY: dict[str, Any] = {
    "title_zh": "面向长上下文推理的稀疏注意力",
    "one_line": "提出一种按需选择键值块的稀疏注意力，在不损失精度的前提下把长文推理的显存占用降低了六成。",
    "tags": ["稀疏注意力", "长上下文"],
    "difficulty": "中等",
    "prerequisites": {"concepts": ["自注意力机制", "键值缓存"], "level": "了解 Transformer 的基本结构"},
    "motivation": {
        "problem": "上下文变长以后，注意力的计算量和键值缓存都随长度增长，普通显卡难以承受。",
        "goal": "在保持回答质量的同时，让单张显卡能够处理十万字以上的文档。",
        "gap": "已有的稀疏方法使用固定的窗口，会漏掉远处的关键信息。",
    },
    "method": {
        "overview": "方法先用轻量的打分网络估计每个键值块的重要性，再只对重要的块做精确的注意力计算。",
        "key_idea": "重要的块在相邻的解码步骤之间变化很小，所以打分的结果可以重复使用。",
        "steps": ["把键值缓存切成固定大小的块", "用打分网络估计各块的重要性", "只在选中的块上计算注意力"],
        "novelty": "首次把块的选择与解码步骤之间的连续性结合起来。",
    },
    "results": {
        "main_findings": ["显存占用降低了 60%", "在长文问答上的准确率没有下降"],
        "benchmarks": [{"dataset": "LongBench", "metric": "准确率", "value": "47.2", "baseline": "47.0"}],
        "limitations": ["打分网络需要额外的训练"],
    },
    "improvements": {
        "weaknesses": ["没有测试百亿以上参数的模型"],
        "future_work": ["把方法用到多模态模型上"],
        "reproducibility": "代码和权重都已公开，可以在单张显卡上复现。",
    },
}

# Where each list or object of a summary is stored.
_JSON_COLUMNS = {
    "prerequisites_json": ("prerequisites",),
    "method_steps_json": ("method", "steps"),
    "results_main_json": ("results", "main_findings"),
    "results_benchmarks_json": ("results", "benchmarks"),
    "limitations_json": ("results", "limitations"),
    "weaknesses_json": ("improvements", "weaknesses"),
    "future_work_json": ("improvements", "future_work"),
}
_TEXT_COLUMNS = {
    "one_line": ("one_line",),
    "difficulty": ("difficulty",),
    "motivation_problem": ("motivation", "problem"),
    "motivation_goal": ("motivation", "goal"),
    "motivation_gap": ("motivation", "gap"),
    "method_overview": ("method", "overview"),
    "method_key_idea": ("method", "key_idea"),
    "method_novelty": ("method", "novelty"),
    "reproducibility": ("improvements", "reproducibility"),
}


def make_paper(
    *,
    authors: Iterable[str] = ("Ada Lovelace", "Alan Turing"),
    tags: Iterable[str] = (),
    state: str | None = SummaryState.PENDING,
    status: Mapping[str, Any] | None = None,
    **columns: Any,
) -> Paper:
    """Return a stored paper with authors, `hf` tags, a status row and its index row.

    `state` None leaves the status row out; `status` holds further columns of it.
    """
    number = next(_numbers)
    arxiv_id = columns.setdefault("arxiv_id", f"2606.{number:05d}")
    columns.setdefault("title_en", f"Sparse Attention for Long Contexts, Part {number}")
    columns.setdefault("abstract", "We study attention that reads only the blocks that matter.")
    columns.setdefault("paper_date", DAY)
    columns.setdefault("published_at", columns["paper_date"])
    columns.setdefault("crawled_at", timezone.now())
    columns.setdefault("hf_url", arxiv_ids.hf_address(arxiv_id))
    columns.setdefault("arxiv_url", arxiv_ids.abstract_address(arxiv_id))
    columns.setdefault("pdf_url", arxiv_ids.pdf_address(arxiv_id))
    columns.setdefault("source_url", arxiv_ids.source_address(arxiv_id))
    paper = Paper.objects.create(**columns)
    PaperAuthor.objects.bulk_create(
        [PaperAuthor(paper=paper, name=name, position=position) for position, name in enumerate(authors)]
    )
    _add_tags(paper, tags, TagSource.HF)
    if state is not None:
        SummaryStatus.objects.create(paper=paper, status=state, **(status or {}))
    index_papers([paper.pk])
    return paper


def make_summary(
    paper: Paper,
    *,
    quality: str = SummaryQuality.NORMAL,
    summary: Mapping[str, Any] = SUMMARY,
    title_zh: str | None = None,
    tags: Iterable[str] | None = None,
    **columns: Any,
) -> PaperSummary:
    """Store a summary for `paper`, with its Chinese title, `ai` tags, status `done` and index row.

    `summary` is the object the agent gave; other keywords overwrite columns, so a test can store odd ones.
    """
    values: dict[str, Any] = {column: _part(summary, path) or "" for column, path in _TEXT_COLUMNS.items()}
    for column, path in _JSON_COLUMNS.items():
        values[column] = json.dumps(_part(summary, path) or [], ensure_ascii=False)
    values["full_json"] = json.dumps(summary, ensure_ascii=False)
    values["updated_at"] = timezone.now()
    stored = PaperSummary.objects.create(paper=paper, **(values | columns))
    paper.title_zh = title_zh or summary["title_zh"]
    paper.summary_quality = quality
    paper.save()
    _add_tags(paper, summary["tags"] if tags is None else tags, TagSource.AI)
    SummaryStatus.objects.update_or_create(
        paper=paper,
        defaults={"status": SummaryState.DONE, "quality": quality, "completed_at": timezone.now()},
    )
    # The paper may have been loaded with its old status or without a summary.
    paper.refresh_from_db()
    index_papers([paper.pk])
    return stored


def _add_tags(paper: Paper, tags: Iterable[str], source: str) -> None:
    PaperTag.objects.bulk_create([PaperTag(paper=paper, tag=tag, folded=fold(tag), source=source) for tag in tags])


def _part(summary: Mapping[str, Any], path: tuple[str, ...]) -> Any:
    value: Any = summary
    for key in path:
        value = value.get(key) if isinstance(value, Mapping) else None
    return value
