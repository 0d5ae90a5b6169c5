"""Sorting and filtering the list of a day, by addresses that can be shared."""

import datetime as dt
import html
import re

import pytest
from django.http import QueryDict

from papers.models import PaperTag, SummaryQuality
from papers.pages.day_choice import LONGEST_VALUE, MOST_TAGS, DayChoice, read_choice
from papers.pages.day_facets import facets
from papers.pages.facets import MOST_VALUES
from papers.pages.public import kept_pages
from papers.queries.day_papers import day_papers
from papers.title_order import title_place
from tests.factories import DAY, make_paper, make_summary

pytestmark = pytest.mark.django_db

ADDRESS = f"/day/{DAY}/"
EVERYTHING = DayChoice()


def titles(client, query: str = "") -> list[str]:
    page = client.get(ADDRESS + query).content.decode()
    found = re.findall(r'<h2 class="paper-card__title"[^>]*><a [^>]*>(.*?)</a>', page)
    return [html.unescape(title) for title in found]


def counts(choice: DayChoice = EVERYTHING) -> dict[str, dict[str, int]]:
    return {
        facet.key: {value.label: value.papers for value in facet.values} for facet in facets(choice, day_papers(DAY))
    }


@pytest.fixture
def a_day() -> None:
    """Four papers: three summarised, one waiting."""
    one = make_paper(upvotes=40, tags=["Agents"], published_at=dt.date(2026, 6, 1), code_url="https://github.com/a/b")
    make_summary(one, title_zh="张量", difficulty="困难", tags=["扩散模型"])
    two = make_paper(upvotes=30, tags=["agents"], published_at=dt.date(2026, 6, 3))
    make_summary(two, title_zh="《啊》", difficulty="中等", tags=["扩散模型"], quality=SummaryQuality.LOW)
    three = make_paper(upvotes=20, published_at=dt.date(2026, 6, 2))
    make_summary(three, title_zh="波动", difficulty="中等", tags=["检索"], quality=SummaryQuality.DEGRADED)
    make_paper(upvotes=10, title_en="Zebra", published_at=None, tags=["agents"])


class TestOrder:
    def test_by_votes(self, client, a_day):
        assert titles(client) == ["张量", "《啊》", "波动", "Zebra"]

    def test_by_the_date_of_arxiv_the_unknown_ones_last(self, client, a_day):
        assert titles(client, "?sort=newest") == ["《啊》", "波动", "张量", "Zebra"]

    def test_by_title_latin_first_then_by_sound(self, client, a_day):
        assert titles(client, "?sort=title") == ["Zebra", "《啊》", "波动", "张量"]

    def test_titles_in_the_order_of_a_dictionary(self):
        ordered = ["3D", "Agent", "agents", "阿里", "“大模型”综述", "检索", "面向", "一种", "自回归", "喆"]
        assert sorted({*ordered}, key=title_place) == ordered

    @pytest.mark.parametrize("title", ["", "🙂", "\ud800", "《》", "ﷺ" * 500, "א" * 10_000])
    def test_any_title_has_a_place(self, title):
        assert len(title_place(title)) < 10_000

    def test_the_order_in_use_is_marked(self, client, a_day):
        page = client.get(ADDRESS + "?sort=title").content.decode()
        assert re.search(rf'href="{ADDRESS}\?sort=title" aria-current="true"', page)


class TestFilters:
    @pytest.mark.parametrize(
        ("query", "found"),
        [
            ("?tag=%E6%89%A9%E6%95%A3%E6%A8%A1%E5%9E%8B", ["张量", "《啊》"]),
            ("?tag=Agents", ["张量", "《啊》", "Zebra"]),
            ("?tag=Agents&tag=%E6%89%A9%E6%95%A3%E6%A8%A1%E5%9E%8B", ["张量", "《啊》"]),
            ("?difficulty=%E4%B8%AD%E7%AD%89", ["《啊》", "波动"]),
            ("?quality=low", ["《啊》"]),
            ("?quality=degraded", ["波动"]),
            ("?code=1", ["张量"]),
            ("?state=pending", ["Zebra"]),
            ("?state=done", ["张量", "《啊》", "波动"]),
            ("?tag=Agents&state=done&sort=title", ["《啊》", "张量"]),
            ("?tag=Agents&difficulty=%E4%B8%AD%E7%AD%89&quality=low", ["《啊》"]),
        ],
    )
    def test_only_what_fits_is_listed(self, client, a_day, query, found):
        assert client.get(ADDRESS + query).status_code == 200
        assert titles(client, query) == found

    def test_what_a_filter_would_leave_is_counted_within_the_day(self, a_day):
        make_paper(paper_date=DAY - dt.timedelta(days=1), tags=["Agents"], code_url="https://github.com/a/b")
        assert counts() == {
            "tags": {"Agents": 3, "扩散模型": 2, "检索": 1},
            "difficulty": {"中等": 2, "困难": 1},
            "quality": {"完整": 1, "不完整": 1, "质量较低": 1},
            "code": {"有代码": 1},
            "state": {"待总结": 1, "已总结": 3},
        }

    def test_counts_are_those_beside_the_other_filters(self, a_day):
        found = counts(DayChoice(tags=("Agents",), difficulty="中等"))
        assert found["tags"] == {"Agents": 1, "扩散模型": 1}
        assert found["difficulty"] == {"中等": 1, "困难": 1}
        assert "quality" not in found  # all that are left have the same

    def test_each_filter_leads_to_as_many_papers_as_it_says(self, client, a_day):
        for facet in facets(DayChoice(), day_papers(DAY)):
            for value in facet.values:
                assert len(titles(client, value.query)) == value.papers, value

    @pytest.mark.parametrize("choice", [EVERYTHING, DayChoice(tags=("Agents",), code="1", sort="title")])
    def test_a_filter_leads_to_its_one_address(self, client, choice):
        make_paper(tags=["Agents", "C++ & more?", "扩散 模型", "a=b"], code_url="https://github.com/a/b")
        (facet, *_others) = facets(choice, day_papers(DAY))
        assert len(facet.values) == 4
        for value in facet.values:
            assert client.get(ADDRESS + value.query).status_code == 200

    def test_filters_at_work_are_shown_and_can_be_taken_off_one_by_one(self, client, a_day):
        page = client.get(ADDRESS + "?tag=Agents&quality=low&sort=title").content.decode()
        assert "4 篇里的 1 篇" in page
        off = re.findall(r'class="chosen__filter" href="([^"]+)"', page)
        assert [html.unescape(address) for address in off] == [
            f"{ADDRESS}?quality=low&sort=title",
            f"{ADDRESS}?tag=Agents&sort=title",
        ]
        assert f'class="chosen__clear" href="{ADDRESS}?sort=title"' in page

    def test_nothing_found_says_so_and_leads_back(self, client, a_day):
        page = client.get(ADDRESS + "?quality=low&code=1").content.decode()
        assert "没有符合的论文" in page and f'href="{ADDRESS}">看这一天全部 4 篇</a>' in page
        assert "这一天没有论文" not in page

    def test_what_means_nothing_is_named_and_left_aside(self, client, a_day):
        page = client.get(ADDRESS + "?quality=best&sort=random&state=done").content.decode()
        assert "看不懂的筛选" in page and "<bdi>best</bdi>" in page and "<bdi>random</bdi>" in page
        assert "3 篇里" not in page and "4 篇里的 3 篇" in page

    def test_a_difficulty_is_what_the_model_said(self, client):
        make_summary(make_paper(), difficulty='<b>"Medium"</b>')
        make_summary(make_paper(), difficulty="困难" * 100)
        make_summary(make_paper(), difficulty=" ")
        make_summary(make_paper(), difficulty="中等")
        assert counts()["difficulty"] == {'<b>"Medium"</b>': 1, "中等": 1}
        page = client.get(ADDRESS).content.decode()
        assert "&lt;b&gt;&quot;Medium&quot;&lt;/b&gt;" in page and "<b>" not in page

    def test_a_difficulty_is_the_same_however_its_blanks_are_written(self, client):
        make_summary(make_paper(), difficulty="中等  偏难")
        make_summary(make_paper(), difficulty="中等\n偏难")
        make_summary(make_paper(), difficulty="困难")
        assert counts()["difficulty"] == {"中等 偏难": 2, "困难": 1}
        assert "3 篇里的 2 篇" in client.get(ADDRESS + "?difficulty=中等 偏难").content.decode()

    def test_a_filter_that_tells_nothing_apart_is_not_offered(self):
        make_summary(make_paper())
        assert counts().keys() == {"tags"}

    def test_tags_of_one_paper_stand_behind_those_of_several(self, client):
        make_paper(tags=["common", *(f"single {number}" for number in range(100))])
        make_paper(tags=["common"])
        (facet,) = facets(DayChoice(), day_papers(DAY))
        assert [value.label for value in facet.first] == ["common"]
        assert len(facet.values) == MOST_VALUES

    def test_the_case_of_a_tag_is_no_difference(self, client, a_day):
        response = client.get(ADDRESS + "?tag=AGENTS")
        assert response.headers["Location"] == f"{ADDRESS}?tag=Agents"

    def test_a_summary_made_anew_is_still_a_summary(self, client):
        paper = make_paper()
        make_summary(paper)
        paper.status.status = "processing"
        paper.status.save()
        assert len(titles(client, "?state=done")) == 1


class TestAddresses:
    @pytest.mark.parametrize(
        ("asked", "leads_to"),
        [
            ("?utm_source=x", ""),
            ("?sort=votes", ""),
            ("?page=1", ""),
            ("?page=x", ""),
            ("?page=99", ""),
            ("?page=-1", ""),
            ("?page=" + "9" * 5000, ""),
            ("?sort=newest&tag=Agents", "?tag=Agents&sort=newest"),
            ("?tag=Agents&tag=agents", "?tag=Agents"),
            ("?tag=&difficulty=&quality=", ""),
            ("?code=1&fbclid=2", "?code=1"),
            ("?tag=%20Agents%20", "?tag=Agents"),
        ],
    )
    def test_what_says_the_same_leads_to_one_address(self, client, a_day, asked, leads_to):
        response = client.get(ADDRESS + asked)
        assert response.status_code == 302 and response.headers["Location"] == ADDRESS + leads_to
        assert client.get(ADDRESS + leads_to).status_code == 200

    def test_the_first_page_has_no_parameters(self, client, a_day):
        assert client.get("/?utm_source=x").headers["Location"] == "/"

    def test_the_plain_list_is_the_one_for_search_engines(self, client, a_day):
        page = client.get(ADDRESS + "?code=1").content.decode()
        assert 'content="noindex"' in page and "noindex" not in client.get(ADDRESS).content.decode()

    @pytest.mark.parametrize("query", ["?tag=nothing", "?quality=best", "?tag=%41gents", "?quality=low&code=1"])
    def test_what_anyone_can_think_up_is_not_kept(self, client, a_day, query):
        kept_pages.clear()
        client.get(ADDRESS + query)
        assert kept_pages.bytes == 0
        client.get(ADDRESS + "?tag=Agents")
        assert kept_pages.bytes

    @pytest.mark.parametrize(
        "query",
        [
            "tag=" + "x" * 100_000,
            "&".join(f"tag=t{number}" for number in range(900)),
            "tag=%00&tag=%ED%A0%80&difficulty=%FF",
            "tag='; DROP TABLE papers; --",
            "difficulty=<script>alert(1)</script>",
            "sort[]=title&page[]=2&tag[$ne]=1",
            "tag=%E2%80%AE%D7%A9%D7%9C%D7%95%D7%9D",
            "quality=low&quality=degraded",
            "page=%EF%BC%92",
            "page=0&code=2&state=DONE",
        ],
    )
    def test_no_parameter_breaks_a_page(self, client, a_day, query):
        response = client.get(f"{ADDRESS}?{query}", follow=True)
        assert response.status_code == 200
        assert "<script>alert" not in response.content.decode()

    def test_few_and_short_tags_are_taken(self):
        query = QueryDict("&".join(f"tag=t{number}" for number in range(9)) + "&tag=" + "x" * 500)
        choice, ignored = read_choice(query)
        assert choice.tags == tuple(f"t{number}" for number in range(MOST_TAGS))
        assert len(ignored) == 5 and all(len(value) <= LONGEST_VALUE for value in ignored)


class TestManyPapers:
    @pytest.fixture
    def busy_day(self) -> None:
        for number in range(130):
            make_paper(
                upvotes=number, title_en=f"Paper {number}", authors=["A"], tags=["even"] if number % 2 == 0 else []
            )

    def test_the_list_is_cut_into_pages(self, client, busy_day):
        first, second = client.get(ADDRESS), client.get(ADDRESS + "?page=2")
        assert first.content.count(b"<article") == 120 and second.content.count(b"<article") == 10
        assert "第 121–130 篇，共 130 篇" in second.content.decode()
        assert '<ol class="paper-list" start="121">' in second.content.decode()
        assert f'rel="next" href="{ADDRESS}?page=2"' in first.content.decode()

    def test_a_page_keeps_filters_and_a_filter_begins_on_the_first(self, client, busy_day):
        page = client.get(ADDRESS + "?sort=title&page=2").content.decode()
        assert f'rel="prev" href="{ADDRESS}?sort=title"' in page
        assert html.escape(f"{ADDRESS}?tag=even&sort=title") in page

    def test_a_page_too_many_is_the_last(self, client, busy_day):
        assert client.get(ADDRESS + "?page=9").headers["Location"] == ADDRESS + "?page=2"

    def test_more_than_can_be_listed_is_said(self, client, busy_day, monkeypatch):
        for module in ("papers.pages.day_list", "papers.queries.day_papers"):
            monkeypatch.setattr(f"{module}.MOST_OF_A_DAY", 50)
        page = client.get(ADDRESS).content.decode()
        assert "只有票数最高的 50 篇" in page and page.count("<article") == 50

    def test_500_papers_cost_as_many_queries_as_ten(self, client, busy_day, django_assert_max_num_queries):
        with django_assert_max_num_queries(7):
            assert client.get(ADDRESS + "?tag=even&sort=title").status_code == 200


def test_tags_of_a_day_are_spelled_as_its_first_paper_spells_them(client):
    make_paper(upvotes=9, tags=["LLM"])
    make_paper(upvotes=5, tags=["llm"])
    assert counts()["tags"] == {"LLM": 2}
    assert PaperTag.objects.filter(folded="llm").count() == 2
