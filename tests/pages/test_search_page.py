"""The search page: results, paging, and every state of having nothing to show."""

from urllib.parse import quote, urlencode

import pytest

from papers.result_pages import PAGE_SIZE
from tests.factories import make_paper, make_summary

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


def test_a_tag_and_an_author_on_a_page_lead_to_a_search_that_finds_it(client):
    paper = make_paper(authors=['José "Pepe" Núñez'], tags=['chain-of-thought, "CoT"'])
    page = client.get(paper.get_absolute_url()).content.decode()
    for field in ("author", "tag"):
        start = page.index(f'href="/search/?q={field}') + len('href="')
        address = page[start : page.index('"', start)].replace("&amp;", "&")
        assert paper.get_absolute_url() in client.get(address).content.decode()


def test_the_query_stays_in_the_field(client):
    page = search(client, 'a "b" <c>')
    assert 'value="a &quot;b&quot; &lt;c&gt;"' in page


@pytest.mark.parametrize("number", [2, PAGE_SIZE])
def test_a_page_of_results_costs_the_same_whatever_it_holds(client, django_assert_num_queries, number):
    for _ in range(number):
        make_paper(title_en="Attention")
    # the ids found; (a full page: their count); their texts for excerpts; the papers; their authors; their tags
    with django_assert_num_queries(5 if number < PAGE_SIZE else 6):
        client.get("/search/?q=" + quote("attention"))
