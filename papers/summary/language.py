"""How much of a summary is Chinese."""

import re
from collections.abc import Iterable, Iterator
from typing import Any

from papers.summary.schema import SummarySchema

# Han characters of all planes, with 〇.
CJK = re.compile("[\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")
_LATIN = re.compile("[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f\u1e00-\u1eff\uff21-\uff3a\uff41-\uff5a]")

# Below: refused as not written in Chinese; below the second: stored as low.
REFUSED_BELOW = 0.10
LOW_BELOW = 0.25


def chinese_share(texts: Iterable[str]) -> float:
    """Return CJK characters / (CJK characters + Latin letters) over all texts; 0 where there are neither."""
    chinese = latin = 0
    for text in texts:
        chinese += len(CJK.findall(text))
        latin += len(_LATIN.findall(text))
    return chinese / (chinese + latin) if chinese + latin else 0.0


def summary_texts(summary: SummarySchema) -> Iterator[str]:
    """Yield every text of a summary, tags aside."""
    yield from _texts_of(summary.model_dump(exclude={"tags"}))


def _texts_of(value: Any) -> Iterator[str]:
    """Yield the texts inside a value, keys aside."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for item in value.values():
            yield from _texts_of(item)
    elif isinstance(value, list):
        for item in value:
            yield from _texts_of(item)
