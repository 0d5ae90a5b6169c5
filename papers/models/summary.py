"""A paper's structured summary and the state of making it."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from papers.models.checks import one_of
from papers.models.paper import Paper, SummaryQuality


class SummaryState(models.TextChoices):
    """States of a summary; operations.states alone moves them."""

    PENDING = "pending", _("等待中")
    PROCESSING = "processing", _("总结中")
    DONE = "done", _("已完成")
    FAILED = "failed", _("失败，待重试")
    PERMANENT_FAILURE = "permanent_failure", _("永久失败")


class ErrorType(models.TextChoices):
    """Why an attempt at a summary failed."""

    PDF_DOWNLOAD_FAILED = "pdf_download_failed", _("正文获取失败")
    TIMEOUT = "timeout", _("超时")
    PROCESS_ERROR = "process_error", _("进程出错")
    JSON_NOT_FOUND = "json_not_found", _("输出中没有 JSON")
    JSON_INVALID = "json_invalid", _("JSON 无法解析")
    FIELD_MISSING = "field_missing", _("缺少必填字段")
    SCHEMA_ERROR = "schema_error", _("内容不合格式")
    UNKNOWN = "unknown", _("未知错误")


class PaperSummary(models.Model):
    """A structured summary, its fields for pages and search, and the whole object."""

    paper = models.OneToOneField(Paper, models.CASCADE, primary_key=True, related_name="summary")
    one_line = models.TextField(_("一句话总结"), null=True, blank=True)
    difficulty = models.TextField(_("难度"), null=True, blank=True)
    prerequisites_json = models.TextField(_("预备知识"), null=True, blank=True)
    motivation_problem = models.TextField(_("问题"), null=True, blank=True)
    motivation_goal = models.TextField(_("目标"), null=True, blank=True)
    motivation_gap = models.TextField(_("已有工作的不足"), null=True, blank=True)
    method_overview = models.TextField(_("方法概述"), null=True, blank=True)
    method_key_idea = models.TextField(_("核心思想"), null=True, blank=True)
    method_steps_json = models.TextField(_("步骤"), null=True, blank=True)
    method_novelty = models.TextField(_("创新点"), null=True, blank=True)
    results_main_json = models.TextField(_("主要发现"), null=True, blank=True)
    results_benchmarks_json = models.TextField(_("基准结果"), null=True, blank=True)
    limitations_json = models.TextField(_("局限"), null=True, blank=True)
    weaknesses_json = models.TextField(_("不足"), null=True, blank=True)
    future_work_json = models.TextField(_("未来工作"), null=True, blank=True)
    reproducibility = models.TextField(_("可复现性"), null=True, blank=True)
    full_json = models.TextField(_("完整 JSON"))
    updated_at = models.DateTimeField(_("更新时间"))

    # Beyond the seed's columns.
    source_version = models.PositiveIntegerField(
        _("所依据的版本"), null=True, blank=True, help_text=_("总结时 arXiv 的版本号")
    )
    edited_at = models.DateTimeField(_("人工修改时间"), null=True, blank=True)
    edited_by = models.TextField(_("人工修改者"), null=True, blank=True)

    class Meta:
        """Table and names."""

        db_table = "paper_summaries"
        verbose_name = _("总结")
        verbose_name_plural = _("总结")
        indexes = [models.Index(fields=["-updated_at"], name="ix_paper_summaries_updated")]

    def __str__(self) -> str:
        """Return the one-line summary."""
        return self.one_line or ""


class SummaryStatus(models.Model):
    """What must be done for a paper's summary, who has it since when, how often it was tried."""

    id = models.AutoField(primary_key=True)
    paper = models.OneToOneField(Paper, models.CASCADE, related_name="status")
    status = models.CharField(_("状态"), max_length=20, choices=SummaryState.choices)
    quality = models.CharField(_("质量"), max_length=10, null=True, blank=True, choices=SummaryQuality.choices)
    error_type = models.CharField(_("错误类型"), max_length=24, null=True, blank=True, choices=ErrorType.choices)
    error = models.TextField(_("错误"), null=True, blank=True)
    retry_count = models.IntegerField(_("重试次数"), null=True, default=0, db_default=0)
    raw_output_saved = models.BooleanField(_("已存原始输出"), null=True, default=False, db_default=False)
    started_at = models.DateTimeField(_("开始时间"), null=True, blank=True)
    completed_at = models.DateTimeField(_("结束时间"), null=True, blank=True)

    # Beyond the seed's columns.
    owner = models.TextField(_("持有者"), null=True, blank=True, help_text=_("正在处理的进程：主机、进程号和启动时间"))
    lease_until = models.DateTimeField(_("租约到期"), null=True, blank=True)
    next_attempt_at = models.DateTimeField(_("下次尝试"), null=True, blank=True)
    interruptions = models.PositiveIntegerField(_("中断次数"), default=0, db_default=0)
    queued_at = models.DateTimeField(_("入队时间"), null=True, blank=True, help_text=_("因中断被排到队尾的时间"))

    class Meta:
        """Table, names and constraints."""

        db_table = "summary_status"
        verbose_name = _("总结状态")
        verbose_name_plural = _("总结状态")
        constraints = [
            one_of("status", SummaryState, "summary_status"),
            one_of("quality", SummaryQuality, "summary_status"),
            one_of("error_type", ErrorType, "summary_status"),
        ]
        indexes = [
            models.Index(fields=["status", "next_attempt_at"], name="ix_summary_status_due"),
            models.Index(fields=["-completed_at"], name="ix_summary_status_completed"),
            # Few rows have an error, and these are what people look for.
            models.Index(
                fields=["error_type"],
                condition=models.Q(error_type__isnull=False),
                name="ix_summary_status_error_type",
            ),
        ]

    def __str__(self) -> str:
        """Return the state in words."""
        return str(self.get_status_display())
