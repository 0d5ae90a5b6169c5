"""`meta.json` of each paper: what the database knows of it from the sources, for rebuilding a lost database."""

from collections.abc import Iterable

from operations.deletion.folders import remove_of_deleted
from operations.files import META_NAME, json_text, paper_folder, write_atomically
from operations.models import DayListing
from papers.models import Paper, TagSource

COLUMNS = (
    "arxiv_id",
    "title_en",
    "abstract",
    "published_at",
    "paper_date",
    "crawled_at",
    "upvotes",
    "hf_url",
    "arxiv_url",
    "pdf_url",
    "source_url",
    "version",
    "categories",
    "arxiv_comment",
    "is_withdrawn",
    "code_url",
    "code_stars",
    "project_url",
    "organization",
)
CHUNK = 200


def write_meta_files(arxiv_ids: Iterable[str]) -> int:
    """Bring the `meta.json` of these papers in step with the database; return how many were written."""
    wanted, written = list(arxiv_ids), 0
    for start in range(0, len(wanted), CHUNK):
        texts = meta_texts(wanted[start : start + CHUNK])
        for arxiv_id, text in texts.items():
            written += _write_if_changed(arxiv_id, text)
        remove_of_deleted(texts)  # some may have been deleted since they were read
    return written


def _write_if_changed(arxiv_id: str, text: str) -> bool:
    path = paper_folder(arxiv_id) / META_NAME
    try:
        if path.read_text("utf-8") == text:
            return False
    except (OSError, UnicodeDecodeError):
        pass
    write_atomically(path, text, durable=False)
    return True


def meta_texts(arxiv_ids: list[str]) -> dict[str, str]:
    """Return what the `meta.json` of each of these papers should hold; unknown ids are left out."""
    papers = Paper.objects.filter(arxiv_id__in=arxiv_ids).only("id", *COLUMNS).prefetch_related("authors", "tags")
    listed: dict[str, list[str]] = {}
    rows = DayListing.objects.filter(arxiv_id__in=arxiv_ids, skipped_reason=None).order_by("date")
    for arxiv_id, date in rows.values_list("arxiv_id", "date"):
        listed.setdefault(str(arxiv_id), []).append(date.isoformat())
    return {paper.arxiv_id: json_text(meta_of(paper, listed.get(paper.arxiv_id, []))) for paper in papers}


def meta_of(paper: Paper, listed_on: list[str]) -> dict:
    """Return the object that `meta.json` holds; dates and times are ISO 8601 texts, times in UTC."""
    columns = {name: getattr(paper, name) for name in COLUMNS}
    return {
        **{k: v.isoformat() if hasattr(v, "isoformat") else v for k, v in columns.items()},
        "authors": [author.name for author in paper.authors.all()],
        "tags": [{"tag": t.tag, "source": t.source} for t in paper.tags.all() if t.source != TagSource.AI],
        "listed_on": listed_on,
    }
