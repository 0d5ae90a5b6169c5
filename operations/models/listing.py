"""Which papers each day of Daily Papers listed, by id text, so that it outlives a deletion."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class DayListing(models.Model):
    """One entry of one day's list."""

    id = models.AutoField(primary_key=True)
    date = models.DateField(_("日期"))
    entry_key = models.CharField(_("条目"), max_length=128, help_text=_("arXiv 编号；没有可用编号时为条目内容的摘要"))
    arxiv_id = models.CharField(_("arXiv 编号"), max_length=64, null=True, blank=True)
    skipped_reason = models.TextField(_("跳过原因"), null=True, blank=True)
    first_seen_at = models.DateTimeField(_("首次出现"))

    class Meta:
        """Table, names and constraints."""

        db_table = "day_listings"
        verbose_name = _("每日列表条目")
        verbose_name_plural = _("每日列表条目")
        constraints = [models.UniqueConstraint(fields=["date", "entry_key"], name="uq_day_listings")]
        indexes = [models.Index(fields=["arxiv_id"], name="ix_day_listings_arxiv_id")]

    def __str__(self) -> str:
        """Return date and entry."""
        return f"{self.date} {self.entry_key}"


class DeletedPaper(models.Model):
    """A paper that was deleted on purpose; a refresh leaves it out, a crawl by hand brings it back."""

    id = models.AutoField(primary_key=True)
    arxiv_id = models.CharField(_("arXiv 编号"), max_length=64, unique=True)
    paper_date = models.DateField(_("收录日期"))
    deleted_at = models.DateTimeField(_("删除时间"))

    class Meta:
        """Table and names."""

        db_table = "deleted_papers"
        verbose_name = _("已删除论文")
        verbose_name_plural = _("已删除论文")
        indexes = [models.Index(fields=["deleted_at"], name="ix_deleted_papers_at")]

    def __str__(self) -> str:
        """Return the id."""
        return self.arxiv_id
