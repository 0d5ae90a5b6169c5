"""A site where something has happened everywhere: a row of every table that the admin shows, long and odd."""

import datetime as dt

from django.apps import apps
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import Group
from django.db.models import Model
from django.urls import URLPattern, reverse
from django.utils import timezone
from django_q.models import Failure, OrmQ, Schedule, Success, Task
from django_q.signing import SignedPackage

from operations.models import (
    ArxivRequest,
    CrawlJob,
    CrawlJobDay,
    CrawlLog,
    DataDeleteJob,
    DayListing,
    DeletedPaper,
    FailedSignIn,
    Heartbeat,
    Maintenance,
    Measurement,
    QueuePause,
    ScheduleTime,
    SignIn,
    TaskLock,
)
from papers.models import (
    ErrorType,
    Paper,
    SummaryState,
    SummaryStatus,
    UserBookmark,
    UserNote,
    UserReadingStatus,
)
from papersite.api_tokens import create_token
from papersite.models import TokenScope
from tests.factories import DAY, make_paper, make_summary
from tests.roles import make_user

# Nothing in it at which a line may be broken.
LONG = "/srv/papersite/data/papers/2606.90011/" + "averyveryverylongname" * 8 + ".json"
ODD = f'<b>refused</b> & "quoted" {LONG}'
ADDRESS = "203.0.113.9"
SECRET = "SECRET-WORDS"


def make_everything() -> dict[type[Model], Model]:
    """Make a row of each table, and return it by its model."""
    now = timezone.now()
    rows: dict[type[Model], Model] = {}
    for make in (_papers, _personal, _work, _jobs, _control, _queue, _people):
        rows |= {type(row): row for row in make(now)}
    return rows


def _papers(now: dt.datetime) -> list[Model]:
    for state, error in ((SummaryState.FAILED, ErrorType.TIMEOUT), (SummaryState.PERMANENT_FAILURE, ErrorType.UNKNOWN)):
        make_paper(state=state, status={"error_type": error, "error": ODD, "completed_at": now})
    make_paper(state=SummaryState.PENDING, arxiv_id="hep-th/9901001", paper_date=DAY - dt.timedelta(days=400))
    authors = [f"Author Number {number} of Many" for number in range(1, 12)]
    paper = make_paper(
        arxiv_id="2606.90011", title_en=f"On {LONG} and more", authors=authors, tags=["agents", LONG[:60]]
    )
    summary = make_summary(paper)
    status = SummaryStatus.objects.get(paper=paper)
    return [paper, summary, status, paper.tags.first(), paper.authors.first()]


def _personal(now: dt.datetime) -> list[Model]:
    paper = Paper.objects.get(arxiv_id="2606.90011")
    return [
        UserBookmark.objects.create(paper=paper, note=SECRET, created_at=now),
        UserNote.objects.create(paper=paper, content=SECRET, created_at=now, updated_at=now),
        UserReadingStatus.objects.create(paper=paper, status="skimmed", updated_at=now),
    ]


def _work(now: dt.datetime) -> list[Model]:
    log = CrawlLog.objects.create(task="crawl", status="failed", date=DAY, started_at=now, completed_at=now, error=ODD)
    CrawlLog.objects.create(task="delete", status="running", started_at=now, owner=LONG)
    lock = TaskLock.objects.create(
        task="crawl", lock_key=str(DAY), status="running", acquired_at=now, owner="gone 1 2", log=log
    )
    return [
        log,
        lock,
        DayListing.objects.create(date=DAY, entry_key=LONG[:100], first_seen_at=now, skipped_reason=ODD),
        DeletedPaper.objects.create(arxiv_id="2606.99999", paper_date=DAY, deleted_at=now),
        QueuePause.objects.create(cause="arxiv", message=ODD, since=now, until=now + dt.timedelta(hours=1)),
        Heartbeat.objects.create(name="worker", beat_at=now, owner=LONG),
    ]


def _jobs(now: dt.datetime) -> list[Model]:
    job = CrawlJob.objects.create(status="failed", requested_by="operator", error=ODD, started_at=now, completed_at=now)
    day = CrawlJobDay.objects.create(job=job, date=DAY, state="failed", error=ODD, started_at=now, completed_at=now)
    CrawlJobDay.objects.create(job=job, date=DAY - dt.timedelta(days=1), state="skipped")
    deletion = DataDeleteJob.objects.create(
        date_start=DAY,
        date_end=DAY,
        status="failed",
        error=ODD,
        total=3,
        kept=1,
        paper_count=1,
        requested_by="operator",
        started_at=now,
        completed_at=now,
    )
    request = ArxivRequest.objects.create(
        arxiv_id="2606.90012", kind="add", state="failed", result=ODD, requested_by="operator", requested_at=now
    )
    return [job, day, deletion, request]


def _control(now: dt.datetime) -> list[Model]:
    return [
        Maintenance.objects.create(reason=ODD, since=now, switched_by="operator"),
        ScheduleTime.objects.create(name="crawl", cron="0 10 * * *", changed_by="operator", changed_at=now),
        Measurement.objects.create(name="papers", value=123_456_789, measured_at=now),
    ]


def _queue(now: dt.datetime) -> list[Model]:
    task = {"func": "operations.tasks.summarize", "started": now, "stopped": now}
    Task.objects.create(id="a" * 32, name="alpha", success=True, result="done", **task)
    Task.objects.create(id="b" * 32, name=LONG[:90], success=False, result=f"Traceback:\n{ODD}", **task)
    payload = SignedPackage.dumps({"id": "c" * 32, "name": "gamma", "func": task["func"], "args": (), "kwargs": {}})
    return [
        Success.objects.get(),
        Failure.objects.get(),
        OrmQ.objects.create(key="papersite", payload=payload, lock=now),
        Schedule.objects.create(name="crawl", func="operations.tasks.crawl", schedule_type="C", cron="0 9 * * *"),
    ]


def _people(now: dt.datetime) -> list[Model]:
    user = make_user("editor", "someone_of_the_past")
    seen = {"user_agent": LONG, "ip_address": ADDRESS, "username": "admin", "http_accept": "", "path_info": "/"}
    failed = FailedSignIn.objects.create(**seen, get_data="", post_data="", failures_since_start=5)
    visit = SignIn.objects.create(**seen, logout_time=now)
    entry = LogEntry.objects.create(
        user=user, action_flag=CHANGE, object_id="1", object_repr=LONG[:180], change_message=ODD
    )
    token, _text = create_token(LONG[:100], TokenScope.OPERATE, days=30, by="owner")
    return [user, Group.objects.get(name="editor"), entry, failed, visit, token]


def models_of_the_admin() -> list[type[Model]]:
    """Return every model that the admin shows, in a steady order."""
    from django.contrib import admin

    return [model for model in apps.get_models() if admin.site.is_registered(model)]


def address_of(page: URLPattern, rows: dict[type[Model], Model]) -> str:
    """Return the address of a page of the console, on the row that it is about where it is about one."""
    assert page.name
    about = [rows[_MEANT[page.name]].pk] if page.pattern.converters else []
    return reverse(f"admin:{page.name}", args=about)


_MEANT: dict[str, type[Model]] = {
    "crawl_job": CrawlJob,
    "crawl_job_progress": CrawlJob,
    "deletion_job": DataDeleteJob,
    "deletion_progress": DataDeleteJob,
    "release_lock": TaskLock,
    "paper_attempt": Paper,
}
