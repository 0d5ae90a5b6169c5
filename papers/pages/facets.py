"""What a list of papers can be filtered by, as pages offer it: kinds of filters, their values, those at work."""

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from papers.models import SummaryQuality, SummaryState
from papers.notices import state_in_words

# Values that are shown at once, and in all.
SHOWN_VALUES = 12
MOST_VALUES = 36

NAMES: dict[str, Promise] = {
    "tags": _("标签"),
    "year": _("年份"),
    "difficulty": _("难度"),
    "quality": _("总结质量"),
    "code": _("代码"),
    "state": _("状态"),
}
_QUALITIES: dict[str, Promise] = {
    SummaryQuality.NORMAL: _("完整"),
    SummaryQuality.DEGRADED: _("不完整"),
    SummaryQuality.LOW: _("质量较低"),
}
# Grades and states as people think of them, the good ones first.
USUAL_ORDER = {value: place for place, value in enumerate([*SummaryQuality.values, *SummaryState.values])}


@dataclass(frozen=True, slots=True)
class FacetValue:
    """One value to filter by: how many papers it leaves, and where it leads (away from itself while it is chosen)."""

    label: str
    papers: int
    query: str
    is_chosen: bool = False


@dataclass(frozen=True, slots=True)
class Facet:
    """A kind of filter with its values."""

    key: str
    name: str
    values: tuple[FacetValue, ...]
    shown: int = SHOWN_VALUES

    @property
    def first(self) -> tuple[FacetValue, ...]:
        """The values to show at once."""
        return self.values[: self.shown]

    @property
    def further(self) -> tuple[FacetValue, ...]:
        """The values to show on demand."""
        return self.values[self.shown :]


@dataclass(frozen=True, slots=True)
class ChosenFilter:
    """A filter at work, and where it leads to take it off."""

    name: str
    label: str
    query: str


def value_in_words(key: str, value: str) -> str:
    """Return a filter's value as readers know it."""
    if key == "quality":
        return str(_QUALITIES.get(value, value))
    if key == "state":
        return state_in_words(value)
    return str(_("有代码")) if key == "code" else value
