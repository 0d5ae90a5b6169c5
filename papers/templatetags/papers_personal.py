"""What templates need to show the owner's things. To be used only where `request.is_owner`."""

from django import template
from django.utils.safestring import SafeString

from papers.markdown import markdown_html
from papers.models import ReadingStatus
from papers.personal import marks, verbs

register = template.Library()
_NONE = marks.PersonalMarks()


@register.filter
def marks_of(personal: dict[str, marks.PersonalMarks] | None, arxiv_id: str) -> marks.PersonalMarks:
    """Return the owner's marks on one of the papers that the page asked for."""
    return (personal or {}).get(arxiv_id, _NONE)


@register.filter
def markdown(note: str) -> SafeString:
    """Return the owner's note as HTML that was cleaned."""
    return markdown_html(note)


@register.simple_tag(takes_context=True)
def personal_paper(context: template.Context, arxiv_id: str) -> marks.PersonalPaper | None:
    """Return all of the owner's on one paper, in one query for the whole page."""
    asked: dict[str, marks.PersonalPaper | None] = vars(context["request"]).setdefault("personal_papers", {})
    if arxiv_id not in asked:
        asked[arxiv_id] = marks.personal_paper(arxiv_id)
    return asked[arxiv_id]


@register.simple_tag
def reading_statuses() -> list[tuple[str, str]]:
    """Return each reading status with its name, from the least read to the most."""
    return [(status.value, str(status.label)) for status in ReadingStatus]


@register.simple_tag
def longest_note() -> int:
    """Return how many characters a note may have."""
    return verbs.LONGEST_NOTE


@register.simple_tag
def longest_bookmark_note() -> int:
    """Return how many characters a bookmark's note may have."""
    return verbs.LONGEST_BOOKMARK_NOTE
