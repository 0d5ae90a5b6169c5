"""The pages of crawls by hand: said before it is begun, shown while it goes, stopped by a button."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import OrmQ

from operations import maintenance
from operations.crawl_jobs import start_crawl
from operations.logs import STOPPED, start_log
from operations.models import CrawlJob, CrawlLog, DayListing, DayState, DeletedPaper, Heartbeat, RunState, Task
from tests.factories import DAY, make_paper
from tests.roles import client_of

pytestmark = pytest.mark.django_db

PAGE = "/admin/crawl/"
RANGE = {"first": "2026-06-01", "last": "2026-06-05"}
DAYS = [dt.date(2026, 6, number) for number in range(1, 6)]
NOW = timezone.now()


def page_of(client, address=PAGE, **query) -> str:
    answer = client.get(address, query)
    assert answer.status_code == 200
    return answer.content.decode()


def make_job(count: int = 5) -> CrawlJob:
    return start_crawl(DAYS[:count], by="alice")


def test_the_plan_says_what_would_be_done_and_begins_nothing():
    make_paper(paper_date=DAY)
    CrawlLog.objects.create(task=Task.CRAWL, status="success", date=DAY, started_at=NOW, completed_at=NOW)
    DeletedPaper.objects.create(arxiv_id="2606.1", paper_date=DAY, deleted_at=NOW)
    DayListing.objects.create(date=DAY, entry_key="2606.1", arxiv_id="2606.1", first_seen_at=NOW)
    client = client_of("operator")
    page = page_of(client, **RANGE)
    assert "开始抓取这 5 天" in page
    assert "<strong>1</strong>天抓取过" in page and "<strong>4</strong>天还没有抓取过" in page
    assert "1 篇有意删除的论文，抓取后会恢复" in page
    assert "2026-06-05" in page
    assert not CrawlJob.objects.exists()


def test_one_day_needs_one_date():
    assert "开始抓取这 1 天" in page_of(client_of("operator"), first="2026-06-05", last="")


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"first": "2026-06-05", "last": "2026-06-01"}, "结束日期早于开始日期"),
        ({"first": "2100-01-01"}, "2100-01-01 还没有到来"),
        ({"first": "2020-01-01"}, "太早"),
        ({"first": "2023-06-01", "last": "2026-06-01"}, "一次最多 1000 天"),
        ({"first": "<script>"}, "输入一个有效的日期"),
        ({"first": "2026-06-01", "last": "soon"}, "输入一个有效的日期"),
        ({"first": ""}, "必填"),
    ],
    ids=["reversed", "future", "early", "long", "markup", "words", "nothing"],
)
def test_dates_that_make_no_sense_are_refused_in_words_and_begin_nothing(query, sentence):
    client = client_of("operator")
    page = page_of(client, **query)
    assert sentence in page and "开始抓取这" not in page and "<script>" not in page
    assert client.post(PAGE, query).status_code == 200
    assert not CrawlJob.objects.exists()


def test_a_post_begins_the_job_writes_who_did_it_and_leads_to_its_page():
    answer = client_of("operator").post(PAGE, RANGE)
    job = CrawlJob.objects.get()
    assert answer.headers["Location"] == f"{PAGE}{job.pk}/"
    assert (job.requested_by, list(job.days.values_list("date", flat=True))) == ("operator", DAYS)
    assert OrmQ.objects.get().task["args"] == (job.pk,)
    entry = LogEntry.objects.get()
    assert (entry.object_id, entry.user.username) == (str(job.pk), "operator")
    assert entry.change_message.startswith("开始抓取 5 天：2026-06-01、")


def test_a_job_is_shown_day_by_day():
    job = make_job()
    log = start_log(Task.CRAWL, DAYS[0])
    first, second, third, *_ = job.days.all()
    job.days.filter(pk=first.pk).update(state=DayState.SUCCESS, papers_found=17, papers_new=9, log=log)
    job.days.filter(pk=second.pk).update(state=DayState.FAILED, error="HTTP 503 <b>")
    job.days.filter(pk=third.pk).update(state=DayState.RUNNING)
    page = page_of(client_of("auditor"), f"{PAGE}{job.pk}/")
    assert "正在抓取 2026-06-03" in page and "2 / 5 天" in page
    assert "17" in page and f"/admin/operations/crawllog/{log.pk}/change/" in page
    assert "HTTP 503 &lt;b&gt;" in page


def test_a_job_in_work_keeps_its_page_up_to_date_and_an_ended_one_does_not():
    job, client = make_job(), client_of("operator")
    address = f"{PAGE}{job.pk}/"
    page = page_of(client, address)
    assert f'data-refresh-url="{address}progress/"' in page and '<noscript><meta http-equiv="refresh"' in page
    part = client.get(f"{address}progress/")
    assert "Refresh-Ended" not in part.headers and "等待中" in part.content.decode()
    CrawlJob.objects.update(status=RunState.SUCCESS, completed_at=NOW)
    assert client.get(f"{address}progress/").headers["Refresh-Ended"] == "yes"
    page = page_of(client, address)
    assert "data-refresh-url" not in page and "http-equiv" not in page and "停止</button>" not in page


def test_a_job_is_stopped_by_its_button():
    job, client = make_job(), client_of("operator")
    address = f"{PAGE}{job.pk}/"
    assert "停止</button>" in page_of(client, address)
    answer = client.post(address, follow=True)
    assert "已要求停止" in answer.content.decode() and "已停止" in answer.content.decode()
    job.refresh_from_db()
    assert (job.status, job.error) == (RunState.FAILED, "stopped at 0 of 5 days")
    assert LogEntry.objects.get().change_message == "停止抓取任务"
    assert "已经结束" in client.post(address, follow=True).content.decode()
    assert LogEntry.objects.count() == 1


def test_a_day_cut_off_is_told_in_words():
    job = make_job()
    job.days.update(state=DayState.FAILED, error=STOPPED)
    page = page_of(client_of("operator"), f"{PAGE}{job.pk}/")
    assert "没有抓完就停止了" in page and STOPPED not in page


@pytest.mark.parametrize("address", ["{page}{job}/", "{page}"])
def test_what_keeps_work_from_being_begun_is_said(address):
    job, client = make_job(), client_of("operator")
    address = address.format(page=PAGE, job=job.pk)
    assert "没有后台任务在运行" in page_of(client, address)
    Heartbeat.objects.create(name="worker", beat_at=timezone.now())
    assert "没有后台任务在运行" not in page_of(client, address)
    maintenance.switch_on("", by=None)
    assert "等到维护结束" in page_of(client, address)


@pytest.mark.parametrize(("role", "looks", "acts"), [
    ("owner", True, True), ("operator", True, True), ("auditor", True, False), ("editor", False, False),
])  # fmt: skip
def test_who_may_look_and_who_may_act(role, looks, acts):
    job, client = make_job(), client_of(role)
    for address in (PAGE, f"{PAGE}{job.pk}/", f"{PAGE}{job.pk}/progress/"):
        assert client.get(address).status_code == (200 if looks else 403)
    if looks:
        page = page_of(client, **RANGE) + page_of(client, f"{PAGE}{job.pk}/")
        assert ("开始抓取这" in page) is acts and ("停止</button>" in page) is acts
    assert client.post(f"{PAGE}{job.pk}/").status_code == (302 if acts else 403)
    assert client.post(PAGE, RANGE).status_code == (302 if acts else 403)
    assert CrawlJob.objects.count() == (2 if acts else 1)


def test_a_stranger_is_sent_to_the_sign_in(client):
    job = make_job()
    for address in (PAGE, f"{PAGE}{job.pk}/", f"{PAGE}{job.pk}/progress/"):
        assert "/login/" in client.get(address).headers["Location"]
        assert "/login/" in client.post(address).headers["Location"]


def test_a_job_that_is_not_there_is_not_found():
    client = client_of("operator")
    assert client.get(f"{PAGE}7/").status_code == client.post(f"{PAGE}7/").status_code == 404


def test_the_longest_job_is_shown_a_page_at_a_time_where_it_is_in_work(django_assert_max_num_queries):
    days = [dt.date(2023, 6, 1) + dt.timedelta(days=number) for number in range(1000)]
    job = start_crawl(days, by=None)
    job.days.filter(date__lt=days[250]).update(state=DayState.SUCCESS)
    client = client_of("operator")
    with django_assert_max_num_queries(20):
        page = page_of(client, f"{PAGE}{job.pk}/")
    assert days[250].isoformat() in page and days[0].isoformat() not in page
    assert days[0].isoformat() in page_of(client, f"{PAGE}{job.pk}/", page="1")
    assert page_of(client, f"{PAGE}{job.pk}/", page="nonsense")


@pytest.mark.parametrize("model", ["crawljob", "arxivrequest"])
def test_jobs_are_listed_and_never_written_by_hand(model):
    job, client = make_job(), client_of("owner")
    assert page_of(client, f"/admin/operations/{model}/")
    assert client.get(f"/admin/operations/{model}/add/").status_code == 403
    if model == "crawljob":
        assert "2026-06-05" in page_of(client, f"/admin/operations/{model}/{job.pk}/change/")
        assert client.post(f"/admin/operations/{model}/{job.pk}/change/", {}).status_code == 403
