"""What was asked for by hand and takes longer than a page: crawls of days, summaries, questions to arXiv."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from operations.models.work import CrawlLog, RunState
from papers.models import Paper
from papers.models.checks import one_of


class CrawlJob(models.Model):
    """Days to be crawled, as someone asked for them; what became of each stands in its rows of `crawl_job_days`."""

    id = models.AutoField(primary_key=True)
    status = models.CharField(_("状态"), max_length=10, choices=RunState.choices)
    requested_by = models.TextField(_("发起人"), null=True, blank=True)
    stop_requested_at = models.DateTimeField(_("要求停止的时间"), null=True, blank=True)
    error = models.TextField(_("错误"), null=True, blank=True)
    started_at = models.DateTimeField(_("开始时间"))
    completed_at = models.DateTimeField(_("结束时间"), null=True, blank=True)

    class Meta:
        """Table, names and constraints."""

        db_table = "crawl_jobs"
        verbose_name = _("抓取任务")
        verbose_name_plural = _("抓取任务")
        constraints = [one_of("status", RunState, "crawl_jobs")]
        indexes = [models.Index(fields=["status", "id"], name="ix_crawl_jobs_status")]

    def __str__(self) -> str:
        """Return the number."""
        return f"#{self.pk}"


class DayState(models.TextChoices):
    """States of a day of a crawl job."""

    WAITING = "waiting", _("等待中")
    RUNNING = "running", _("进行中")
    SUCCESS = "success", _("成功")
    FAILED = "failed", _("失败")
    SKIPPED = "skipped", _("未执行")


class CrawlJobDay(models.Model):
    """One day of a crawl job. Days are crawled in the order of their ids."""

    id = models.AutoField(primary_key=True)
    job = models.ForeignKey(CrawlJob, models.CASCADE, related_name="days")
    date = models.DateField(_("日期"))
    state = models.CharField(_("状态"), max_length=10, choices=DayState.choices, default=DayState.WAITING)
    owner = models.TextField(_("执行者"), null=True, blank=True)
    attempts = models.PositiveIntegerField(_("尝试次数"), default=0, db_default=0)
    papers_found = models.IntegerField(_("列出"), null=True, blank=True)
    papers_new = models.IntegerField(_("新增"), null=True, blank=True)
    error = models.TextField(_("错误"), null=True, blank=True)
    log = models.ForeignKey(CrawlLog, models.SET_NULL, null=True, blank=True, related_name="+", verbose_name=_("日志"))
    started_at = models.DateTimeField(_("开始时间"), null=True, blank=True)
    completed_at = models.DateTimeField(_("结束时间"), null=True, blank=True)

    class Meta:
        """Table, order and constraints."""

        db_table = "crawl_job_days"
        verbose_name = _("抓取任务的一天")
        verbose_name_plural = _("抓取任务的各天")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["job", "date"], name="uq_crawl_job_days"),
            one_of("state", DayState, "crawl_job_days"),
        ]
        indexes = [models.Index(fields=["state", "job"], name="ix_crawl_job_days_state")]

    def __str__(self) -> str:
        """Return the date."""
        return str(self.date)


class SummaryRequest(models.Model):
    """A paper whose summary a script asked for; the log, which waits, tells of all that were asked for with it."""

    id = models.AutoField(primary_key=True)
    log = models.ForeignKey(CrawlLog, models.CASCADE, related_name="summary_requests", verbose_name=_("日志"))
    paper = models.ForeignKey(Paper, models.CASCADE, related_name="+", verbose_name=_("论文"))

    class Meta:
        """Table and names."""

        db_table = "summary_requests"
        verbose_name = _("总结请求")
        verbose_name_plural = _("总结请求")

    def __str__(self) -> str:
        """Return the keys."""
        return f"{self.log_id}: {self.paper_id}"


class RequestKind(models.TextChoices):
    """What arXiv is asked for."""

    ADD = "add", _("添加论文")
    REFRESH = "refresh", _("重新获取元数据")


class RequestState(models.TextChoices):
    """States of a question to arXiv."""

    WAITING = "waiting", _("等待中")
    DONE = "done", _("已完成")
    FAILED = "failed", _("失败")


class ArxivRequest(models.Model):
    """A paper that someone wants from arXiv: a new one, or a known one's metadata again."""

    id = models.AutoField(primary_key=True)
    arxiv_id = models.CharField(_("arXiv 编号"), max_length=64)
    kind = models.CharField(_("种类"), max_length=10, choices=RequestKind.choices)
    state = models.CharField(_("状态"), max_length=10, choices=RequestState.choices, default=RequestState.WAITING)
    result = models.TextField(_("结果"), null=True, blank=True, help_text=_("完成时：是否新增；失败时：原因"))
    requested_by = models.TextField(_("发起人"), null=True, blank=True)
    requested_at = models.DateTimeField(_("发起时间"))
    completed_at = models.DateTimeField(_("结束时间"), null=True, blank=True)

    class Meta:
        """Table, names and constraints."""

        db_table = "arxiv_requests"
        verbose_name = _("arXiv 请求")
        verbose_name_plural = _("arXiv 请求")
        constraints = [
            models.UniqueConstraint(
                fields=["arxiv_id", "kind"],
                condition=models.Q(state="waiting"),
                name="uq_arxiv_requests_waiting",
            ),
            one_of("kind", RequestKind, "arxiv_requests"),
            one_of("state", RequestState, "arxiv_requests"),
        ]
        indexes = [models.Index(fields=["state", "id"], name="ix_arxiv_requests_state")]

    def __str__(self) -> str:
        """Return the id."""
        return self.arxiv_id
