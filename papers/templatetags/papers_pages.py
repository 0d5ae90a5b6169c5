"""What the readers' templates need beyond Django's own tags."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from django import template
from django.utils.translation import gettext_lazy

from papers.addresses import author_address, tag_address
from papers.benchmarks import SEPARATOR
from papers.models import SummaryState
from papers.notices import reason, state_in_words
from papers.sparkline import sparkline

register = template.Library()
register.filter(author_address)
register.filter(tag_address)

# What models mostly call the columns of a table of results.
_HEADINGS = {
    "name": gettext_lazy("名称"),
    "dataset": gettext_lazy("数据集"),
    "benchmark": gettext_lazy("基准"),
    "task": gettext_lazy("任务"),
    "metric": gettext_lazy("指标"),
    "value": gettext_lazy("结果"),
    "result": gettext_lazy("结果"),
    "score": gettext_lazy("得分"),
    "baseline": gettext_lazy("基线"),
    "method": gettext_lazy("方法"),
    "model": gettext_lazy("模型"),
    "improvement": gettext_lazy("提升"),
    "comparison": gettext_lazy("对比"),
    "setting": gettext_lazy("设置"),
    "note": gettext_lazy("备注"),
    "notes": gettext_lazy("备注"),
}


@register.filter
def web_address(value: str | None) -> str:
    """Return `value` if it is an http or https address with a host, else nothing: no other may become a link."""
    text = (value or "").strip()
    try:
        parts = urlsplit(text)
        usable = parts.scheme in ("http", "https") and bool(parts.hostname)
    except ValueError:
        return ""
    return text if usable else ""


@register.filter
def failure_reason(error_type: str | None) -> str:
    """Return why a summary failed, as a clause."""
    return reason(error_type)


@register.filter
def heading(key: str) -> str:
    """Return the heading of a column in the reader's language where it is a usual one, else as it was given."""
    return SEPARATOR.join(map(_heading_word, key.split(SEPARATOR)))


def _heading_word(key: str) -> str:
    known = _HEADINGS.get(key.strip().casefold())
    return str(known) if known else key.replace("_", " ")


@register.filter
def state_label(state: str) -> str:
    """Return the state of a summary in a word or two; nothing where it is done."""
    return "" if state == SummaryState.DONE else state_in_words(state)


@register.inclusion_tag("papers/_sparkline.html")
def month_line(line: Sequence[int]) -> dict[str, object]:
    """Draw the papers of the last months as a small line, with its figures in words."""
    return {
        "drawn": sparkline(line),
        "most": max(line, default=0),
        "months": len(line),
        "newest": line[-1] if line else 0,
    }
