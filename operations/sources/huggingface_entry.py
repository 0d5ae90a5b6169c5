"""One entry of Daily Papers, as Hugging Face has sent it since 2024.

Only the id and the title are sure to be there. Everything else came over the years, and what a field of the wrong type
says counts as not said.
"""

import hashlib
import json
from dataclasses import dataclass
from datetime import date
from typing import Any

from operations.sources.addresses import repository_address, web_address
from operations.sources.fields import as_dict, as_list, count, day, folded_names, line, names, prose
from papers.arxiv_ids import InvalidArxivId, split_arxiv_id

# The longest of 6,531 recorded: title 175, abstract 1,920, author 43, keyword 73 characters; 664 authors, 31 keywords.
_TITLE, _ABSTRACT, _NAME, _KEYWORD = 1000, 20_000, 200, 100
_MOST_AUTHORS, _MOST_KEYWORDS = 5000, 50


@dataclass(frozen=True)
class DailyEntry:
    """A paper as one day lists it. Texts are clean; empty ones stand for absent ones."""

    arxiv_id: str
    title: str
    version: int | None = None
    abstract: str = ""
    authors: tuple[str, ...] = ()
    published_at: date | None = None
    upvotes: int | None = None
    code_url: str | None = None
    code_stars: int | None = None
    project_url: str | None = None
    organization: str | None = None
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True)
class BadEntry:
    """An entry that names no paper. `key` stays the same when the entry comes again."""

    key: str
    reason: str
    arxiv_id: str | None = None


def read_entry(raw: object) -> DailyEntry | BadEntry:
    """Return what an entry says, or why it cannot be used. Never raises."""
    outer = as_dict(raw)
    paper = as_dict(outer.get("paper"))
    if not paper:
        return BadEntry(_digest(raw), "the entry holds no paper")
    try:
        arxiv_id, version = split_arxiv_id(_text(paper.get("id")))
    except InvalidArxivId as error:
        return BadEntry(_key_without_id(paper, outer, raw), str(error))
    title = line(paper.get("title"), _TITLE) or line(outer.get("title"), _TITLE)
    if not title:
        return BadEntry(arxiv_id, "the paper has no title", arxiv_id)
    return _entry(arxiv_id, version, title, paper, outer)


def _entry(arxiv_id: str, version: int | None, title: str, paper: dict[str, Any], outer: dict[str, Any]) -> DailyEntry:
    return DailyEntry(
        arxiv_id=arxiv_id,
        title=title,
        version=version,
        abstract=prose(paper.get("summary"), _ABSTRACT) or prose(outer.get("summary"), _ABSTRACT),
        authors=names(_shown_authors(paper), _NAME, _MOST_AUTHORS),
        published_at=day(paper.get("publishedAt")),
        upvotes=count(paper.get("upvotes")),
        code_url=repository_address(_text(paper.get("githubRepo"))),
        code_stars=count(paper.get("githubStars")),
        project_url=web_address(_text(paper.get("projectPage"))),
        organization=_organization(paper) or _organization(outer),
        keywords=folded_names(as_list(paper.get("ai_keywords")), _KEYWORD, _MOST_KEYWORDS),
    )


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _shown_authors(paper: dict[str, Any]) -> list[object]:
    authors = map(as_dict, as_list(paper.get("authors")))
    return [author.get("name") for author in authors if author.get("hidden") is not True]


def _organization(holder: dict[str, Any]) -> str | None:
    organization = as_dict(holder.get("organization"))
    return line(organization.get("fullname"), _NAME) or line(organization.get("name"), _NAME) or None


def _key_without_id(paper: dict[str, Any], outer: dict[str, Any], raw: object) -> str:
    """Return a key from what names the entry, since votes and comments change from call to call."""
    naming = [paper.get("id"), paper.get("title") or outer.get("title")]
    return _digest(naming if any(naming) else raw)


def _digest(value: object) -> str:
    try:
        text = json.dumps(value, sort_keys=True)
    except (TypeError, ValueError, RecursionError):
        text = type(value).__name__
    return "sha256:" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
