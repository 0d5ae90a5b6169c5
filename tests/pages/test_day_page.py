"""The list of a day, and why a day is empty."""

import datetime as dt
import re

import pytest
from django.conf import settings
from django.template.loader import render_to_string
from django.utils import timezone

from operations.logs import open_log
from operations.models import CrawlLog, DayListing, RunState, Task
from papers.models import Paper, PaperTag, SummaryQuality, SummaryState
from papers.pages.public import kept_pages
from papers.queries.cards import cards_by_id
from tests.factories import DAY, make_paper, make_summary

pytestmark = pytest.mark.django_db

ADDRESS = f"/day/{DAY}/"


def text_of(response) -> str:
    return response.content.decode()


def crawl(day: dt.date, status: str, **columns) -> CrawlLog:
    return CrawlLog.objects.create(
        task=Task.CRAWL, status=status, date=day, started_at=timezone.now(), owner="worker", **columns
    )


def test_papers_stand_by_votes_then_by_id(client):
    for title, votes in (("third", 1), ("first", 9), ("fourth", 1), ("second", 5)):
        make_paper(title_en=title, upvotes=votes)
    page = text_of(client.get(ADDRESS))
    places = [page.index(title) for title in ("first", "second", "third", "fourth")]
    assert places == sorted(places)


def test_a_summarised_paper_shows_its_chinese_title_and_one_line(client):
    make_summary(make_paper(title_en="A Title", abstract="Not shown here."), one_line="一句话。", title_zh="中文标题")
    page = text_of(client.get(ADDRESS))
    assert "中文标题" in page and "A Title" in page and "一句话。" in page
    assert "Not shown here." not in page


def test_a_paper_without_a_summary_shows_the_start_of_its_abstract_and_its_state(client):
    make_paper(abstract="Long. " * 400)
    page = text_of(client.get(ADDRESS))
    assert "Long." in page and "待总结" in page
    assert page.count("Long.") < 80


@pytest.mark.parametrize(
    ("state", "label"),
    [
        (SummaryState.PROCESSING, "总结中"),
        (SummaryState.FAILED, "总结失败，待重试"),
        (SummaryState.PERMANENT_FAILURE, "总结失败"),
        (None, "待总结"),
    ],
)
def test_each_state_has_its_badge(client, state, label):
    make_paper(state=state)
    assert label in text_of(client.get(ADDRESS))


def test_quality_withdrawal_and_code_have_badges(client):
    make_summary(make_paper(), quality=SummaryQuality.LOW)
    make_summary(make_paper(), quality=SummaryQuality.DEGRADED)
    make_paper(is_withdrawn=True, code_url="https://github.com/a/b")
    page = text_of(client.get(ADDRESS))
    for badge in ("AI 总结质量较低", "不完整", "已撤稿", "有代码"):
        assert badge in page


def test_only_the_first_authors_are_named_and_the_rest_counted(client):
    make_paper(authors=[f"Author {number:03d}" for number in range(664)])
    page = text_of(client.get(ADDRESS))
    assert "Author 002" in page and "Author 003" not in page
    assert "另有 661 人" in page


def test_a_tag_given_by_two_sources_is_shown_once(client):
    paper = make_paper(tags=["Diffusion Models"])
    PaperTag.objects.create(paper=paper, tag="diffusion models", source="ai")
    page = text_of(client.get(ADDRESS))
    assert page.lower().count('class="tag" href=') == 1


def test_the_links_to_other_days_skip_empty_ones(client):
    make_paper()
    make_paper(paper_date=DAY - dt.timedelta(days=5))
    make_paper(paper_date=DAY + dt.timedelta(days=9))
    page = text_of(client.get(ADDRESS))
    assert "/day/2026-05-31/" in page and "/day/2026-06-14/" in page


@pytest.mark.parametrize(
    "day", ["2026-02-30", "2026-13-01", "20260605", "2026-W23-5", "2026-6-5", "0000-01-01", "x", "２０２６-06-05"]
)
def test_what_is_no_day_is_not_found(client, day):
    response = client.get(f"/day/{day}/")
    assert response.status_code == 404
    assert "没有这一天" in text_of(response)


@pytest.mark.parametrize("day", ["0001-01-01", "1990-01-01", "9999-12-31"])
def test_days_far_off_are_days(client, day):
    assert client.get(f"/day/{day}/").status_code == 200


def test_the_date_field_leads_to_its_day(client):
    assert client.get("/day/?date=2026-06-05").headers["Location"] == ADDRESS
    assert client.get("/day/").headers["Location"] == "/"
    assert client.get("/day/?date=../x", follow=True).status_code == 404


def test_a_future_day_says_so(client):
    day = timezone.now().date() + dt.timedelta(days=40)
    assert "还没有到来" in text_of(client.get(f"/day/{day}/"))


def test_a_day_never_asked_says_so(client):
    assert "还没有抓取过" in text_of(client.get(ADDRESS))


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        ("http://10.0.0.7:8080/api/daily_papers: HTTP 503", "来源回答 HTTP 503"),
        ("not finished within 300 seconds", "来源没有及时回答"),
        ("http://10.0.0.7:8080/api/daily_papers: connection refused", "来源无法访问，或回答有误"),
        ("OperationalError: /srv/papersite is full\nTraceback (most recent call last)", "抓取中途停止"),
        ("stopped before its end", "抓取中途停止"),
        ("the process that ran this died", "抓取中途停止"),
        (None, "来源无法访问，或回答有误"),
    ],
)
def test_a_failed_crawl_gives_its_reason_and_nothing_of_the_machine(client, error, reason):
    crawl(DAY, RunState.FAILED, error=error)
    page = text_of(client.get(ADDRESS))
    assert "失败了" in page and reason in page
    assert not any(text in page for text in ("Traceback", "10.0.0.7", "/srv/"))


def test_a_crawl_that_was_only_asked_for_is_not_said_to_run(client):
    open_log(Task.CRAWL, DAY)
    assert "正在抓取" not in text_of(client.get(ADDRESS))


def test_a_running_crawl_says_so(client):
    crawl(DAY, RunState.RUNNING)
    assert "正在抓取" in text_of(client.get(ADDRESS))


def test_a_day_asked_and_empty_says_so(client):
    crawl(DAY, RunState.SUCCESS, papers_found=0)
    assert "已经查询过" in text_of(client.get(ADDRESS))


def test_an_empty_weekend_says_that_it_is_one(client):
    crawl(dt.date(2026, 6, 6), RunState.SUCCESS, papers_found=0)
    assert "周末" in text_of(client.get("/day/2026-06-06/"))


def test_the_last_crawl_speaks_for_the_day(client):
    crawl(DAY, RunState.FAILED, error="503")
    crawl(DAY, RunState.SUCCESS, papers_found=0)
    assert "失败" not in text_of(client.get(ADDRESS))


def test_a_day_whose_papers_stand_elsewhere_says_where(client):
    earlier = make_paper(paper_date=DAY - dt.timedelta(days=1))
    DayListing.objects.create(
        date=DAY, entry_key=earlier.arxiv_id, arxiv_id=earlier.arxiv_id, first_seen_at=timezone.now()
    )
    assert "1 篇已归入更早的一天" in text_of(client.get(ADDRESS))


def test_an_empty_day_leads_to_the_nearest_earlier_one(client):
    make_paper(paper_date=DAY - dt.timedelta(days=3))
    assert "看 2026-06-02 的论文" in text_of(client.get(ADDRESS))


def test_home_is_the_newest_day_with_papers(client):
    make_paper(paper_date=DAY - dt.timedelta(days=3), title_en="Old News")
    make_paper(title_en="Newest")
    page = text_of(client.get("/"))
    assert "Newest" in page and "Old News" not in page
    assert f'<link rel="canonical" href="http://testserver{ADDRESS}">' in page


def test_home_without_any_paper_says_how_to_begin(client):
    response = client.get("/")
    assert response.status_code == 200
    assert "manage.py crawl" in text_of(response)


class TestCards:
    def test_a_card_can_be_ticked_for_a_comparison_by_its_title(self, client):
        make_summary(make_paper(arxiv_id="hep-th/9901001"), title_zh="弦论 <b>")
        page = text_of(client.get(ADDRESS))
        tick = re.search(r"<input type=\"checkbox\"[^>]*>", page)
        assert tick and 'name="ids" value="hep-th/9901001" form="compare"' in tick[0]
        assert 'aria-label="对比：弦论 &lt;b&gt;"' in tick[0] and 'id="compare"' in page

    def test_a_card_is_made_of_the_paper_alone(self, client):
        make_summary(make_paper(tags=["Agents"]))
        (card,) = cards_by_id([Paper.objects.get().pk]).values()
        assert render_to_string("papers/_paper_card.html", {"card": card}) in text_of(client.get(ADDRESS))

    def test_titles_and_names_bring_their_own_direction(self, client):
        make_paper(title_en="שלום עולם", authors=["يعل"])
        page = text_of(client.get(ADDRESS))
        assert re.search(r'<h2 class="paper-card__title" lang="en"><a [^>]*dir="auto">שלום עולם</a>', page)
        assert "<bdi>يعل</bdi>" in page

    def test_an_english_reader_gets_each_text_in_its_own_language(self, client):
        make_summary(make_paper(title_en="A Title"), title_zh="中文标题", one_line="一句话。")
        make_paper(title_en="No Summary Yet", abstract="An abstract.", authors=[f"A{number}" for number in range(664)])
        client.cookies[settings.LANGUAGE_COOKIE_NAME] = "en"
        page = text_of(client.get(ADDRESS))
        assert re.search(r'<h2 class="paper-card__title" lang="zh-Hans"><a [^>]*>中文标题</a>', page)
        assert '<p class="paper-card__original" lang="en"><bdi>A Title</bdi>' in page
        assert '<p class="paper-card__line" lang="zh-Hans" dir="auto">一句话。' in page
        assert re.search(r'<h2 class="paper-card__title" lang="en"><a [^>]*>No Summary Yet</a>', page)
        assert '<p class="paper-card__abstract" lang="en" dir="auto">An abstract.' in page
        assert "Friday, 5 June 2026" in page and "and 661 more" in page

    def test_a_failed_summary_says_why(self, client):
        make_paper(state=SummaryState.PERMANENT_FAILURE, status={"error_type": "timeout"})
        assert "总结失败</span> AI 没有在限定的时间内完成" in text_of(client.get(ADDRESS))

    def test_tags_that_are_not_shown_are_counted(self, client):
        make_paper(tags=[f"tag {number}" for number in range(9)])
        page = text_of(client.get(ADDRESS))
        assert page.count('class="tag"') == 4 and "+5" in page and "另有 5 个标签" in page


def test_why_a_day_is_empty_is_not_kept(client):
    assert "还没有抓取过" in text_of(client.get(ADDRESS))
    crawl(DAY, RunState.FAILED, error="HTTP 503")
    assert "来源回答 HTTP 503" in text_of(client.get(ADDRESS))
    assert kept_pages.bytes == 0


def test_an_empty_day_still_leads_to_all_others(client):
    make_paper(paper_date=DAY - dt.timedelta(days=3))
    make_paper(paper_date=DAY + dt.timedelta(days=3))
    page = text_of(client.get(ADDRESS))
    assert 'rel="prev" href="/day/2026-06-02/"' in page and 'rel="next" href="/day/2026-06-08/"' in page
    assert "对比论文" not in page and 'class="facet' not in page


def test_a_day_leads_to_its_exports_and_to_the_feed(client):
    make_paper()
    page = text_of(client.get(ADDRESS))
    assert f"?day={DAY}" in page and 'href="/feeds/newest/"' in page
