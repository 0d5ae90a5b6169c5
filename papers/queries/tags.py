"""The tags of a paper."""

from collections.abc import Iterable

from papers.models import PaperTag, TagSource

# A reader's own word counts most; the summary's tags are in the reader's language.
_TAG_ORDER: dict[str | None, int] = {TagSource.USER: 0, TagSource.AI: 1, TagSource.HF: 2}

# Tags as they are shown by the form in which they are compared.
FoldedTags = dict[str, str]


def distinct_tags(tags: Iterable[PaperTag]) -> list[str]:
    """Return the tags of one paper once each, whoever gave them; case, width and spaces are no difference."""
    return distinct((tag.tag, tag.folded, tag.source) for tag in tags)


def distinct(tags: Iterable[tuple[str, str, str | None]]) -> list[str]:
    """Return the tags of rows of (tag, folded, source) once each, a reader's own first."""
    return list(distinct_by_folded(tags).values())


def distinct_by_folded(tags: Iterable[tuple[str, str, str | None]]) -> FoldedTags:
    """Return the tags of rows of (tag, folded, source) by the form they are compared in, a reader's own first."""
    seen: dict[str, str] = {}
    for tag, folded, _source in sorted(tags, key=lambda row: _TAG_ORDER.get(row[2], len(_TAG_ORDER))):
        seen.setdefault(folded or tag, tag)
    return seen
