"""Atom feeds as feed readers see them."""

import datetime as dt
import json
import re
import uuid
from html import unescape
from urllib.parse import quote

import feedparser
import pytest
from defusedxml import ElementTree
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from papers.feeds import atom, choice
from papers.models import Installation, Paper, PaperSummary, SummaryQuality, UserBookmark, UserNote
from papers.pages.public import kept_pages
from papers.queries import counted
from tests.factories import DAY, make_paper, make_summary

pytestmark = pytest.mark.django_db


def titles(feed: feedparser.FeedParserDict) -> list[str]:
    return [entry.title for entry in feed.entries]


def make_days(count: int, papers: int = 1) -> None:
    for day in range(count):
        for number in range(papers):
            make_paper(title_en=f"Day {day} paper {number}", paper_date=DAY - dt.timedelta(days=day), upvotes=number)


# ---------------------------------------------------------------- which papers


def test_the_newest_come_first(feed_of):
    make_days(3, papers=2)
    feed = feed_of("/feeds/newest/")
    assert titles(feed)[:3] == ["Day 0 paper 1", "Day 0 paper 0", "Day 1 paper 1"]


def test_fifty_papers_are_in_a_feed_and_the_newest_day_as_a_whole(feed_of):
    make_days(10, papers=8)
    assert len(feed_of("/feeds/newest/").entries) == 50
    for _ in range(70):
        make_paper(paper_date=DAY + dt.timedelta(days=1))
    assert len(feed_of("/feeds/newest/").entries) == 70


def test_the_best_of_seven_days_are_those_with_most_votes(feed_of):
    make_paper(title_en="old and best", paper_date=DAY - dt.timedelta(days=7), upvotes=1000)
    make_paper(title_en="second", paper_date=DAY, upvotes=5)
    make_paper(title_en="first", paper_date=DAY - dt.timedelta(days=6), upvotes=50)
    assert titles(feed_of("/feeds/best/")) == ["first", "second"]
    for _ in range(30):
        make_paper(upvotes=7)
    best = titles(feed_of("/feeds/best/"))
    assert len(best) == 25 and best[0] == "first" and "second" not in best


def test_a_tag_is_found_whatever_its_case_width_and_spaces(feed_of):
    make_paper(title_en="with", tags=["Deep Learning"])
    make_paper(title_en="without", tags=["shallow"])
    for written in ("Deep Learning", "deep learning", "ＤＥＥＰ learning"):
        assert titles(feed_of(f"/feeds/tag/{quote(written)}/")) == ["with"]


def test_a_tag_may_have_a_slash_and_any_sign(feed_of):
    for tag in ("CI/CD", "C++", "100%", "a?b#c", "多模态"):
        make_paper(title_en=tag, tags=[tag])
        assert titles(feed_of(f"/feeds/tag/{quote(tag)}/")) == [tag]


def test_an_author_is_found_by_the_exact_name(feed_of):
    make_paper(title_en="hers", authors=["Ada Lovelace"])
    make_paper(title_en="another's", authors=["Ada Lovelaces"])
    assert titles(feed_of("/feeds/author/Ada%20Lovelace/")) == ["hers"]


def test_a_tag_of_many_papers_is_followed_down_the_days(feed_of, monkeypatch):
    monkeypatch.setattr(choice, "_MANY", 3)
    for number in range(6):
        make_paper(title_en=str(number), tags=["common"], authors=["Ada"], paper_date=DAY + dt.timedelta(days=number))
    expected = ["5", "4", "3", "2", "1", "0"]
    assert titles(feed_of("/feeds/tag/common/")) == titles(feed_of("/feeds/author/Ada/")) == expected


@pytest.mark.parametrize("address", ["/feeds/tag/common/", "/feeds/author/Ada/"])
def test_a_tag_whose_many_papers_are_old_is_looked_for_in_its_own_months(feed_of, monkeypatch, address):
    monkeypatch.setattr(choice, "_MANY", 3)
    monkeypatch.setattr(counted, "_FEW", 3)
    for number in range(6):
        old = DAY - dt.timedelta(days=3650 + 20 * number)
        make_paper(title_en=str(number), tags=["common"], authors=["Ada"], paper_date=old)
    make_days(30, papers=1)
    with CaptureQueriesContext(connection) as queries:
        assert titles(feed_of(address)) == ["0", "1", "2", "3", "4", "5"]
    assert len(queries) <= 12
    walk = next(query["sql"] for query in queries if "EXISTS" in query["sql"])
    newest, oldest = (DAY - dt.timedelta(days=3650 + days) for days in (0, 100))
    assert f"paper_date >= '{oldest:%Y-%m-01}' AND paper_date < date('{newest:%Y-%m-01}', '+1 month')" in walk


def test_any_search_can_be_followed_newest_first(feed_of):
    make_paper(title_en="Walrus one", paper_date=DAY - dt.timedelta(days=3))
    make_paper(title_en="Walrus two")
    make_paper(title_en="Nothing")
    feed = feed_of("/feeds/search/?q=walrus")
    assert titles(feed) == ["Walrus two", "Walrus one"]
    assert feed.feed.link == "http://testserver/search/?q=walrus"


def test_the_filters_of_a_search_are_followed_with_it(feed_of, client):
    make_paper(title_en="Walrus old", paper_date=DAY.replace(year=2025), tags=["Arctic"])
    make_paper(title_en="Walrus new", tags=["Arctic"])
    make_paper(title_en="Walrus elsewhere")
    feed = feed_of("/feeds/search/?q=walrus&tag=arctic&year=2026")
    assert titles(feed) == ["Walrus new"]
    assert feed.feed.title == "搜索：walrus · arctic · 2026 · Papersite"
    assert feed.feed.link == "http://testserver/search/?q=walrus&tag=arctic&year=2026"
    page = unescape(client.get("/search/?q=walrus&tag=arctic&year=2026&order=upvotes&page=2").content.decode())
    assert page.count('href="/feeds/search/?q=walrus&tag=arctic&year=2026"') == 1  # in the head
    page = unescape(client.get("/search/?q=walrus&tag=arctic&year=2026").content.decode())
    assert page.count('href="/feeds/search/?q=walrus&tag=arctic&year=2026"') == 2


def test_each_choice_of_filters_is_a_feed_of_its_own_and_the_search_alone_is_the_one_it_was(feed_of):
    ids = {
        query: feed_of(f"/feeds/search/?{query}").feed.id
        for query in ("q=walrus", "q=walrus&year=2026", "q=walrus&year=2025", "q=walrus%26year%3D2026")
    }
    assert len(set(ids.values())) == 4
    assert ids["q=walrus"] == uuid.uuid5(Installation.objects.get().uuid, "feed/search/walrus").urn
    assert feed_of("/feeds/search/?year=2026&q=walrus&year=odd&order=upvotes").feed.id == ids["q=walrus"]
    assert feed_of("/feeds/search/?year=2026&q=+walrus+&page=7").feed.id == ids["q=walrus&year=2026"]


@pytest.mark.parametrize(
    "address",
    [
        *("/feeds/newest/", "/feeds/best/", "/feeds/tag/nothing/", "/feeds/author/nobody/", "/feeds/search/"),
        *("/feeds/search/?q=%22%28", "/feeds/search/?q=%00%0B%EF%BF%BE", "/feeds/tag/%01%02/", "/feeds/tag/%EF%BF%BF/"),
        *("/feeds/author/" + "x" * 3000 + "/", "/feeds/search/?q=" + "%F0%9F%A4%97" * 500),
    ],
)
def test_a_feed_without_papers_is_a_feed_and_says_the_same_each_time(feed_of, client, address):
    feed = feed_of(address)
    assert feed.entries == []
    assert feed.feed.updated == "1970-01-01T00:00:00+00:00"
    kept_pages.clear()
    assert client.get(address).headers["ETag"] == client.get(address).headers["ETag"]


# ---------------------------------------------------------------- what an entry says


def test_an_entry_has_the_whole_summary_the_abstract_and_the_links(feed_of):
    paper = make_paper(title_en="Walrus", authors=["Ada", "Alan"], tags=["agents"], categories="cs.CL cs.LG")
    stored = make_summary(paper, title_zh="海象")
    [entry] = feed_of("/feeds/newest/").entries
    content = entry.content[0]
    assert content.type == "text/html"
    for text in (
        stored.one_line,
        "Walrus",
        "把键值缓存切成固定大小的块",
        "LongBench",
        "47.2",
        paper.abstract,
        "没有测试百亿",
    ):
        assert text in content.value
    assert 'href="https://arxiv.org/pdf/' in content.value
    assert entry.title == "海象"
    assert entry.summary == stored.one_line
    assert entry.link == f"http://testserver/papers/{paper.arxiv_id}/"
    assert [author.name for author in entry.authors] == ["Ada", "Alan"]
    terms = {(tag.term, tag.scheme) for tag in entry.tags}
    assert {("agents", None), ("稀疏注意力", None), ("cs.CL", "http://arxiv.org/schemas/atom")} <= terms


def test_a_paper_without_summary_is_told_of_by_its_abstract(feed_of):
    make_paper(title_en="Walrus")
    [entry] = feed_of("/feeds/newest/").entries
    assert entry.title == "Walrus"
    assert "还没有中文总结" in entry.content[0].value
    assert "blocks that matter" in entry.content[0].value


def test_a_low_summary_and_a_withdrawn_paper_are_marked(feed_of):
    make_summary(make_paper(is_withdrawn=True), quality=SummaryQuality.LOW)
    content = feed_of("/feeds/newest/").entries[0].content[0].value
    assert "已撤稿" in content and "AI 总结质量较低" in content


def test_of_664_authors_twenty_are_named_and_the_rest_counted(feed_of):
    make_paper(authors=[f"Author {number}" for number in range(664)])
    [entry] = feed_of("/feeds/newest/").entries
    assert len(entry.authors) == 20
    assert "另有 644 人" in entry.content[0].value


def test_mathematics_stays_tex_and_prices_stay_prices(feed_of):
    make_paper(title_en=r"In $O(n^2)$ for $5", abstract=r"We use $\alpha < \beta$.")
    [entry] = feed_of("/feeds/newest/").entries
    assert entry.title == r"In $O(n^2)$ for $5"
    assert r"$\alpha &lt; \beta$" in entry.content[0].value


def test_nothing_in_a_feed_is_markup_of_a_paper_s_own(feed_of):
    hostile = "<script>alert(1)</script><img src=x onerror=alert(1)>]]>&amp;"
    paper = make_paper(
        title_en=hostile, abstract=hostile, authors=[hostile], tags=[hostile], code_url="javascript:alert(1)"
    )
    columns = dict.fromkeys(("one_line", "difficulty", "motivation_problem", "method_overview"), hostile)
    make_summary(paper, title_zh=hostile, results_main_json=json.dumps([hostile]), **columns)
    [entry] = feed_of("/feeds/newest/").entries
    assert "<script" not in entry.content[0].value and "<img" not in entry.content[0].value
    assert "javascript:" not in entry.content[0].value
    assert entry.authors[0].name == hostile


# ---------------------------------------------------------------- ids and dates


def test_ids_change_neither_with_the_host_nor_with_https(client):
    make_paper()
    found = {
        tuple(re.findall(r"<id>([^<]+)</id>", client.get("/feeds/newest/", headers={"host": host}, secure=secure).text))
        for host in ("localhost", "127.0.0.1")
        for secure in (False, True)
    }
    assert len(found) == 1
    assert all(found_id.startswith("urn:uuid:") for found_id in found.pop())


def test_another_installation_gives_other_ids(feed_of):
    make_paper()
    before = feed_of("/feeds/newest/")
    Installation.objects.all().delete()
    kept_pages.clear()
    after = feed_of("/feeds/newest/")
    assert before.feed.id != after.feed.id and before.entries[0].id != after.entries[0].id


def test_a_paper_has_one_id_in_all_feeds_and_feeds_have_their_own(feed_of):
    make_paper(tags=["agents"])
    feeds = [
        feed_of(address) for address in ("/feeds/newest/", "/feeds/best/", "/feeds/tag/agents/", "/feeds/tag/AGENTS/")
    ]
    assert len({feed.entries[0].id for feed in feeds}) == 1
    assert len({feed.feed.id for feed in feeds}) == 3


def test_votes_are_no_news(client):
    paper = make_paper()
    make_summary(paper)
    before = client.get("/feeds/newest/")
    Paper.objects.update(upvotes=77, code_stars=5, updated_at=timezone.now() + dt.timedelta(days=1))
    again = client.get("/feeds/newest/", headers={"If-None-Match": before.headers["ETag"]})
    assert again.status_code == 304


@pytest.mark.parametrize(
    "change",
    [
        lambda paper: PaperSummary.objects.update(updated_at=timezone.now() + dt.timedelta(days=1), one_line="新"),
        lambda paper: Paper.objects.update(abstract="We changed our minds."),
        lambda paper: Paper.objects.update(title_zh="新标题"),
        lambda paper: Paper.objects.update(is_withdrawn=True),
    ],
    ids=["summary", "abstract", "title", "withdrawn"],
)
def test_what_is_really_new_is_dated_so(feed_of, change):
    paper = make_paper(crawled_at=dt.datetime(2026, 6, 5, 9, tzinfo=dt.UTC))
    make_summary(paper, updated_at=dt.datetime(2026, 6, 5, 10, tzinfo=dt.UTC))
    Paper.objects.update(text_changed_at=None)
    before = feed_of("/feeds/newest/")
    assert before.entries[0].updated == before.feed.updated == "2026-06-05T10:00:00+00:00"
    change(paper)
    after = feed_of("/feeds/newest/")
    assert after.entries[0].updated_parsed > before.entries[0].updated_parsed
    assert after.feed.updated == after.entries[0].updated
    assert after.entries[0].published == before.entries[0].published == "2026-06-05T00:00:00+00:00"
    assert after.entries[0].id == before.entries[0].id


def test_a_paper_listed_long_ago_and_crawled_today_is_not_dated_today(feed_of):
    make_paper(paper_date=dt.date(2024, 5, 27))
    assert feed_of("/feeds/newest/").entries[0].published.startswith("2024-05-27")


# ---------------------------------------------------------------- addresses and caches


def test_a_feed_names_itself_and_its_page(feed_of):
    make_paper(tags=["CI/CD"])
    feed = feed_of("/feeds/tag/CI%2FCD/").feed
    links = {link.rel: link.href for link in feed.links}
    assert links["self"] == "http://testserver/feeds/tag/CI/CD/"
    assert links["alternate"] == "http://testserver/tags/CI/CD/"


def test_addresses_follow_base_url(feed_of, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"base_url": "https://papers.example.org/"})
    paper = make_paper()
    feed = feed_of("/feeds/newest/")
    assert feed.entries[0].link == f"https://papers.example.org/papers/{paper.arxiv_id}/"
    assert {link.href.startswith("https://papers.example.org/") for link in feed.feed.links} == {True}


@pytest.mark.parametrize("address", ["/feeds/newest/", "/feeds/best/", "/feeds/tag/agents/", "/feeds/search/?q=sparse"])
def test_a_feed_is_asked_for_anew_by_its_etag(client, address):
    make_paper(tags=["agents"])
    first = client.get(address)
    assert first.headers["Cache-Control"] == "public, max-age=0, must-revalidate"
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 304 and not again.content
    make_paper(tags=["agents"])
    assert client.get(address, headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


@pytest.mark.parametrize("address", ["/feeds/newest/", "/feeds/best/", "/feeds/tag/agents/", "/feeds/search/?q=sparse"])
@pytest.mark.parametrize("papers", [2, 60])
def test_a_feed_costs_few_queries_however_long(client, address, papers, django_assert_max_num_queries):
    for _ in range(papers):
        make_summary(make_paper(tags=["agents"], authors=["Ada", "Alan", "Grace"]))
    Installation.objects.get_or_create(pk=1)
    with django_assert_max_num_queries(9):
        client.get(address)


def test_nothing_private_is_in_a_feed(client, feed_of):
    paper = make_paper()
    UserBookmark.objects.create(paper=paper, note="SECRET", created_at=paper.crawled_at)
    UserNote.objects.create(paper=paper, content="SECRET", created_at=paper.crawled_at, updated_at=paper.crawled_at)
    assert b"SECRET" not in client.get("/feeds/newest/").content
    assert feed_of("/feeds/search/?q=SECRET").entries == []


def test_the_page_of_feeds_names_them_and_leads_readers_to_them(client):
    html = client.get("/feeds/").content.decode()
    assert "http://testserver/feeds/newest/" in html and "http://testserver/feeds/best/" in html
    for address in ("/feeds/newest/", "/feeds/best/"):
        assert re.search(rf'<link rel="alternate" type="application/atom\+xml" title="[^"]+" href="{address}">', html)
    response = client.get("/feeds/list.opml")
    assert [outline.get("xmlUrl") for outline in ElementTree.fromstring(response.content).iter("outline")] == [
        "http://testserver/feeds/newest/",
        "http://testserver/feeds/best/",
    ]


def test_the_number_of_the_installation_is_drawn_once():
    assert atom._installation() == atom._installation() == Installation.objects.get().uuid
