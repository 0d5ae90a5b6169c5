"""Papers for tests of exports, without a database; and recorded ones."""

import datetime as dt
import json
import lzma
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

from papers.models import Paper, PaperAuthor, PaperSummary, PaperTag, TagSource
from papers.text import fold, one_line

DAY = dt.date(2026, 6, 5)


def unsaved_paper(
    arxiv_id: str = "2606.00001",
    title: str = "Sparse Attention",
    *,
    authors: Sequence[str] = ("Ada Lovelace",),
    tags: Sequence[str] = (),
    one_line: str | None = None,
    **columns: object,
) -> Paper:
    """Return a paper as it is when loaded with authors, tags and summary."""
    paper = Paper(pk=1, arxiv_id=arxiv_id, title_en=title, **({"paper_date": DAY, "upvotes": 3} | columns))
    paper._prefetched_objects_cache = {
        "authors": [PaperAuthor(name=name) for name in authors],
        "tags": [PaperTag(tag=tag, folded=fold(tag), source=TagSource.HF) for tag in tags],
    }
    paper._state.fields_cache["summary"] = None
    if one_line is not None:
        paper.summary = PaperSummary(pk=1, one_line=one_line, full_json="{}")
    return paper


def recorded_papers(recorded: Path) -> Iterator[Paper]:
    """Yield the papers of the recorded days, once each."""
    seen: set[str] = set()
    for day in sorted((recorded / "hf_daily").glob("*.json")):
        for entry in json.loads(day.read_text("utf-8")):
            paper = entry["paper"]
            if paper["id"] in seen:
                continue
            seen.add(paper["id"])
            yield unsaved_paper(
                paper["id"],
                one_line_of(paper["title"]),
                authors=[author["name"] for author in paper.get("authors", [])],
                tags=paper.get("ai_keywords") or (),
                abstract=paper.get("summary", ""),
                paper_date=dt.date.fromisoformat(day.stem),
                one_line="一句话",
            )


def arxiv_papers(recorded: Path, most: int) -> Iterator[Paper]:
    """Yield `most` papers of all fields of arXiv, with its categories."""
    with lzma.open(recorded / "scale" / "arxiv_metadata.jsonl.xz", "rt", encoding="utf-8") as lines:
        for line in islice(lines, most):
            found = json.loads(line)
            authors = found["authors"]
            yield unsaved_paper(
                found["id"],
                one_line_of(found["title"]),
                authors=authors if isinstance(authors, list) else authors.split(", "),
                abstract=found["summary"],
                categories=" ".join(found["categories"])
                if isinstance(found["categories"], list)
                else found["categories"],
            )


def one_line_of(text: str) -> str:
    """Return a title as it is stored."""
    return one_line(text)
