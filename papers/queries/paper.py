"""One paper, and what stands round it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import Model

from papers.addresses import paper_address
from papers.models import Paper, PaperSummary, SummaryStatus
from papers.queries.sql import ids as ids_of
from papers.queries.sql import rows
from papers.queries.tags import distinct

_OF_DAY = "SELECT id FROM papers WHERE paper_date = %s ORDER BY upvotes DESC, id"
_NAMED = "SELECT id, arxiv_id, title_zh, title_en FROM papers WHERE id IN (SELECT value FROM json_each(%s))"

_AUTHORS = "SELECT name FROM paper_authors WHERE paper_id = %s ORDER BY position, id"
_TAGS = "SELECT tag, folded, source FROM paper_tags WHERE paper_id = %s ORDER BY id"


def _columns(model: type[Model], *, without: str) -> str:
    """Return a statement for all columns but one, which is for the admin and the API alone."""
    columns = (str(field.column) for field in model._meta.concrete_fields if field.name != without)
    return f"SELECT {', '.join(columns)} FROM {model._meta.db_table} WHERE "  # noqa: S608


_PAPER = _columns(Paper, without="asset_error") + "arxiv_id = %s"
_SUMMARY = _columns(PaperSummary, without="full_json") + "paper_id = %s"
_STATUS = _columns(SummaryStatus, without="error") + "paper_id = %s"


@dataclass(frozen=True, slots=True)
class PaperToRead:
    """A paper with what its page shows; authors in the paper's order, tags once each, a reader's own first."""

    paper: Paper
    summary: PaperSummary | None
    status: SummaryStatus | None
    authors: tuple[str, ...] = ()
    tags: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The paper before or after another in its day's list."""

    arxiv_id: str
    title: str
    language: str

    @property
    def address(self) -> str:
        """The paper's page."""
        return paper_address(self.arxiv_id)


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The papers round one paper in its day's list, and its place there, counted from 1."""

    previous: Neighbour | None = None
    following: Neighbour | None = None
    place: int = 1
    total: int = 1


def find_paper(arxiv_id: str) -> PaperToRead | None:
    """Return the paper with its status, summary, authors and tags, in five queries; None where there is none.

    Written out, they take less than half the time of the three that Django would compose.
    """
    paper = next(iter(Paper.objects.raw(_PAPER, [arxiv_id])), None)
    if paper is None:
        return None
    return PaperToRead(
        paper=paper,
        summary=next(iter(PaperSummary.objects.raw(_SUMMARY, [paper.pk])), None),
        status=next(iter(SummaryStatus.objects.raw(_STATUS, [paper.pk])), None),
        authors=tuple(name for (name,) in rows(_AUTHORS, paper.pk)),
        tags=tuple(distinct(rows(_TAGS, paper.pk))),
    )


def find_progress(arxiv_id: str) -> PaperToRead | None:
    """Return the paper with no more than tells how far its summary is, in one query."""
    papers = Paper.objects.select_related("status", "summary")
    columns = ("is_withdrawn", "arxiv_id", "status__status", "status__error_type", "summary__updated_at")
    paper = papers.only(*columns).filter(arxiv_id=arxiv_id).first()
    if paper is None:
        return None
    return PaperToRead(paper, getattr(paper, "summary", None), getattr(paper, "status", None))


def find_papers(arxiv_ids: Sequence[str]) -> list[Paper]:
    """Return those of these papers that are known with status, summary, authors and tags, in three queries.

    In the order given.
    """
    papers = Paper.objects.select_related("status", "summary").prefetch_related("authors", "tags")
    to_read = papers.defer("summary__full_json", "status__error", "asset_error")
    found = {paper.arxiv_id: paper for paper in to_read.filter(arxiv_id__in=arxiv_ids)}
    return [found[arxiv_id] for arxiv_id in arxiv_ids if arxiv_id in found]


def is_known(arxiv_id: str) -> bool:
    """Tell whether there is such a paper."""
    return Paper.objects.filter(arxiv_id=arxiv_id).exists()


def neighbours(paper: Paper) -> Neighbours:
    """Return what stands round `paper` in its day's list: its ids out of the index, then two titles."""
    ids = [row[0] for row in rows(_OF_DAY, paper.paper_date.isoformat())]
    if paper.pk not in ids:  # moved to another day, or deleted, since it was read
        return Neighbours()
    index = ids.index(paper.pk)
    before, after = ids[max(0, index - 1) : index], ids[index + 1 : index + 2]
    named = _named([*before, *after])
    return Neighbours(
        previous=named.get(before[0]) if before else None,
        following=named.get(after[0]) if after else None,
        place=index + 1,
        total=len(ids),
    )


def _named(paper_ids: list[int]) -> dict[int, Neighbour]:
    found = rows(_NAMED, ids_of(paper_ids))
    return {
        paper_id: Neighbour(arxiv_id, title_zh or title_en, "zh-Hans" if title_zh else "en")
        for paper_id, arxiv_id, title_zh, title_en in found
    }
