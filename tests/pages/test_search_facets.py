"""Narrowing a search: counts over the first hits, filters in the address, and ways back."""

import re
from html import unescape
from urllib.parse import quote

import pytest

from papers.models import PaperTag
from papers.pages import result_pages
from tests.factories import SUMMARY, make_paper, make_summary

pytestmark = pytest.mark.django_db


def page(client, address: str) -> str:
    response = client.get(address)
    assert response.status_code == 200
    return response.content.decode()


def offered(html: str, label: str) -> tuple[int, str]:
    """Return the number beside a value to narrow by, and where it leads."""
    found = re.search(
        rf'href="([^"]*)"[^>]*><span class="facet__label" dir="auto">{label}</span> <span class="facet__papers">(\d+)',
        html,
    )
    assert found, label
    return int(found[2]), unescape(found[1])


@pytest.fixture
def library(db):
    """Three papers about attention that differ in all that can be filtered by."""
    first = make_paper(
        title_en="Attention one", paper_date="2026-06-05", code_url="https://github.com/a/b", tags=["RAG"]
    )
    make_summary(first, tags=["rag", "代理"])
    second = make_paper(title_en="Attention two", paper_date="2025-06-05", tags=["RAG"])
    make_summary(second, summary=SUMMARY | {"difficulty": "困难"}, quality="low", tags=["代理"])
    third = make_paper(title_en="Attention three", paper_date="2025-06-06")
    return first, second, third


@pytest.mark.parametrize(
    ("label", "papers", "address", "shown"),
    [
        ("RAG", 2, "tag=RAG", (0, 1)),
        ("代理", 2, "tag=%E4%BB%A3%E7%90%86", (0, 1)),
        ("2025", 2, "year=2025", (1, 2)),
        ("困难", 1, "difficulty=%E5%9B%B0%E9%9A%BE", (1,)),
        ("质量较低", 1, "quality=low", (1,)),
        ("有代码", 1, "code=1", (0,)),
        ("待总结", 1, "state=pending", (2,)),
        ("已总结", 2, "state=done", (0, 1)),
    ],
)
def test_a_value_tells_how_many_it_leaves_and_leads_to_them(client, library, label, papers, address, shown):
    number, leads_to = offered(page(client, "/search/?q=attention"), label)
    assert (number, leads_to) == (papers, f"?q=attention&{address}")
    narrowed = page(client, f"/search/{leads_to}")
    assert {paper.arxiv_id for paper in library if f'data-paper="{paper.arxiv_id}"' in narrowed} == {
        library[place].arxiv_id for place in shown
    }
    assert f"找到 {papers} 篇" in narrowed


def test_filters_add_up_and_each_can_be_taken_off(client, library):
    html = page(client, "/search/?q=attention&tag=RAG&year=2025&order=newest")
    assert "找到 1 篇" in html and library[1].arxiv_id in html
    chosen = re.findall(r'class="chosen__filter" href="([^"]*)"', html)
    assert [unescape(address) for address in chosen] == [
        "?q=attention&year=2025&order=newest",
        "?q=attention&tag=RAG&order=newest",
    ]
    assert 'class="chosen__clear" href="?q=attention&amp;order=newest"' in html


def test_orders_pages_and_exports_keep_the_filters(client, library, monkeypatch):
    monkeypatch.setattr(result_pages, "PAGE_SIZE", 1)
    html = unescape(page(client, "/search/?q=attention&year=2025"))
    assert 'href="?q=attention&year=2025&order=newest"' in html
    assert 'rel="next" href="?q=attention&year=2025&page=2"' in html
    assert "/export/bibtex/?q=attention&year=2025" in html
    exported = client.get("/export/csv/?q=attention&year=2025").content.decode()
    assert library[1].arxiv_id in exported and library[0].arxiv_id not in exported


def test_beside_a_chosen_value_the_others_stay_to_be_chosen(client, library):
    html = page(client, "/search/?q=attention&year=2025")
    assert offered(html, "2025") == (2, "?q=attention")
    assert offered(html, "2026") == (1, "?q=attention&year=2026")


def test_the_other_values_are_counted_beside_the_filters_of_other_kinds(client, library):
    html = page(client, "/search/?q=attention&year=2025&state=done&tag=RAG")
    assert offered(html, "2026") == (1, "?q=attention&tag=RAG&year=2026&state=done")
    assert offered(html, "已总结")[0] == 1
    assert ">待总结<" not in html  # the one that waits has no such tag
    html = page(client, "/search/?q=attention&year=2025&quality=low&code=1")
    assert "没有论文同时符合" in html


def test_the_others_are_counted_over_the_first_hits_of_the_wider_search_and_say_so(client, monkeypatch):
    monkeypatch.setattr(result_pages, "COUNTED_HITS", 3)
    for year in (2020, 2024, 2024, 2025, 2026):
        make_paper(title_en="Attention", paper_date=f"{year}-01-01")
    html = page(client, "/search/?q=attention&order=newest&year=2025")
    assert (offered(html, "2026")[0], offered(html, "2025")[0], offered(html, "2024")[0]) == (1, 1, 1)
    assert "数目只按前 3 篇统计" in html and ">2020<" not in html
    # What the first of all have none of is still there to be taken off.
    assert offered(page(client, "/search/?q=attention&order=newest&year=2020"), "2020") == (
        1,
        "?q=attention&order=newest",
    )


@pytest.mark.parametrize(
    "filters", ["", "&code=1", "&tag=RAG", "&year=2026", "&year=2026&state=pending&tag=RAG&code=1&page=2"]
)
def test_a_narrowed_search_asks_one_question_more(client, filters, monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(result_pages, "PAGE_SIZE", 5)
    for number in range(10):
        make_paper(title_en="Attention", tags=["RAG", f"tag {number}"], code_url="https://github.com/a/b")
    with django_assert_max_num_queries(9):
        assert "data-paper" in page(client, f"/search/?q=attention{filters}")


def test_nothing_left_leads_back_to_the_words_alone(client, library):
    html = page(client, "/search/?q=attention&year=1999")
    assert "没有论文同时符合" in html
    assert 'button--strong" href="?q=attention"' in html
    assert (offered(html, "2026")[0], offered(html, "2025")[0]) == (1, 2)
    assert 'class="facet' not in page(client, "/search/?q=xyzzy&year=1999")


@pytest.mark.parametrize(
    "filters", ["year=20255", "year=x", "quality=best", "state=lost", "code=yes", "tag=" + "x" * 200]
)
def test_a_filter_that_means_nothing_is_named_and_not_used(client, library, filters):
    html = page(client, f"/search/?q=attention&{filters}")
    assert "找到 3 篇" in html and "地址里有看不懂的筛选" in html


@pytest.mark.parametrize("value", ["<script>alert(1)</script>", '"><b>', "' OR 1=1 --", "%", "\x00x"])
def test_any_value_is_only_text(client, library, value):
    html = page(client, f"/search/?q=attention&tag={quote(value)}&difficulty={quote(value)}")
    assert "<script>alert" not in html and '"><b>' not in html


@pytest.mark.parametrize("written", ["中等  偏难", " 中等\t偏难\n", "中等\u3000\u00a0偏难", "中等\r\n 偏难"])
def test_a_difficulty_is_the_same_however_its_blanks_are_written(client, library, written):
    make_summary(library[2], difficulty=written)
    make_summary(make_paper(title_en="Attention four"), difficulty="中等 偏难")
    number, leads_to = offered(page(client, "/search/?q=attention"), "中等 偏难")
    narrowed = page(client, f"/search/{leads_to}")
    assert number == 2 and "找到 2 篇" in narrowed and library[2].arxiv_id in narrowed


def test_what_no_address_can_say_is_not_offered(client, library):
    make_summary(library[2], difficulty="中等\u2003偏难")
    make_summary(make_paper(title_en="Attention four"), difficulty="难" * 81)
    html = page(client, "/search/?q=attention")
    assert "偏难" not in html and "难" * 81 not in html


def test_a_paper_that_nobody_has_begun_with_waits_like_the_others(client, library):
    make_paper(title_en="Attention four", state=None)
    number, leads_to = offered(page(client, "/search/?q=attention"), "待总结")
    assert number == 2 and "找到 2 篇" in page(client, f"/search/{leads_to}")


def test_a_tag_counts_once_for_a_paper_whoever_gave_it(client, library):
    PaperTag.objects.create(paper=library[1], tag="ＲＡＧ", source="user")
    assert offered(page(client, "/search/?q=attention"), "RAG")[0] == 2


def test_counts_are_of_the_first_hits_and_say_so(client, monkeypatch):
    monkeypatch.setattr(result_pages, "COUNTED_HITS", 3)
    monkeypatch.setattr(result_pages, "PAGE_SIZE", 2)
    for number in range(6):
        make_paper(title_en="Attention", paper_date=f"202{number}-01-01", tags=["RAG"])
    html = page(client, "/search/?q=attention&order=newest")
    assert "数目只按前 3 篇统计" in html and offered(html, "RAG")[0] == 3
    last = page(client, "/search/?q=attention&order=newest&page=3")
    assert "找到 6 篇" in last and 'start="5"' in last


def test_what_all_have_in_common_is_not_offered(client):
    make_paper(title_en="Attention")
    assert "facet-year" not in page(client, "/search/?q=attention")
