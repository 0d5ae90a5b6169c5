"""The page of the backups that the site keeps."""

import pytest
from django.contrib.admin.models import LogEntry
from django.utils import timezone
from django_q.models import OrmQ

from operations import maintenance, tasks
from operations.backup import kept
from operations.backup.errors import BackupFailed
from operations.backup.kept import backups_folder
from operations.logs import start_log
from operations.models import CrawlLog, Heartbeat, Task
from tests.roles import client_of

pytestmark = pytest.mark.django_db(transaction=True)

PAGE = "/admin/backups/"
STATE = "/admin/backups/state/"


@pytest.mark.parametrize(
    ("role", "sees", "asks"),
    [("owner", True, True), ("operator", True, True), ("auditor", True, False), ("editor", False, False)],
)
def test_who_may_look_and_who_may_ask(data_dir, role, sees, asks):
    client = client_of(role)
    answer = client.get(PAGE)
    assert answer.status_code == client.get(STATE).status_code == (200 if sees else 403)
    assert ("立即备份</button>" in answer.content.decode()) is asks
    assert client.post(PAGE).status_code == (302 if asks else 403)
    assert OrmQ.objects.count() == (1 if asks else 0)


def test_looking_asks_for_nothing(data_dir):
    client = client_of("owner")
    client.get(PAGE), client.get(STATE)
    assert not OrmQ.objects.exists()
    assert client.post(STATE).status_code == 405


def test_a_wish_is_told_and_in_the_audit_log(data_dir):
    client = client_of("operator")
    page = client.post(PAGE, follow=True).content.decode()
    assert "已安排备份" in page and "备份在等待后台任务" in page and "现在没有后台任务在运行" in page
    assert [(row.user.username, row.change_message) for row in LogEntry.objects.all()] == [("operator", "立即备份")]
    assert "已经有一个备份" in client.post(PAGE, follow=True).content.decode()
    assert LogEntry.objects.count() == OrmQ.objects.count() == 1


def test_maintenance_holds_no_backup_and_nobody_is_told_that_it_does(data_dir):
    maintenance.switch_on("new disk", by="ada")
    client = client_of("operator")
    page = client.post(PAGE, follow=True).content.decode()
    assert "已安排备份" in page and "结束维护后才会执行" not in page
    assert "现在没有后台任务在运行" in page
    held = client.get("/admin/maintenance/").content.decode()
    assert "删除和备份" not in held and "备份、页面、搜索" in held


def test_a_page_that_waits_looks_again_and_then_ends(data_dir):
    client = client_of("owner")
    assert "data-refresh-url" not in client.get(PAGE).content.decode()
    client.post(PAGE)
    assert f'data-refresh-url="{STATE}"' in client.get(PAGE).content.decode()
    assert "Refresh-Ended" not in client.get(STATE)
    OrmQ.objects.all().delete()
    log = start_log(Task.SCHEDULER)
    CrawlLog.objects.filter(pk=log.pk).update(detail="backup: papersite-x.tar.gz")
    assert "正在备份" in client.get(STATE).content.decode()
    CrawlLog.objects.filter(pk=log.pk).update(status="success", completed_at=timezone.now())
    assert client.get(STATE)["Refresh-Ended"] == "yes"


def test_what_was_made_and_how_it_is_brought_back(data_dir):
    client = client_of("auditor")
    assert "还没有备份过" in client.get(PAGE).content.decode()
    name = tasks.backup_now()
    page = client.get(PAGE).content.decode()
    assert page.count(name) == 3  # the run, the file, and the command
    assert f"manage.py restore {backups_folder() / name}" in page
    assert "管理后台" in page


def test_a_failure_is_shown_with_its_reason_escaped(data_dir, monkeypatch):
    def fail(*_args, **_options):
        raise BackupFailed("no room <script>")

    monkeypatch.setattr(kept, "make_backup", fail)
    tasks.nightly_backup()
    page = client_of("operator").get(PAGE).content.decode()
    assert "最近一次备份失败了" in page
    assert "no room &lt;script&gt;" in page


def test_a_file_that_cannot_be_read_is_named(data_dir):
    backups_folder().mkdir()
    (backups_folder() / "papersite-20260101-000000.tar.gz").write_text("damaged")
    page = client_of("operator").get(PAGE).content.decode()
    assert "无法读取" in page and "it is no backup of Papersite" in page


def test_without_nightly_backups_the_page_says_so(data_dir, settings):
    settings.PAPERSITE = settings.PAPERSITE.model_copy(update={"backup_keep": 0})
    assert "现在没有夜间备份" in client_of("operator").get(PAGE).content.decode()


def test_queries_do_not_grow_with_backups(data_dir, django_assert_max_num_queries):
    Heartbeat.objects.create(name="worker", beat_at=timezone.now())
    client = client_of("operator")
    for _number in range(3):
        tasks.backup_now()
    with django_assert_max_num_queries(14):  # session, user, its permissions twice, maintenance; logs and queue
        client.get(PAGE)
