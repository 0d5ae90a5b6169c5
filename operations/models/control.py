"""What the operators of a site set while it runs, and what it measures of itself."""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Maintenance(models.Model):
    """The switch that holds all work while pages go on; on while its one row is there."""

    id = models.PositiveSmallIntegerField(primary_key=True, default=1)
    reason = models.TextField(_("原因"), default="", db_default="", blank=True)
    since = models.DateTimeField(_("开始时间"))
    switched_by = models.TextField(_("操作人"), null=True, blank=True)

    class Meta:
        """Table, names and constraints."""

        db_table = "maintenance"
        verbose_name = _("维护开关")
        verbose_name_plural = _("维护开关")
        constraints = [models.CheckConstraint(condition=models.Q(id=1), name="ck_maintenance_one_row")]

    def __str__(self) -> str:
        """Return the reason."""
        return self.reason


class ScheduleTime(models.Model):
    """When a schedule runs, where that was changed by hand; without a row the settings decide."""

    name = models.CharField(_("名称"), max_length=64, primary_key=True)
    cron = models.CharField(_("cron 表达式"), max_length=100)
    changed_by = models.TextField(_("修改人"), null=True, blank=True)
    changed_at = models.DateTimeField(_("修改时间"))

    class Meta:
        """Table and names."""

        db_table = "schedule_times"
        verbose_name = _("定时任务的时间")
        verbose_name_plural = _("定时任务的时间")

    def __str__(self) -> str:
        """Return the name."""
        return self.name


class Measurement(models.Model):
    """A figure that is too dear to take for each page, such as the size of a folder in bytes."""

    name = models.CharField(_("名称"), max_length=64, primary_key=True)
    value = models.BigIntegerField(_("数值"))
    measured_at = models.DateTimeField(_("测量时间"))

    class Meta:
        """Table and names."""

        db_table = "measurements"
        verbose_name = _("测量值")
        verbose_name_plural = _("测量值")

    def __str__(self) -> str:
        """Return the name."""
        return self.name
