"""What the papers of a day can be filtered by, with how many papers each filter leaves."""

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from urllib.parse import quote_plus, urlencode

from papers.pages.day_choice import LONGEST_VALUE, MOST_TAGS, DayChoice, spellings
from papers.pages.facets import (
    MOST_VALUES,
    NAMES,
    SHOWN_VALUES,
    USUAL_ORDER,
    ChosenFilter,
    Facet,
    FacetValue,
    value_in_words,
)
from papers.queries.day_papers import DayPaper
from papers.text import fold

# A tag of a single paper tells nothing of the day: it is shown on demand.
_COMMON = 2

_VALUES: dict[str, Callable[[DayPaper], str]] = {
    "difficulty": lambda paper: paper.difficulty if len(paper.difficulty) <= LONGEST_VALUE else "",
    "quality": lambda paper: paper.quality,
    "code": lambda paper: "1" if paper.has_code else "",
    "state": lambda paper: paper.state,
}
# Of these a value is worth offering even where it is the only one.
_ALWAYS_OFFERED = ("code",)


def facets(choice: DayChoice, papers: Sequence[DayPaper]) -> list[Facet]:
    """Return the filters that tell the papers of a day apart, in the order of a page.

    A count is that of the papers left when this value is chosen beside the filters of other kinds.
    """
    found = [_tag_facet(choice, papers), *(_facet(choice, papers, key) for key in _VALUES)]
    return [facet for facet in found if facet.values]


def chosen_filters(choice: DayChoice) -> list[ChosenFilter]:
    """Return the filters at work, as they stand in the address."""
    tags = [ChosenFilter(str(NAMES["tags"]), tag, choice.without("tags", tag).query) for tag in choice.tags]
    return tags + [
        ChosenFilter(str(NAMES[key]), value_in_words(key, getattr(choice, key)), choice.without(key).query)
        for key in _VALUES
        if getattr(choice, key)
    ]


def _facet(choice: DayChoice, papers: Sequence[DayPaper], key: str) -> Facet:
    value_of = _VALUES[key]
    counts = Counter(map(value_of, _left(choice.with_value(key, ""), papers)))
    counts.pop("", None)
    chosen = getattr(choice, key)
    if not chosen and len(counts) < 2 and key not in _ALWAYS_OFFERED:
        return Facet(key, "", ())
    counts.setdefault(chosen, 0)
    ordered = sorted(counts.items(), key=lambda item: (USUAL_ORDER.get(item[0], 0), -item[1], item[0]))
    values = (_value(choice, key, value, number) for value, number in ordered[:MOST_VALUES] if value)
    return Facet(key, str(NAMES[key]), tuple(values))


def _value(choice: DayChoice, key: str, value: str, papers: int) -> FacetValue:
    is_chosen = getattr(choice, key) == value
    leads_to = choice.with_value(key, "" if is_chosen else value)
    return FacetValue(value_in_words(key, value), papers, leads_to.query, is_chosen)


def _tag_facet(choice: DayChoice, papers: Sequence[DayPaper]) -> Facet:
    """Return the tags of the papers that are left, for each further tag narrows; the day's own spelling is shown."""
    chosen = {fold(tag) for tag in choice.tags}
    spelled = spellings(papers)
    counts = Counter(folded for paper in _left(choice, papers) for folded in paper.tags)
    narrowing = (len(chosen) < MOST_TAGS) * MOST_VALUES
    further = sorted(counts.keys() - chosen, key=lambda folded: (-counts[folded], folded))[:narrowing]
    offered = [folded for folded in further if len(spelled[folded]) <= LONGEST_VALUE]
    values = [_chosen_tag(choice, tag, counts[fold(tag)]) for tag in choice.tags]
    values += _further_tags(choice, [(spelled[folded], counts[folded]) for folded in offered])
    common = [value for value in values if value.is_chosen or value.papers >= _COMMON]
    return Facet("tags", str(NAMES["tags"]), tuple(values), shown=min(len(common), SHOWN_VALUES))


def _chosen_tag(choice: DayChoice, tag: str, papers: int) -> FacetValue:
    return FacetValue(tag, papers, choice.without("tags", tag).query, is_chosen=True)


def _further_tags(choice: DayChoice, tags: Iterable[tuple[str, int]]) -> list[FacetValue]:
    """Return tags to add; their addresses, which have all but the tag in common, are not each made from the whole."""
    before = urlencode([("tag", tag) for tag in choice.tags] + [("tag", "")])
    after = urlencode(replace(choice, page=1, tags=()).pairs)
    ending = f"&{after}" if after else ""
    return [FacetValue(tag, papers, f"?{before}{quote_plus(tag)}{ending}") for tag, papers in tags]


def _left(choice: DayChoice, papers: Sequence[DayPaper]) -> Sequence[DayPaper]:
    return [paper for paper in papers if choice.picks(paper)] if choice.has_filters else papers
