"""A paper, its authors and its tags."""

from django.db import models
from django.db.models.functions import Coalesce, Now
from django.utils.translation import gettext_lazy as _

from papers.addresses import paper_address
from papers.models.checks import one_of
from papers.text import fold


class AssetStatus(models.TextChoices):
    """What has become of a paper's source or PDF."""

    NOT_DOWNLOADED = "not_downloaded", _("未下载")
    READY = "ready", _("正文可用")
    FAILED = "failed", _("无正文")
    CLEANED = "cleaned", _("已清理")


class SummaryQuality(models.TextChoices):
    """How good a stored summary is; see papers.summary.grading."""

    NORMAL = "normal", _("正常")
    DEGRADED = "degraded", _("不完整")
    LOW = "low", _("质量较低")


class TagSource(models.TextChoices):
    """Who gave a tag."""

    HF = "hf", "Hugging Face"
    AI = "ai", "AI"
    USER = "user", _("手动")


class Paper(models.Model):
    """One paper, whatever its version."""

    id = models.AutoField(primary_key=True)
    arxiv_id = models.CharField(_("arXiv 编号"), max_length=64, unique=True)
    title_en = models.TextField(_("英文标题"))
    title_zh = models.TextField(_("中文标题"), null=True, blank=True)
    abstract = models.TextField(_("摘要"), null=True, blank=True)
    published_at = models.DateField(_("发表日期"), null=True, blank=True)
    paper_date = models.DateField(_("收录日期"))
    crawled_at = models.DateTimeField(_("抓取时间"))
    upvotes = models.IntegerField(_("票数"), null=True, blank=True, default=0, db_default=0)
    hf_url = models.TextField(_("Hugging Face 页面"), null=True, blank=True)
    arxiv_url = models.TextField(_("arXiv 页面"), null=True, blank=True)
    pdf_url = models.TextField(_("PDF 地址"), null=True, blank=True)
    source_url = models.TextField(_("源码地址"), null=True, blank=True)
    asset_status = models.CharField(
        _("正文状态"),
        max_length=20,
        null=True,
        choices=AssetStatus.choices,
        default=AssetStatus.NOT_DOWNLOADED,
        db_default=AssetStatus.NOT_DOWNLOADED.value,
    )
    asset_error = models.TextField(_("正文错误"), null=True, blank=True)
    meta_path = models.TextField(null=True, blank=True)
    summary_path = models.TextField(null=True, blank=True)
    raw_output_path = models.TextField(null=True, blank=True)
    summary_quality = models.CharField(
        _("总结质量"), max_length=10, null=True, blank=True, choices=SummaryQuality.choices
    )

    # Beyond the seed's columns.
    version = models.PositiveIntegerField(_("版本"), null=True, blank=True, help_text=_("已知的最新版本号"))
    categories = models.TextField(
        _("分类"), default="", db_default="", blank=True, help_text=_("以空格分隔，主分类在前")
    )
    arxiv_comment = models.TextField(_("作者备注"), null=True, blank=True)
    is_withdrawn = models.BooleanField(_("已撤稿"), default=False, db_default=False)
    code_url = models.TextField(_("代码地址"), null=True, blank=True)
    code_stars = models.PositiveIntegerField(_("代码星标"), null=True, blank=True)
    project_url = models.TextField(_("项目主页"), null=True, blank=True)
    organization = models.TextField(_("机构"), null=True, blank=True)
    arxiv_checked_at = models.DateTimeField(_("arXiv 核对时间"), null=True, blank=True)
    updated_at = models.DateTimeField(_("更新时间"), auto_now=True, db_default=Now())
    # Kept by a trigger: `updated_at` counts every vote too.
    text_changed_at = models.DateTimeField(_("文字更新时间"), null=True, blank=True, editable=False)

    class Meta:
        """Table, order and constraints."""

        db_table = "papers"
        verbose_name = _("论文")
        verbose_name_plural = _("论文")
        constraints = [
            one_of("asset_status", AssetStatus, "papers"),
            one_of("summary_quality", SummaryQuality, "papers"),
        ]
        indexes = [
            models.Index(fields=["-paper_date", "-upvotes", "id"], name="ix_papers_day"),
            models.Index(fields=["-published_at", "id"], name="ix_papers_published"),
            models.Index(fields=["updated_at", "id"], name="ix_papers_updated"),
            # For lists that go on after a key: what is not known comes last, and compares like all else.
            models.Index(Coalesce("upvotes", -1).desc(), "id", name="ix_papers_votes"),
            models.Index(
                Coalesce("published_at", models.Value(""), output_field=models.TextField()).desc(),
                "id",
                name="ix_papers_published_key",
            ),
            # Each in the order of the day's list, so that the few that are looked for are found without the others.
            models.Index(fields=["summary_quality", "-paper_date", "-upvotes", "id"], name="ix_papers_quality"),
            models.Index(
                fields=["-paper_date", "-upvotes", "id"],
                condition=models.Q(is_withdrawn=True),
                name="ix_papers_withdrawn",
            ),
        ]
        # The one permission for the owner's bookmarks, notes and reading status.
        permissions = [("personal", _("使用收藏、笔记和阅读状态"))]

    def __str__(self) -> str:
        """Return the id and the title, for lists in the admin."""
        return f"{self.arxiv_id} {self.title_zh or self.title_en}"

    def get_absolute_url(self) -> str:
        """Return the address of the paper's page."""
        return paper_address(self.arxiv_id)

    @property
    def category_list(self) -> list[str]:
        """The arXiv categories, the primary one first."""
        return self.categories.split()


class PaperAuthor(models.Model):
    """An author of a paper, in the paper's order."""

    id = models.AutoField(primary_key=True)
    paper = models.ForeignKey(Paper, models.CASCADE, related_name="authors")
    name = models.TextField(_("姓名"))
    position = models.IntegerField(_("次序"), null=True, default=0, db_default=0)

    class Meta:
        """Table, order and constraints."""

        db_table = "paper_authors"
        verbose_name = _("作者")
        verbose_name_plural = _("作者")
        ordering = ["position", "id"]
        constraints = [models.UniqueConstraint(fields=["paper", "name"], name="uq_paper_authors")]
        indexes = [models.Index(fields=["name"], name="ix_paper_authors_name")]

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class PaperTag(models.Model):
    """A tag of a paper and who gave it."""

    id = models.AutoField(primary_key=True)
    # The index of paper and folded form serves what asks for the paper alone.
    paper = models.ForeignKey(Paper, models.CASCADE, related_name="tags", db_index=False)
    tag = models.TextField(_("标签"))
    source = models.CharField(
        _("来源"),
        max_length=10,
        null=True,
        choices=TagSource.choices,
        default=TagSource.HF,
        db_default=TagSource.HF.value,
    )
    folded = models.TextField(
        default="", db_default="", editable=False, help_text=_("用于比较的写法：不分大小写、全半角和空格")
    )

    class Meta:
        """Table, order and constraints."""

        db_table = "paper_tags"
        verbose_name = _("标签")
        verbose_name_plural = _("标签")
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["paper", "tag", "source"], name="uq_paper_tags"),
            one_of("source", TagSource, "paper_tags"),
        ]
        indexes = [
            models.Index(fields=["folded"], name="ix_paper_tags_folded"),
            models.Index(fields=["paper", "folded"], name="ix_paper_tags_paper"),
        ]

    def __str__(self) -> str:
        """Return the tag."""
        return self.tag

    def save(self, *args, **kwargs) -> None:
        """Keep the folded form in step with the tag."""
        self.folded = fold(self.tag)
        super().save(*args, **kwargs)
