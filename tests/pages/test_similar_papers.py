"""Papers like the one that is read, with the reason."""

import time

import pytest

from papers.queries.paper import find_paper
from papers.queries.similar import NEWEST, SHOWN, similar_papers
from tests.factories import make_paper, make_summary

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _others():
    """Papers that share nothing: what is rare is judged by how many have it not."""
    for number in range(60):
        make_paper(title_en=f"Quokka number{number}", abstract="Nothing shared.")


def similar(paper):
    return similar_to(find_paper(paper.arxiv_id))


def similar_to(found):
    line = (found.summary.one_line or "") if found.summary else ""
    return similar_papers(found.paper, tags=found.tags, summary_line=line)


def reasons(paper):
    return {other.arxiv_id: other.reasons for other in similar(paper)}


def test_shared_tags_and_words_are_the_reason():
    paper = make_paper(title_en="Low-Rank Adapters for Zebras", tags=["扩散模型"])
    other = make_paper(title_en="Why low-rank adapters work", tags=["扩散模型"])
    found = reasons(paper)[other.arxiv_id]
    assert "扩散模型" in found
    assert "Low-Rank" in found
    assert "Low" not in found


def test_case_and_width_of_tags_are_no_difference():
    paper, other = make_paper(tags=["LoRA"], title_en="Aardvark"), make_paper(tags=["ｌｏｒａ"], title_en="Wombat")
    assert reasons(paper) == {other.arxiv_id: ("LoRA",)}


def test_words_of_the_one_line_count():
    paper = make_paper(title_en="Aardvark")
    make_summary(paper, one_line="用 GRPO 训练。", title_zh="土豚", tags=[])
    other = make_paper(title_en="Stable GRPO")
    assert reasons(paper) == {other.arxiv_id: ("GRPO",)}


def test_the_likest_comes_first():
    paper = make_paper(title_en="Aardvark burrow acoustics", tags=["sound"])
    less = make_paper(title_en="Burrow maps")
    more = make_paper(title_en="Acoustics of the burrow", tags=["sound"])
    assert [other.arxiv_id for other in similar(paper)] == [more.arxiv_id, less.arxiv_id]


def test_neither_itself_nor_a_withdrawn_paper_is_named():
    paper = make_paper(title_en="Aardvark burrow", tags=["sound"])
    make_paper(title_en="Aardvark burrow", tags=["sound"], is_withdrawn=True)
    assert similar(paper) == []


def test_a_deleted_paper_is_named_no_more():
    paper, other = make_paper(title_en="Aardvark burrow"), make_paper(title_en="Aardvark nest")
    assert reasons(paper)
    other.delete()
    assert similar(paper) == []


def test_what_everybody_has_makes_none_alike():
    paper = make_paper(title_en="Quokka and the others")
    assert similar(paper) == []


def test_a_word_in_an_abstract_alone_is_no_reason():
    paper = make_paper(title_en="Aardvark burrow")
    make_paper(title_en="Wombat", abstract="Unlike an aardvark.")
    assert similar(paper) == []


@pytest.mark.parametrize(
    "title", ['"', "AND OR NOT", "the of", "模型", "a" * 5000, "C++ * ( NEAR", "\u200b", "C'est l'été"]
)
def test_any_title_can_be_asked_for(title):
    assert isinstance(similar(make_paper(title_en=title, tags=['"', "%", "'"])), list)


def test_it_takes_two_questions_and_no_more_papers_than_bounded(django_assert_num_queries):
    paper = make_paper(title_en="Aardvark burrow", tags=["sound"])
    for number in range(NEWEST + 10):
        make_paper(title_en=f"Aardvark {number}", tags=["sound"])
    found = find_paper(paper.arxiv_id)
    with django_assert_num_queries(2):
        assert len(similar_to(found)) <= SHOWN


def test_the_page_names_them_with_the_reason(client):
    paper, other = make_paper(title_en="Aardvark burrow"), make_paper(title_en="Aardvark <nest>")
    html = client.get(paper.get_absolute_url()).content.decode()
    assert f'href="{other.get_absolute_url()}"' in html
    assert "Aardvark &lt;nest&gt;" in html


def test_a_word_without_end_takes_no_time_without_end():
    paper = make_paper(title_en="Aardvark " + "x" * 20_000, tags=["one"])
    make_paper(title_en="Aardvark " + "y" * 20_000, tags=["one"])
    start = time.perf_counter()
    similar(paper)
    assert time.perf_counter() - start < 2
