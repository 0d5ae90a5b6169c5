"""The owner's private things; only people with the permission papers.personal may see them."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from papers.models.checks import one_of
from papers.models.paper import Paper


class ReadingStatus(models.TextChoices):
    """How far the owner has read."""

    UNREAD = "unread", _("未读")
    SKIMMED = "skimmed", _("已略读")
    READ_SUMMARY = "read_summary", _("已读总结")
    READ_FULL = "read_full", _("已读全文")


class UserBookmark(models.Model):
    """The owner's bookmark on a paper."""

    id = models.AutoField(primary_key=True)
    paper = models.OneToOneField(Paper, models.CASCADE, related_name="bookmark")
    note = models.TextField(_("附注"), null=True, blank=True)
    created_at = models.DateTimeField(_("创建时间"))

    class Meta:
        """Table and names."""

        db_table = "user_bookmarks"
        verbose_name = _("收藏")
        verbose_name_plural = _("收藏")

    def __str__(self) -> str:
        """Return the paper's number, without a query."""
        return f"#{self.paper_id}"


class UserReadingStatus(models.Model):
    """How far the owner has read a paper."""

    id = models.AutoField(primary_key=True)
    paper = models.OneToOneField(Paper, models.CASCADE, related_name="reading_status")
    status = models.CharField(_("阅读状态"), max_length=20, choices=ReadingStatus.choices)
    updated_at = models.DateTimeField(_("更新时间"))

    class Meta:
        """Table, names and constraints."""

        db_table = "user_reading_status"
        verbose_name = _("阅读状态")
        verbose_name_plural = _("阅读状态")
        constraints = [one_of("status", ReadingStatus, "user_reading_status")]

    def __str__(self) -> str:
        """Return the status in words."""
        return str(self.get_status_display())


class UserNote(models.Model):
    """The owner's note on a paper."""

    id = models.AutoField(primary_key=True)
    paper = models.OneToOneField(Paper, models.CASCADE, related_name="note")
    content = models.TextField(_("内容"))
    created_at = models.DateTimeField(_("创建时间"))
    updated_at = models.DateTimeField(_("更新时间"))

    class Meta:
        """Table and names."""

        db_table = "user_notes"
        verbose_name = _("笔记")
        verbose_name_plural = _("笔记")

    def __str__(self) -> str:
        """Return the paper's number, without a query."""
        return f"#{self.paper_id}"
