"""Fills an installation with the 63,000 real papers of the recorded data, through the models, in bulk."""

import json
import lzma
from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from django.db import transaction

from papers.models import Paper, PaperAuthor, PaperSummary, PaperTag, SummaryQuality, SummaryState, SummaryStatus
from papers.text import fold, one_line, paragraphs

CHUNK = 500
_NOW = datetime(2026, 6, 5, tzinfo=UTC)

Pair = tuple[dict[str, Any], dict[str, Any]]


def lines(path: Path) -> Iterator[dict[str, Any]]:
    """Yield the objects of an xz-packed file of JSON lines."""
    with lzma.open(path, "rt", encoding="utf-8") as file:
        for line in file:
            yield json.loads(line)


def load_library(folder: Path, most: int | None = None) -> int:
    """Store the papers of `folder` that have Chinese output, at most `most`; return how many there are."""
    outputs = {entry["id"]: entry for entry in lines(folder / "arxiv_zh_ai.jsonl.xz")}
    metadata = lines(folder / "arxiv_metadata.jsonl.xz")
    pairs = islice(((record, outputs[record["id"]]) for record in metadata if record["id"] in outputs), most)
    total = 0
    while chunk := list(islice(pairs, CHUNK)):
        _store(chunk)
        total += len(chunk)
    return total


@transaction.atomic
def _store(pairs: list[Pair]) -> None:
    papers = Paper.objects.bulk_create([_paper(*pair) for pair in pairs])
    stored = list(zip(papers, pairs, strict=True))
    PaperAuthor.objects.bulk_create(
        [
            PaperAuthor(paper=paper, name=name, position=position)
            for paper, (record, _output) in stored
            for position, name in enumerate(dict.fromkeys(map(one_line, record["authors"])))
        ]
    )
    PaperTag.objects.bulk_create(
        [
            PaperTag(paper=paper, tag=tag, folded=fold(tag))
            for paper, (record, _output) in stored
            for tag in dict.fromkeys(record["categories"])
        ]
    )
    PaperSummary.objects.bulk_create([_summary(paper, record, output["ai"]) for paper, (record, output) in stored])
    SummaryStatus.objects.bulk_create(
        [SummaryStatus(paper=paper, status=SummaryState.DONE, quality=SummaryQuality.NORMAL) for paper in papers]
    )


def _paper(record: dict[str, Any], output: dict[str, Any]) -> Paper:
    return Paper(
        arxiv_id=record["id"],
        title_en=one_line(record["title"]),
        # The recorded outputs have no Chinese title; the first clause of their one line is much like one.
        title_zh=one_line(_first_line(output["ai"])).replace("。", "，").split("，")[0],
        abstract=paragraphs(record["summary"]),
        paper_date=date.fromisoformat(output["day"]),
        crawled_at=_NOW,
        upvotes=len(record["authors"]),
        summary_quality=SummaryQuality.NORMAL,
    )


def _first_line(output: dict[str, str]) -> str:
    return output.get("tldr") or output["task"]


def _summary(paper: Paper, record: dict[str, Any], output: dict[str, str]) -> PaperSummary:
    findings = [output["result"], output["conclusion"]]
    full = {
        "title_zh": paper.title_zh,
        "one_line": one_line(_first_line(output)),
        "tags": list(dict.fromkeys(record["categories"])),
        "motivation": {"problem": output["motivation"]},
        "method": {"key_idea": output["method"]},
        "results": {"main_findings": findings},
    }
    return PaperSummary(
        paper=paper,
        one_line=one_line(_first_line(output)),
        motivation_problem=one_line(output["motivation"]),
        method_key_idea=one_line(output["method"]),
        results_main_json=json.dumps(findings, ensure_ascii=False),
        full_json=json.dumps(full, ensure_ascii=False),
        updated_at=_NOW,
    )
