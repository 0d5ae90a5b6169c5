"""The list of a day, and why a day is empty."""

import datetime as dt

import pytest
from django.utils import timezone

from operations.models import CrawlLog, DayListing, RunState, Task
from papers.models import PaperTag, SummaryQuality, SummaryState
from tests.factories import DAY, make_paper, make_summary

pytestmark = pytest.mark.django_db

ADDRESS = f"/day/{DAY}/"


def text_of(response) -> str:
    return response.content.decode()


def crawl(day: dt.date, status: str, **columns) -> CrawlLog:
    return CrawlLog.objects.create(task=Task.CRAWL, status=status, date=day, started_at=timezone.now(), **columns)


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
    assert page.lower().count(">diffusion models<") == 1


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
    assert f'<link rel="canonical" href="{ADDRESS}">' in page


def test_home_without_any_paper_says_how_to_begin(client):
    response = client.get("/")
    assert response.status_code == 200
    assert "manage.py crawl" in text_of(response)
