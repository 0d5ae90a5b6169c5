"""What an entry of a feed says of a paper.

Nothing in it counts votes or stars: they change every hour, and a reader would fetch the whole feed again for them.
Mathematics stays TeX: what feed readers make of MathML differs too much, and most of them throw its tags away.
"""

import datetime as dt
import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.template.loader import render_to_string

from papers.addresses import paper_address
from papers.models import Paper, SummaryQuality
from papers.outline import outline
from papers.presentation import present
from papers.queries.authors import FirstAuthors, first_authors
from papers.queries.cards import tags_of_papers

_MOST_AUTHORS = 20
_MOST_TAGS = 20
_BLANK_LINES = re.compile(r"\n\s*\n")


@dataclass(frozen=True, slots=True)
class FeedEntry:
    """One paper in a feed; `content` is HTML."""

    arxiv_id: str
    path: str
    title: str
    one_line: str
    content: str
    published: dt.datetime
    updated: dt.datetime
    authors: tuple[str, ...]
    tags: tuple[str, ...]
    arxiv_categories: tuple[str, ...]


def entries(paper_ids: Sequence[int]) -> list[FeedEntry]:
    """Return the entries of these papers in the order given, in three queries; unknown ids are left out."""
    papers = Paper.objects.select_related("summary").defer("summary__full_json", "asset_error")
    found = papers.in_bulk(paper_ids)
    authors, tags = first_authors(paper_ids, _MOST_AUTHORS), tags_of_papers(paper_ids)
    listed = (found[paper_id] for paper_id in paper_ids if paper_id in found)
    return [
        _entry(paper, authors.get(paper.pk, FirstAuthors()), list(tags.get(paper.pk, {}).values())) for paper in listed
    ]


def _entry(paper: Paper, authors: FirstAuthors, tags: list[str]) -> FeedEntry:
    stored = getattr(paper, "summary", None)
    published = dt.datetime.combine(paper.paper_date, dt.time(), dt.UTC)
    return FeedEntry(
        arxiv_id=paper.arxiv_id,
        path=paper_address(paper.arxiv_id),
        title=paper.title_zh or paper.title_en,
        one_line=(stored.one_line or "") if stored else "",
        content=_content(paper, authors),
        published=published,
        updated=_updated(paper, published),
        authors=tuple(authors.names),
        tags=tuple(tags[:_MOST_TAGS]),
        arxiv_categories=tuple(paper.category_list[:_MOST_TAGS]),
    )


def _updated(paper: Paper, published: dt.datetime) -> dt.datetime:
    """Return when what the entry says last changed: never for a vote, which `updated_at` counts too."""
    stored = getattr(paper, "summary", None)
    moments = (published, paper.crawled_at, paper.text_changed_at, stored.updated_at if stored else None)
    return max(moment for moment in moments if moment is not None)


def _content(paper: Paper, authors: FirstAuthors) -> str:
    stored = getattr(paper, "summary", None)
    summary = present(stored) if stored else None
    context = {
        "paper": paper,
        "summary": summary,
        "sections": outline(summary) if summary else (),
        "is_low": stored is not None and paper.summary_quality == SummaryQuality.LOW,
        "authors": authors,
    }
    # Without the blank lines that a template leaves: fifty entries have thousands of them.
    return _BLANK_LINES.sub("\n", render_to_string("papers/feed_entry.html", context)).strip()
