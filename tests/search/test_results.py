"""Searching stored papers."""

import datetime as dt

import pytest
from django.db import connection
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from papers.models import Paper
from papers.search import results
from papers.search.filters import HitFilters
from papers.search.index import index_papers
from papers.search.results import matching_ids, search
from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db


def found(text: str, **options) -> set[int]:
    return {hit.paper_id for hit in search(text, **options).hits}


@pytest.fixture
def paper():
    """A paper with something in every column, among others that share nothing with it."""
    paper = make_paper(
        title_en="GPT-4o and Low-Rank Adaptation in C++",
        abstract="What's new: we fine-tune naïve baselines.",
        authors=["José García", "Li Wei"],
        tags=["parameter-efficient fine-tuning", "大语言模型"],
    )
    make_summary(paper, title_zh="用LoRA微调大语言模型的方法", one_line="提出一种“稀疏”更新，显存降低６成。")
    for _ in range(3):
        make_paper(title_en="Graph kernels", abstract="Nothing of the kind.", authors=["Zoe Quist"])
    return paper


@pytest.mark.parametrize(
    "typed",
    ["GPT-4o", "low-rank", "LOW RANK", "C++", "what's", "naive", "naïve", "fine-tune", "adapt", "ＧＰＴ－４ｏ", "微调",
     "大语言模型", "模型的方法", "LoRA 微调", "LoRA微调 -graph", '"new we"', "garcia", "author:garcia", 'author:"li wei"',
     "tag:大语言", "title:方法", "title:gpt", "标题：微调", "稀疏 更新", "稀疏更新", "降低6成", "(gpt", "AND",
     '"low-rank adaptation', "lora -diffusion", "键值缓存", "显存占用降低了"],
)  # fmt: skip
def test_the_paper_is_found_and_no_other(paper, typed):
    assert found(typed) == {paper.pk}


@pytest.mark.parametrize(
    "typed",
    ["", "-", '"', "🚀", "title:", "-lora", "title:稀疏", "author:gpt", "tag:garcia", "lora -微调", "lora nothinglikeit",
     '"rank low"', "型模", "\x00", "\ud800", "NEAR(", "*",
     pytest.param("a" * 100_000, id="100,000 letters")],
)  # fmt: skip
def test_nothing_is_found_and_nothing_breaks(paper, typed):
    result = search(typed)
    assert (result.hits, result.count, result.count_capped) == ([], 0, False)


def test_every_short_piece_of_chinese_text_finds_it():
    text = "提出一种面向长上下文推理的稀疏注意力方法，在LongBench上把准确率提高到47.2%"
    paper = make_paper(title_en="x", abstract="y")
    make_summary(paper, one_line=text)
    for _ in range(3):
        make_paper()
    pieces = {text[start : start + size] for size in (1, 2, 3, 4) for start in range(len(text) - size + 1)}
    # A piece of a Latin word is no word, and punctuation alone is nothing to look for.
    asked = [piece for piece in pieces if not any(character.isascii() or character == "，" for character in piece)]
    assert len(asked) > 80
    assert [piece for piece in asked if found(piece) != {paper.pk}] == []


def test_titles_come_before_tags_and_tags_before_abstracts_and_summaries():
    filler = "Some other words that stand in every text of this library."
    for _ in range(30):
        make_paper(abstract=filler)
    in_abstract = make_paper(abstract=f"{filler} A quasar.")
    in_tag = make_paper(abstract=filler, tags=["quasar"])
    in_title = make_paper(title_en="The Quasar, Part 1", abstract=filler)
    assert [hit.paper_id for hit in search("quasar").hits] == [in_title.pk, in_tag.pk, in_abstract.pk]


def test_equal_hits_come_in_the_same_order_on_every_page():
    papers = [make_paper(title_en="Same", abstract="same").pk for _ in range(9)]
    pages = [hit.paper_id for offset in (0, 4, 8) for hit in search("same", limit=4, offset=offset).hits]
    assert pages == papers


def test_newest_and_upvotes_order_by_day_and_by_votes():
    old = make_paper(paper_date=dt.date(2026, 6, 1), upvotes=90)
    new = make_paper(paper_date=dt.date(2026, 6, 3), upvotes=1)
    liked = make_paper(paper_date=dt.date(2026, 6, 3), upvotes=50)
    assert [hit.paper_id for hit in search("attention", order="newest").hits] == [liked.pk, new.pk, old.pk]
    assert [hit.paper_id for hit in search("attention", order="upvotes").hits] == [old.pk, liked.pk, new.pk]


@pytest.mark.parametrize("order", ["relevance", "newest", "upvotes"])
def test_a_search_can_be_held_to_some_papers(order):
    papers = [make_paper(upvotes=votes) for votes in range(6)]
    some = Paper.objects.filter(upvotes__gte=4)
    result = search("attention", among=some, order=order, limit=1)
    assert result.count == 2
    assert found("attention", among=some, order=order) == {papers[4].pk, papers[5].pk}
    assert search("attention", among=some.none(), order=order).count == 0


def test_matching_ids_join_any_query():
    papers = [make_paper(upvotes=votes) for votes in range(4)]
    matching = Paper.objects.filter(upvotes__gte=2, id__in=matching_ids("attention")).order_by("id")
    assert list(matching) == papers[2:]
    assert not Paper.objects.filter(id__in=matching_ids("")).exists()


@pytest.mark.parametrize("cap", [4, 5, 6])
def test_the_count_is_exact_up_to_the_cap_and_then_says_so(monkeypatch, cap):
    monkeypatch.setattr(results, "MAX_COUNT", cap)
    for _ in range(5):
        make_paper()
    result = search("attention", limit=2)
    assert (result.count, result.count_capped) == (min(5, cap), cap < 5)


@pytest.mark.parametrize(("limit", "offset", "hits"), [(25, 0, 5), (2, 4, 1), (2, 5, 0), (0, 0, 0), (5, 10**30, 0)])
def test_the_count_is_the_same_on_every_page(limit, offset, hits):
    for _ in range(5):
        make_paper()
    result = search("attention", limit=limit, offset=offset)
    assert (len(result.hits), result.count) == (hits, 5)


@pytest.mark.parametrize("options", [{"order": "random"}, {"limit": -1}, {"offset": -1}, {"limit": 100_000}])
def test_a_page_that_cannot_be_is_refused(options):
    with pytest.raises(ValueError, match="no such page"):
        search("attention", **options)


def test_titles_and_excerpt_are_marked(paper):
    (hit,) = search("微调 gpt").hits
    assert hit.title_zh == "用LoRA<mark>微调</mark>大语言模型的方法"
    assert hit.title_en == "<mark>GPT</mark>-4o and Low-Rank Adaptation in C++"
    assert hit.excerpt.startswith("提出一种“稀疏”更新，显存降低6成。自注意力机制；键值缓存；上下文变长以后")
    assert hit.excerpt_language == "zh"


def test_the_excerpt_is_of_the_abstract_where_only_that_has_the_word(paper):
    (hit,) = search("baselines").hits
    assert hit.excerpt == "What&#x27;s new: we fine-tune naïve <mark>baselines</mark>."
    assert hit.excerpt_language == "en"


def test_a_word_looked_for_in_titles_is_marked_in_titles_only(paper):
    (hit,) = search("title:模型").hits
    assert "<mark>模型</mark>" in hit.title_zh
    assert "<mark>" not in hit.excerpt


def test_a_paper_deleted_behind_the_application_is_no_hit():
    gone, kept = make_paper(), make_paper()
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM papers WHERE id = %s", [gone.pk])
    assert found("attention") == {kept.pk}


def test_three_queries_whatever_the_number_of_hits(django_assert_max_num_queries):
    for _ in range(30):
        make_paper(tags=["a", "b"])
    # the ids, the count, the texts of the page
    with django_assert_max_num_queries(3):
        assert len(search("attention", limit=25).hits) == 25


def test_the_row_of_a_changed_paper_is_found_by_its_new_words(paper):
    Paper.objects.filter(pk=paper.pk).update(title_en="Renamed")
    index_papers([paper.pk])
    assert found("renamed") == {paper.pk}
    assert found("title:gpt") == set()


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text())
def test_any_text_can_be_searched(text):
    assert search(text).count >= 0


@pytest.mark.parametrize("order", ["relevance", "newest", "upvotes"])
@pytest.mark.parametrize("wider", [HitFilters(), HitFilters(tags=("agents",))])
def test_the_hits_of_wider_filters_come_along_as_if_searched_for(order, wider, monkeypatch):
    for number in range(24):
        title, tags = "Attention " * (1 + number % 3), ["Agents"] if number % 2 else []
        make_paper(title_en=title, tags=tags, upvotes=number % 5, paper_date=dt.date(2020 + number % 4, 1, 1))
    narrow = HitFilters(tags=wider.tags, year="2021")
    both = search("attention", order=order, filters=narrow, wider=wider, limit=3, offset=1)
    alone = search("attention", order=order, filters=narrow, limit=3, offset=1)
    assert (both.ids, both.hits, both.count) == (alone.ids, alone.hits, 6)
    assert both.wider_ids == search("attention", order=order, filters=wider).ids
    monkeypatch.setattr(results, "MAX_WIDER", 2)
    few = search("attention", order=order, filters=narrow, wider=wider, limit=0)
    assert few.wider_ids == both.wider_ids[:2] and few.ids == both.ids


def test_wider_filters_heed_the_papers_searched_among(paper):
    other = make_paper(title_en="GPT-4o", paper_date=dt.date(2020, 1, 1))
    only = Paper.objects.filter(pk=other.pk)
    given = search("GPT-4o", among=only, filters=HitFilters(year="2019"), wider=HitFilters())
    assert (given.ids, given.wider_ids) == ((), (other.pk,))
    assert search("-x", filters=HitFilters(year="2019"), wider=HitFilters()).wider_ids == ()
