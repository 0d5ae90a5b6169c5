"""Logs, locks, delete jobs, pauses and heartbeats."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from papers.models.checks import one_of


class Task(models.TextChoices):
    """Kinds of work that are logged."""

    CRAWL = "crawl", _("抓取")
    SUMMARIZE = "summarize", _("总结")
    CLEANUP = "cleanup", _("清理")
    DELETE = "delete", _("删除")
    SCHEDULER = "scheduler", _("调度")


class RunState(models.TextChoices):
    """States of a logged run."""

    RUNNING = "running", _("进行中")
    SUCCESS = "success", _("成功")
    FAILED = "failed", _("失败")


class LockState(models.TextChoices):
    """States of a lock."""

    RUNNING = "running", _("持有中")
    FINISHED = "finished", _("已完成")
    FAILED = "failed", _("失败")


class CrawlLog(models.Model):
    """One run of a task, and how it ended."""

    id = models.AutoField(primary_key=True)
    task = models.CharField(_("任务"), max_length=20, choices=Task.choices)
    status = models.CharField(_("状态"), max_length=10, choices=RunState.choices)
    date = models.DateField(_("日期"), null=True, blank=True)
    papers_found = models.IntegerField(_("列出"), null=True, blank=True)
    papers_new = models.IntegerField(_("新增"), null=True, blank=True)
    error = models.TextField(_("错误"), null=True, blank=True)
    started_at = models.DateTimeField(_("开始时间"))
    completed_at = models.DateTimeField(_("结束时间"), null=True, blank=True)

    # Beyond the seed's columns.
    owner = models.TextField(_("执行者"), null=True, blank=True)
    detail = models.TextField(_("说明"), null=True, blank=True, help_text=_("做了什么；成功时也可能有警告"))

    class Meta:
        """Table, names and constraints."""

        db_table = "crawl_logs"
        verbose_name = _("任务日志")
        verbose_name_plural = _("任务日志")
        constraints = [
            one_of("task", Task, "crawl_logs"),
            one_of("status", RunState, "crawl_logs"),
        ]
        indexes = [
            models.Index(fields=["task", "date", "-started_at"], name="ix_crawl_logs_day"),
            models.Index(fields=["-started_at"], name="ix_crawl_logs_started"),
            models.Index(fields=["date", "-started_at"], name="ix_crawl_logs_date"),
            models.Index(fields=["status", "-started_at"], name="ix_crawl_logs_status"),
        ]
        # `operate`: run, re-run, pause and release. `view_setup`: the settings in force, disk and backups.
        permissions = [("operate", _("运行和控制任务")), ("view_setup", _("查看设置和备份"))]

    def __str__(self) -> str:
        """Return task, date and state."""
        return f"{self.task} {self.date or ''} {self.status}"


class TaskLock(models.Model):
    """A lock, held or given back. Two rows of one task and key can never both be running."""

    id = models.AutoField(primary_key=True)
    task = models.CharField(_("任务"), max_length=20)
    lock_key = models.CharField(_("键"), max_length=64)
    status = models.CharField(_("状态"), max_length=10, choices=LockState.choices)
    owner = models.TextField(_("持有者"), null=True, blank=True)
    acquired_at = models.DateTimeField(_("取得时间"))
    released_at = models.DateTimeField(_("释放时间"), null=True, blank=True)

    # Beyond the seed's columns.
    log = models.ForeignKey(CrawlLog, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("日志"))

    class Meta:
        """Table, names and constraints."""

        db_table = "task_locks"
        verbose_name = _("任务锁")
        verbose_name_plural = _("任务锁")
        constraints = [
            models.UniqueConstraint(
                fields=["task", "lock_key"],
                condition=models.Q(status="running"),
                name="uq_task_locks_running",
            ),
            one_of("status", LockState, "task_locks"),
        ]
        indexes = [
            models.Index(fields=["status", "acquired_at"], name="ix_task_locks_status"),
            models.Index(fields=["released_at"], name="ix_task_locks_released"),
        ]

    def __str__(self) -> str:
        """Return task and key."""
        return f"{self.task} / {self.lock_key}"


class DataDeleteJob(models.Model):
    """A deletion by date range, as it was run."""

    id = models.AutoField(primary_key=True)
    date_start = models.DateField(_("开始日期"))
    date_end = models.DateField(_("结束日期"))
    include_notes = models.BooleanField(_("包括有笔记或收藏的论文"), null=True, default=True, db_default=True)
    paper_count = models.IntegerField(_("已删除论文数"), null=True, default=0, db_default=0)
    status = models.CharField(_("状态"), max_length=10, choices=RunState.choices)
    error = models.TextField(_("错误"), null=True, blank=True)
    started_at = models.DateTimeField(_("开始时间"))
    completed_at = models.DateTimeField(_("结束时间"), null=True, blank=True)

    # Beyond the seed's columns.
    total = models.IntegerField(_("应删除论文数"), null=True, blank=True)
    kept = models.IntegerField(_("保留论文数"), null=True, blank=True, help_text=_("因有笔记或收藏而保留"))
    requested_by = models.TextField(_("发起人"), null=True, blank=True)
    owner = models.TextField(_("执行者"), null=True, blank=True)
    stop_requested_at = models.DateTimeField(_("要求停止的时间"), null=True, blank=True)
    log = models.ForeignKey(CrawlLog, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("日志"))

    class Meta:
        """Table, names and constraints."""

        db_table = "data_delete_jobs"
        verbose_name = _("删除任务")
        verbose_name_plural = _("删除任务")
        constraints = [one_of("status", RunState, "data_delete_jobs")]
        indexes = [models.Index(fields=["status", "id"], name="ix_data_delete_jobs_status")]

    def __str__(self) -> str:
        """Return the range."""
        return f"{self.date_start} – {self.date_end}"


class QueuePause(models.Model):
    """Why no summary is being started now, and until when; one row for each cause."""

    cause = models.CharField(_("原因"), max_length=20, primary_key=True)
    message = models.TextField(_("说明"))
    since = models.DateTimeField(_("开始"))
    until = models.DateTimeField(_("至"))
    times = models.PositiveIntegerField(_("次数"), default=1, db_default=1)

    class Meta:
        """Table and names."""

        db_table = "queue_pauses"
        verbose_name = _("队列暂停")
        verbose_name_plural = _("队列暂停")

    def __str__(self) -> str:
        """Return the cause."""
        return self.cause


class Heartbeat(models.Model):
    """When a part of the running site last showed itself alive."""

    name = models.CharField(_("名称"), max_length=32, primary_key=True)
    beat_at = models.DateTimeField(_("时间"))
    owner = models.TextField(_("进程"), null=True, blank=True)

    class Meta:
        """Table and names."""

        db_table = "heartbeats"
        verbose_name = _("心跳")
        verbose_name_plural = _("心跳")

    def __str__(self) -> str:
        """Return the name."""
        return self.name
