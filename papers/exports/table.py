"""CSV for spreadsheets: no cell of it is ever a formula."""

import csv
import io
from collections.abc import Iterable

from papers.models import Paper
from papers.queries.tags import distinct_tags
from papers.text import one_line

_COLUMNS = (
    *("arxiv_id", "title_en", "title_zh", "authors", "published", "listed", "votes", "categories", "tags"),
    *("difficulty", "quality", "one_line", "withdrawn", "abstract", "arxiv_url", "pdf_url", "code_url"),
)
# What a spreadsheet takes for the beginning of a formula, in full width too;
# see https://owasp.org/www-community/attacks/CSV_Injection.
_FORMULA = tuple("=+-@\t\r\n＝＋－＠|%")


def table(papers: Iterable[Paper]) -> str:
    """Return the papers as CSV with a heading, and the mark by which Excel knows UTF-8."""
    file = io.StringIO()
    file.write("\ufeff")
    writer = csv.writer(file)
    writer.writerow(_COLUMNS)
    writer.writerows([_cell(value) for value in _row(paper)] for paper in papers)
    return file.getvalue()


def _row(paper: Paper) -> tuple[str | int | None, ...]:
    stored = getattr(paper, "summary", None)
    return (
        paper.arxiv_id,
        paper.title_en,
        paper.title_zh,
        "; ".join(author.name for author in paper.authors.all()),
        paper.published_at.isoformat() if paper.published_at else "",
        paper.paper_date.isoformat(),
        paper.upvotes or 0,
        paper.categories,
        "; ".join(distinct_tags(paper.tags.all())),
        stored.difficulty if stored else "",
        paper.summary_quality,
        stored.one_line if stored else "",
        "yes" if paper.is_withdrawn else "",
        paper.abstract,
        paper.arxiv_url,
        paper.pdf_url,
        paper.code_url,
    )


def _cell(value: str | int | None) -> str | int:
    """Return a value that a spreadsheet shows as it is: an apostrophe before it makes it a text."""
    if isinstance(value, int):
        return value
    text = one_line(value or "")
    return f"'{text}" if text.startswith(_FORMULA) else text
