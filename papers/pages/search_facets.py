"""What a search can be narrowed by, with how many of its first hits have each value."""

from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from papers.pages.day_choice import LONGEST_VALUE, MOST_TAGS
from papers.pages.facets import MOST_VALUES, NAMES, USUAL_ORDER, ChosenFilter, Facet, FacetValue, value_in_words
from papers.pages.search_choice import SearchChoice
from papers.queries.hit_facets import HitFacets
from papers.text import fold, one_line

SHOWN_VALUES = 10
# In the order of a page.
_KEYS = ("year", "difficulty", "quality", "code", "state")


def search_facets(choice: SearchChoice, counts: HitFacets, beside: Mapping[str, Counter[str]]) -> list[Facet]:
    """Return the filters that tell the hits apart, in the order of a page.

    `counts` are of the hits; `beside`, for a filter at work, of those that the other filters let pass.
    """
    by_key = {
        key: _with_chosen(beside[key], counts.values[key]) if key in beside else counts.values[key] for key in _KEYS
    }
    found = [_tag_facet(choice, counts), *(_facet(choice, key, values) for key, values in by_key.items())]
    return [facet for facet in found if facet.values]


def chosen_filters(choice: SearchChoice) -> list[ChosenFilter]:
    """Return the filters at work, each with the way to take it off."""
    tags = [ChosenFilter(str(NAMES["tags"]), tag, choice.without_tag(tag).address) for tag in choice.tags]
    return tags + [
        ChosenFilter(str(NAMES[key]), value_in_words(key, getattr(choice, key)), choice.with_value(key, "").address)
        for key in _KEYS
        if getattr(choice, key)
    ]


def _with_chosen(beside: Counter[str], own: Counter[str]) -> Counter[str]:
    """Add the value at work where the first of a wider search have none of it."""
    return own | beside if own.keys() - beside.keys() else beside


def _facet(choice: SearchChoice, key: str, counts: Counter[str]) -> Facet:
    chosen = getattr(choice, key)
    if not chosen and len(counts) < 2 and key != "code":
        return Facet(key, "", ())
    offered = {value: papers for value, papers in counts.items() if _is_readable(value)}
    values = [_value(choice, key, value, papers) for value, papers in sorted(offered.items(), key=_place(key))]
    return Facet(key, str(NAMES[key]), tuple(values[:MOST_VALUES]), SHOWN_VALUES)


def _is_readable(value: str) -> bool:
    """Tell whether an address that holds `value` is read as the same."""
    return len(value) <= LONGEST_VALUE and one_line(value) == value


def _place(key: str) -> Callable[[tuple[str, int]], Any]:
    """Return what the values of a filter are sorted by: years newest first, others as usual, then by count."""
    if key == "year":
        return lambda item: -int(item[0])
    return lambda item: (USUAL_ORDER.get(item[0], 0), -item[1], item[0])


def _value(choice: SearchChoice, key: str, value: str, papers: int) -> FacetValue:
    is_chosen = getattr(choice, key) == value
    leads_to = choice.with_value(key, "" if is_chosen else value)
    return FacetValue(value_in_words(key, value), papers, leads_to.address, is_chosen)


def _tag_facet(choice: SearchChoice, counts: HitFacets) -> Facet:
    """Return the chosen tags, then the commonest others: each further one narrows."""
    chosen = {fold(tag): tag for tag in choice.tags}
    papers = {folded: number for folded, _tag, number in counts.tags}
    values = [
        FacetValue(tag, papers.get(folded, 0), choice.without_tag(tag).address, is_chosen=True)
        for folded, tag in chosen.items()
    ]
    if len(chosen) < MOST_TAGS:
        values += [
            FacetValue(tag, number, choice.with_value("tags", (*choice.tags, tag)).address)
            for folded, tag, number in counts.tags
            if folded not in chosen and len(tag) <= LONGEST_VALUE
        ]
    return Facet("tags", str(NAMES["tags"]), tuple(values), SHOWN_VALUES)
