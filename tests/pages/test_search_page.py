"""The search page: results, paging, and every state of having nothing to show."""

import re
from urllib.parse import quote, urlencode

import pytest

from papers.pages.result_pages import PAGE_SIZE
from tests.factories import make_paper, make_summary
from tests.roles import client_of

pytestmark = pytest.mark.django_db


def search(client, query: str, **parameters) -> str:
    response = client.get("/search/", {"q": query, **parameters})
    assert response.status_code == 200
    return response.content.decode()


def test_without_a_query_the_page_explains_how_to_search(client):
    page = client.get("/search/").content.decode()
    assert "搜索写法" in page and "没有找到" not in page


def test_hits_are_marked_in_chinese_and_in_english(client):
    make_summary(make_paper(title_en="Sparse Attention"))
    assert "<mark>稀疏注意力</mark>" in search(client, "稀疏注意力")
    assert "<mark>Sparse</mark>" in search(client, "sparse")


def test_what_is_found_is_escaped(client):
    make_paper(title_en="<script>alert(1)</script> transformers", abstract="<b>transformers</b>")
    page = search(client, "transformers <script>alert(1)</script>")
    assert "<script>alert" not in page and "<b>" not in page
    assert "<mark>transformers</mark>" in page


def test_nothing_found_says_so_and_how_to_go_on(client):
    page = search(client, "nowhere-to-be-found")
    assert "没有找到论文" in page and "搜索写法" in page


@pytest.mark.parametrize("query", ["-video", "!!!", "。。", '""'])
def test_a_query_without_a_word_says_that_it_needs_one(client, query):
    assert "请写下要找的词" in search(client, query)


@pytest.mark.parametrize(
    "query",
    [
        '"',
        "'",
        "C++",
        "GPT-4o",
        "low-rank",
        "AND",
        "(",
        ")",
        "😀",
        " ",
        "title:",
        "a\x00b",
        "%",
        "\\",
        "*",
        "x" * 5000,
        "中" * 400,
        "NEAR(a b)",
        "papers_fts:x",
    ],
)
def test_anything_a_person_can_type_is_a_valid_search(client, query):
    make_paper()
    search(client, query)


def test_bytes_that_are_no_text_are_a_valid_search(client):
    assert client.get("/search/?q=%ff%fe%00&page=%ff").status_code == 200


def test_long_results_are_paged(client):
    for number in range(PAGE_SIZE + 3):
        make_paper(title_en=f"Paper {number:03d}", abstract="attention", upvotes=number)
    first = search(client, "attention", order="upvotes")
    assert "Paper 022" in first and "Paper 001" not in first
    assert "第 1 页，共 2 页" in first and f"找到 {PAGE_SIZE + 3} 篇" in first
    assert 'href="?q=attention&amp;order=upvotes&amp;page=2"' in first
    second = search(client, "attention", order="upvotes", page="2")
    assert "Paper 001" in second and "Paper 022" not in second
    assert 'href="?q=attention&amp;order=upvotes"' in second


@pytest.mark.parametrize("page", ["0", "-1", "x", "", "1.5", "²", "9" * 5000, "1e9"])
def test_what_is_no_page_number_is_the_first_page(client, page):
    make_paper(title_en="Attention")
    assert "<mark>Attention</mark>" in search(client, "attention", page=page)


@pytest.mark.parametrize("page", ["2", "499", "999999"])
def test_a_page_past_the_end_leads_back_to_the_first(client, page):
    make_paper(title_en="Attention")
    page = search(client, "attention", page=page)
    assert "没有更多结果" in page and 'href="?q=attention"' in page


def test_an_unknown_order_is_by_relevance(client):
    make_paper(title_en="Attention")
    assert "<mark>Attention</mark>" in search(client, "attention", order="nonsense")


@pytest.mark.parametrize("typed", ["2606.44444", "arXiv:2606.44444v2", "https://arxiv.org/abs/2606.44444"])
def test_the_id_of_a_known_paper_leads_straight_to_it(client, typed):
    make_paper(arxiv_id="2606.44444")
    response = client.get("/search/?" + urlencode({"q": typed}))
    assert response.status_code == 302 and response.headers["Location"] == "/papers/2606.44444/"


def test_the_id_of_an_unknown_paper_is_a_search_like_any_other(client):
    assert "没有找到论文" in search(client, "2606.44444")


def test_the_query_stays_in_the_field(client):
    page = search(client, 'a "b" <c>')
    assert 'value="a &quot;b&quot; &lt;c&gt;"' in page
    assert page.count('name="q"') == 1


def test_other_words_are_looked_for_with_the_same_filters_and_order(client):
    make_paper(title_en="Attention")
    page = search(client, "attention", tag=["a", "b"], year="2026", order="newest", page="2")
    kept = re.findall(r'<input type="hidden" name="(\w+)" value="(\w+)">', page[page.index("data-search-form") :])
    assert kept[:4] == [("tag", "a"), ("tag", "b"), ("year", "2026"), ("order", "newest")]


@pytest.mark.parametrize("query", ["", "attention", "nothing like it", "-"])
def test_every_state_has_the_parts_that_a_script_takes_from_it(client, query):
    make_paper(title_en="Attention")
    page = search(client, query)
    assert re.findall(r'data-search-part="(\w+)"', page) == ["words", "orders", "found"]
    assert page.count("data-search-status") == page.count("data-search-form") == 1


def test_the_syntax_stands_in_one_line_under_the_field(client):
    page = search(client, "attention")
    line = page[page.index('id="search-syntax"') : page.index("</form>", page.index('id="search-syntax"'))]
    assert all(sign in line for sign in ('<code>"', "<code>-", "title:", "author:", "tag:", 'href="#search-help"'))
    assert 'id="search-help"' in page


@pytest.mark.parametrize("number", [2, PAGE_SIZE])
def test_a_page_of_results_costs_the_same_whatever_it_holds(client, django_assert_num_queries, number):
    for _ in range(number):
        make_paper(title_en="Attention")
    # the version of the content; the first thousand ids; their texts for excerpts; the papers; their authors; their
    # tags; facts and tags to narrow by
    with django_assert_num_queries(8):
        client.get("/search/?q=" + quote("attention"))


def test_results_can_be_ticked_for_a_comparison(client):
    paper = make_paper(title_en="Attention")
    page = search(client, "attention")
    assert f'name="ids" value="{paper.arxiv_id}" form="compare"' in page
    assert re.search(r'id="compare"[^>]*data-most="4"[^>]*>', page)[0].count("hidden") == 0
    # Results may still come while somebody types.
    assert re.search(r'id="compare"[^>]*data-most="4" hidden', search(client, "nothing like it"))


def test_only_the_owner_has_marks_beside_the_results(client):
    make_paper(title_en="Attention")
    assert "data-personal" not in search(client, "attention")
    assert "data-personal" in search(client_of("owner"), "attention")
