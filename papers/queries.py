"""What the readers' pages ask of the database. Nothing here writes.

A list costs the same number of queries for ten papers as for five hundred, and leaves the heavy columns
(whole abstracts, the summary's object) where they are.
"""

import datetime as dt
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db.models import Case, Count, F, QuerySet, Value, When, Window
from django.db.models.functions import RowNumber, Substr
from django.urls import reverse

from papers.models import Paper, PaperAuthor, PaperTag, SummaryQuality, SummaryState, TagSource

# What a line of a list can show before it stops being a line.
CARD_AUTHORS = 3
CARD_TAGS = 6
ABSTRACT_START = 400

# A reader's own word counts most; the summary's tags are in the reader's language.
_TAG_ORDER: dict[str | None, int] = {TagSource.USER: 0, TagSource.AI: 1, TagSource.HF: 2}


@dataclass(frozen=True, slots=True)
class PaperCard:
    """One paper in a list."""

    arxiv_id: str
    title_en: str
    title_zh: str
    paper_date: dt.date
    upvotes: int
    is_withdrawn: bool
    has_code: bool
    quality: str
    state: str
    error_type: str
    one_line: str
    abstract_start: str
    authors: tuple[str, ...] = ()
    more_authors: int = 0
    tags: tuple[str, ...] = ()
    more_tags: int = 0

    @property
    def address(self) -> str:
        """The paper's page."""
        return reverse("papers:paper", args=[self.arxiv_id])

    @property
    def is_low(self) -> bool:
        """Whether its summary says little."""
        return self.quality == SummaryQuality.LOW

    @property
    def is_degraded(self) -> bool:
        """Whether its summary lacks an important field."""
        return self.quality == SummaryQuality.DEGRADED


@dataclass(frozen=True, slots=True)
class Neighbour:
    """The paper before or after another in its day's list."""

    arxiv_id: str
    title: str

    @property
    def address(self) -> str:
        """The paper's page."""
        return reverse("papers:paper", args=[self.arxiv_id])


@dataclass(frozen=True, slots=True)
class Neighbours:
    """The papers round one paper in its day's list, and its place there, counted from 1."""

    previous: Neighbour | None = None
    following: Neighbour | None = None
    place: int = 1
    total: int = 1


@dataclass(frozen=True, slots=True)
class _Names:
    """The first author names of a paper, and how many there are in all."""

    first: list[str] = field(default_factory=list)
    total: int = 0


def newest_day() -> dt.date | None:
    """Return the newest day that has papers."""
    return Paper.objects.order_by("-paper_date").values_list("paper_date", flat=True).first()


def day_before(day: dt.date) -> dt.date | None:
    """Return the nearest earlier day that has papers."""
    days = Paper.objects.filter(paper_date__lt=day).order_by("-paper_date")
    return days.values_list("paper_date", flat=True).first()


def day_after(day: dt.date) -> dt.date | None:
    """Return the nearest later day that has papers."""
    days = Paper.objects.filter(paper_date__gt=day).order_by("paper_date")
    return days.values_list("paper_date", flat=True).first()


def papers_of_day(day: dt.date) -> QuerySet[Paper]:
    """Return the papers filed under `day`, most votes first."""
    return Paper.objects.filter(paper_date=day).order_by("-upvotes", "id")


def cards_of_day(day: dt.date) -> list[PaperCard]:
    """Return the list of `day`, in three queries whatever its length."""
    return _cards(papers_of_day(day))


def cards_by_id(paper_ids: Sequence[int]) -> dict[int, PaperCard]:
    """Return the cards of these papers by id, in the order given, in three queries; unknown ids are left out."""
    found = _cards_with_ids(Paper.objects.filter(pk__in=paper_ids))
    return {paper_id: found[paper_id] for paper_id in paper_ids if paper_id in found}


def find_paper(arxiv_id: str) -> Paper | None:
    """Return the paper with its status, summary, authors and tags, in three queries."""
    papers = Paper.objects.select_related("status", "summary").prefetch_related("authors", "tags")
    # The page says what went wrong in its own words; the rest of these is for the admin and the API.
    return papers.defer("summary__full_json", "status__error", "asset_error").filter(arxiv_id=arxiv_id).first()


def is_known(arxiv_id: str) -> bool:
    """Tell whether there is such a paper."""
    return Paper.objects.filter(arxiv_id=arxiv_id).exists()


def neighbours(paper: Paper) -> Neighbours:
    """Return what stands round `paper` in its day's list."""
    rows = list(papers_of_day(paper.paper_date).values_list("arxiv_id", "title_zh", "title_en"))
    listed = [Neighbour(arxiv_id, title_zh or title_en) for arxiv_id, title_zh, title_en in rows]
    index = next((i for i, neighbour in enumerate(listed) if neighbour.arxiv_id == paper.arxiv_id), None)
    if index is None:  # moved to another day, or deleted, since it was read
        return Neighbours()
    return Neighbours(
        previous=listed[index - 1] if index else None,
        following=listed[index + 1] if index + 1 < len(listed) else None,
        place=index + 1,
        total=len(listed),
    )


def distinct_tags(tags: Iterable[PaperTag]) -> list[str]:
    """Return the tags of one paper once each, whoever gave them; case, width and spaces are no difference."""
    return _distinct((tag.tag, tag.folded, tag.source) for tag in tags)


def _cards(papers: QuerySet[Paper]) -> list[PaperCard]:
    return list(_cards_with_ids(papers).values())


def _cards_with_ids(papers: QuerySet[Paper]) -> dict[int, PaperCard]:
    rows = list(_card_rows(papers))
    ids = [row["id"] for row in rows]
    names, tags = _first_authors(ids), _tags(ids)
    return {row["id"]: _card(row, names.get(row["id"], _Names()), tags.get(row["id"], [])) for row in rows}


def _card_rows(papers: QuerySet[Paper]) -> QuerySet[Paper, dict]:
    return papers.values(
        *("id", "arxiv_id", "title_en", "title_zh", "paper_date", "upvotes", "is_withdrawn", "code_url"),
        *("summary_quality", "status__status", "status__error_type", "summary__one_line"),
        # Only where it is shown: in place of a summary that is not there yet.
        abstract_start=Case(
            When(summary__isnull=True, then=Substr("abstract", 1, ABSTRACT_START)), default=Value(None)
        ),
    )


def _card(row: dict, names: _Names, tags: list[str]) -> PaperCard:
    return PaperCard(
        arxiv_id=row["arxiv_id"],
        title_en=row["title_en"],
        title_zh=row["title_zh"] or "",
        paper_date=row["paper_date"],
        upvotes=row["upvotes"] or 0,
        is_withdrawn=row["is_withdrawn"],
        has_code=bool(row["code_url"]),
        quality=row["summary_quality"] or "",
        state=row["status__status"] or SummaryState.PENDING,
        error_type=row["status__error_type"] or "",
        one_line=row["summary__one_line"] or "",
        abstract_start=_whole_words(row["abstract_start"] or ""),
        authors=tuple(names.first),
        more_authors=names.total - len(names.first),
        tags=tuple(tags[:CARD_TAGS]),
        more_tags=max(0, len(tags) - CARD_TAGS),
    )


def _whole_words(text: str) -> str:
    if len(text) < ABSTRACT_START:
        return text
    return text.rsplit(None, 1)[0] + " …"


def _first_authors(paper_ids: Sequence[int]) -> dict[int, _Names]:
    """Return the first names and the count of each paper's authors, numbered in the database.

    Position alone would not do: it has gaps where names were left out, and may be missing.
    """
    ranked = PaperAuthor.objects.filter(paper_id__in=paper_ids).annotate(
        rank=Window(RowNumber(), partition_by=F("paper_id"), order_by=["position", "id"]),
        total=Window(Count("id"), partition_by=F("paper_id")),
    )
    rows = ranked.filter(rank__lte=CARD_AUTHORS).order_by("paper_id", "rank")
    names: dict[int, _Names] = {}
    for paper_id, name, total in rows.values_list("paper_id", "name", "total"):
        names.setdefault(paper_id, _Names(total=total)).first.append(name)
    return names


def _tags(paper_ids: Sequence[int]) -> dict[int, list[str]]:
    rows = PaperTag.objects.filter(paper_id__in=paper_ids).order_by("id")
    by_paper: dict[int, list[tuple[str, str, str | None]]] = {}
    for paper_id, tag, folded, source in rows.values_list("paper_id", "tag", "folded", "source"):
        by_paper.setdefault(paper_id, []).append((tag, folded, source))
    return {paper_id: _distinct(tags) for paper_id, tags in by_paper.items()}


def _distinct(tags: Iterable[tuple[str, str, str | None]]) -> list[str]:
    seen: dict[str, str] = {}
    for tag, folded, _source in sorted(tags, key=lambda row: _TAG_ORDER.get(row[2], len(_TAG_ORDER))):
        seen.setdefault(folded or tag, tag)
    return list(seen.values())
