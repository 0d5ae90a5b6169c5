"""The admin's first page: what needs a hand with its remedy, the state of everything, the way to the pages."""

import datetime as dt

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone
from django_q.models import OrmQ, Schedule
from django_q.models import Task as QueueTask

from operations import maintenance, status
from operations.admin.front import _DOORS, NeedCode
from operations.agent.installation import AgentState
from operations.models import (
    CrawlJob,
    CrawlJobDay,
    CrawlLog,
    DataDeleteJob,
    DayListing,
    Heartbeat,
    Measurement,
    QueuePause,
    RunState,
    Task,
)
from operations.schedules import ensure_schedules
from papers.models import ErrorType, SummaryState
from tests.factories import make_paper
from tests.roles import client_of

CRAWL = "/admin/front/crawl/"


def today() -> dt.date:
    return timezone.now().astimezone(dt.UTC).date()


def index(client) -> str:
    answer = client.get("/admin/")
    assert answer.status_code == 200
    return answer.content.decode()


def crawled(date=None, state=RunState.SUCCESS, error=None):
    CrawlLog.objects.create(
        task=Task.CRAWL,
        status=state,
        date=date or today(),
        started_at=timezone.now(),
        completed_at=timezone.now(),
        error=error,
    )


def make_trouble(days: int = 3) -> None:
    """Rows of every kind, so many of each."""
    ensure_schedules()
    Heartbeat.objects.create(name="worker", beat_at=timezone.now() - dt.timedelta(hours=1))
    for number in range(days):
        date = today() - dt.timedelta(days=number)
        crawled(date, RunState.FAILED, "HTTP 503")
        key = f"2605.{number:05}"
        DayListing.objects.create(date=date, entry_key=key, arxiv_id=key, first_seen_at=timezone.now())
        make_paper(state=SummaryState.PERMANENT_FAILURE, status={"error_type": ErrorType.TIMEOUT})
        make_paper(state=SummaryState.PROCESSING, status={"started_at": timezone.now(), "owner": "x"})
        QueueTask.objects.create(
            id=f"{number:032}", name="x", func="x", success=False, started=timezone.now(), stopped=timezone.now()
        )
        job = CrawlJob.objects.create(status=RunState.RUNNING, started_at=timezone.now())
        CrawlJobDay.objects.create(job=job, date=date)
        DataDeleteJob.objects.create(
            date_start=date, date_end=date, status=RunState.RUNNING, started_at=timezone.now(), total=9
        )


@pytest.mark.django_db
def test_nothing_to_do_is_said_calmly(owner):
    ensure_schedules()
    page = index(owner)
    assert "一切正常，没有需要处理的事。" in page
    assert "<ol>" not in page


def test_a_missing_agent_is_told_with_the_way_to_get_it(owner, monkeypatch):
    monkeypatch.setattr(status, "agent_state", lambda: AgentState(False, "pi_missing", "请运行 make run"))
    page = index(owner)
    assert "现在不能生成总结" in page
    assert "请运行 make run" in page
    assert 'href="/admin/setup/">设置与检查' in page


def test_pauses_the_last_crawl_and_failures_are_told(owner):
    QueuePause.objects.create(
        cause="arxiv", message="HTTP <503>", since=timezone.now(), until=timezone.now() + dt.timedelta(hours=1)
    )
    crawled(state=RunState.FAILED, error="refused <b>")
    make_paper(state=SummaryState.PERMANENT_FAILURE, status={"error_type": ErrorType.TIMEOUT})
    page = index(owner)
    assert "HTTP &lt;503&gt;" in page and "现在就再试" in page
    assert "refused &lt;b&gt;" in page and "refused <b>" not in page
    assert "1 篇论文永久失败" in page and 'href="/admin/failures/"' in page
    assert "超时 1" in page and "permanent_failure" in page


def test_the_state_of_everything_is_told(owner, settings, data_dir):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"summary_daily_limit": 50})
    ensure_schedules()
    Heartbeat.objects.create(name="worker", beat_at=timezone.now())
    Measurement.objects.create(name="bytes of papers/", value=5 * 1024**2, measured_at=timezone.now())
    Measurement.objects.create(name="trial of agent_answers", value=1, measured_at=timezone.now())
    paper = make_paper(
        state=SummaryState.PROCESSING, status={"started_at": timezone.now() - dt.timedelta(minutes=7), "owner": "x"}
    )
    QueueTask.objects.create(
        id="a" * 32, name="a", func="x", success=True, started=timezone.now(), stopped=timezone.now()
    )
    Schedule.objects.filter(name="tick").update(task="a" * 32)
    page = index(owner)
    assert "今天已开始 0 篇，每天最多 50 篇" in page
    assert paper.arxiv_id in page and "已用 7" in page
    assert "5.0 MB" in page.replace("\xa0", " ") and "还没有测量" in page
    assert "正在运行" in page and "每天的抓取" in page and " 完成" in page
    assert "pi 1" in page


def test_the_days_that_do_not_add_up_are_named_each_with_its_remedy(owner):
    DayListing.objects.create(date=today(), entry_key="x", arxiv_id="2605.00001", first_seen_at=timezone.now())
    page = index(owner)
    assert "1 篇没有下落" in page
    assert page.count(f'name="date" value="{today()}"') == 2
    assert f'href="/day/{today()}/"' in page


@pytest.mark.django_db
def test_a_click_crawls_the_days_again_in_a_job(owner):
    before = today() - dt.timedelta(days=1)
    answer = owner.post(CRAWL, {"date": [str(today()), str(before)]})
    job = CrawlJob.objects.get()
    assert answer.url == f"/admin/crawl/{job.pk}/"
    assert set(job.days.values_list("date", flat=True)) == {today(), before}
    assert job.requested_by == "owner"
    assert OrmQ.objects.exists()
    assert LogEntry.objects.get().change_message == f"抓取 {today()}、{before}"


@pytest.mark.parametrize(
    "dates", [[], ["x"], ["2026-02-30"], ["2999-01-01"], ["1900-01-01"], ["2026-06-05"] * 40, ["\0"]]
)
def test_what_is_no_day_is_refused(owner, dates):
    assert owner.post(CRAWL, {"date": dates}).status_code == 400
    assert not CrawlJob.objects.exists()


@pytest.mark.parametrize(("role", "acts"), [("operator", True), ("auditor", False), ("editor", False)])
@pytest.mark.django_db
def test_who_may_not_act_sees_no_button_and_is_refused(role, acts):
    make_trouble()
    client = client_of(role)
    page = index(client)
    assert (f'action="{CRAWL}"' in page) is acts
    assert "<form" not in page.partition('class="console front"')[2].partition('class="front-ways"')[0] or acts
    assert client.post(CRAWL, {"date": str(today())}).status_code == (302 if acts else 403)
    assert client.get(CRAWL).status_code == 405


@pytest.mark.django_db
def test_editors_see_what_concerns_papers_alone():
    make_trouble()
    page = index(client_of("editor"))
    assert "3 篇论文永久失败" in page
    for words in ("后台任务没有运行", "抓取失败", "账目不平", "队列任务出错", "磁盘", "定时任务", "HTTP 503"):
        assert words not in page


@pytest.mark.django_db
def test_auditors_see_the_same_as_operators():
    make_trouble()
    page = index(client_of("auditor"))
    for words in ("3 篇论文永久失败", "后台任务没有运行", "3 天最近一次抓取失败", "账目不平", "3 个队列任务出错"):
        assert words in page


@pytest.mark.django_db
def test_whoever_may_see_nothing_has_an_empty_page():
    client = Client()
    client.force_login(User.objects.create_user("nobody", is_staff=True), "django.contrib.auth.backends.ModelBackend")
    page = index(client)
    assert "需要处理" not in page and "磁盘" not in page


@pytest.mark.django_db
def test_the_page_costs_the_same_few_queries_however_much_there_is(django_assert_max_num_queries, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"summary_daily_limit": 50})
    client = client_of("operator")
    index(client)
    make_trouble(1)
    with django_assert_max_num_queries(29) as few:
        index(client)
    CrawlLog.objects.all().delete(), DayListing.objects.all().delete(), QueueTask.objects.all().delete()
    Heartbeat.objects.all().delete()
    make_trouble(15)
    with django_assert_max_num_queries(len(few.captured_queries)):
        index(client)


@pytest.mark.django_db
def test_maintenance_is_told_and_a_forgotten_one_can_be_ended_from_here(owner):
    maintenance.switch_on("new disk", by="ada")
    maintenance.Maintenance.objects.update(since=timezone.now() - dt.timedelta(days=2))
    page = index(owner)
    assert "是不是忘了结束" in page and "new disk" in page
    owner.post("/admin/maintenance/", {"act": "off"})
    assert maintenance.current() is None


def test_every_need_has_a_door():
    assert set(_DOORS) == set(NeedCode)


@pytest.mark.django_db
@pytest.mark.parametrize("role", ["operator", "editor", "auditor", "owner"])
def test_every_way_that_is_shown_leads_somewhere(role):
    client = client_of(role)
    page = index(client).partition('class="front-ways"')[2].partition("</nav>")[0]
    addresses = [part.partition('"')[0] for part in page.split('href="')[1:]]
    assert addresses
    for address in addresses:
        assert client.get(address).status_code == 200, address


def test_all_models_are_listed(owner):
    page = index(owner)
    for name in ("paper", "papersummary", "summarystatus", "userbookmark", "usernote", "userreadingstatus"):
        assert f"/admin/papers/{name}/" in page
    for name in ("crawllog", "tasklock", "datadeletejob", "daylisting", "deletedpaper", "queuepause", "heartbeat"):
        assert f"/admin/operations/{name}/" in page


def test_the_last_attempt_tells_of_agent_and_model_without_asking_them(owner):
    assert "最近一次总结" in index(owner)
    paper = make_paper(state=SummaryState.DONE, status={"completed_at": timezone.now()})
    make_paper(state=SummaryState.DONE, status={"completed_at": timezone.now() - dt.timedelta(days=1)})
    assert f'/admin/papers/paper/{paper.pk}/attempt/">{paper.arxiv_id}</a>' in index(owner)


@pytest.mark.parametrize(("cause", "is_told"), [("model", True), ("agent", True), ("arxiv", False)])
def test_a_pause_that_a_wrong_setting_makes_too_names_the_page_to_look_at(owner, cause, is_told):
    now = timezone.now()
    QueuePause.objects.create(cause=cause, message="key refused", since=now, until=now + dt.timedelta(hours=1))
    assert ("检查模型的地址和密钥" in index(owner)) is is_told


def test_the_tables_of_the_queue_stand_under_a_word_of_ours(owner):
    page = index(owner)
    assert "队列任务</a>" in page and "Django Q" not in page
