"""Pieces of pages that are rendered once for their values and the language."""

from dataclasses import dataclass, replace

import pytest
from django.template import Context, engines
from django.utils import translation

from papers.templatetags import papers_kept


@dataclass(frozen=True, slots=True)
class Thing:
    name: str
    number: int = 1


@pytest.fixture
def show(monkeypatch):
    """Include a piece and return it; `show.times` tells how often it was rendered."""
    template = engines["django"].from_string(
        "{% load i18n %}{{ thing.name }} {{ thing.number }} {% translate '搜索' %} {{ user }}{{ request }}"
    )

    def render(name: str, values: dict) -> str:
        show.times += 1
        return template.render(values)

    def show(thing: Thing) -> str:
        page = engines["django"].from_string('{% load papers_kept %}{% include_kept "piece.html" thing=thing %}')
        return page.template.render(Context({"thing": thing, "user": "owner", "request": "secret"}))

    show.times = 0
    monkeypatch.setattr(papers_kept, "render_to_string", render)
    papers_kept._rendered.cache_clear()
    yield show
    papers_kept._rendered.cache_clear()


def test_the_same_values_are_rendered_once(show):
    assert show(Thing("a")) == show(Thing("a"))
    assert show.times == 1


@pytest.mark.parametrize("change", [{"name": "b"}, {"number": 2}])
def test_any_other_value_is_another_piece(show, change):
    first = show(Thing("a"))
    assert show(replace(Thing("a"), **change)) != first
    assert show(Thing("a")) == first


def test_each_language_has_its_own(show):
    chinese = show(Thing("a"))
    with translation.override("en"):
        assert show(Thing("a")) != chinese
    assert show(Thing("a")) == chinese


def test_it_knows_nothing_else_of_the_page(show):
    assert "owner" not in show(Thing("a")) and "secret" not in show(Thing("a"))


def test_values_are_escaped(show):
    assert "&lt;b&gt;" in show(Thing("<b>"))


def test_templates_that_are_being_written_are_read_anew(show, settings):
    settings.DEBUG = True
    show(Thing("a"))
    show(Thing("a"))
    assert show.times == 2


def test_they_take_no_more_room_than_they_may(show):
    for number in range(40):
        show(Thing("学" * 500_000, number))
    assert 0 < papers_kept._rendered.cache.currsize <= papers_kept._MOST_BYTES
    show.times = 0
    show(Thing("学" * 500_000, 39))
    show(Thing("学" * 500_000, 0))
    assert show.times == 1


def test_one_that_is_too_large_to_keep_is_shown_all_the_same(show):
    assert "学" * 9_000_000 in show(Thing("学" * 9_000_000))
