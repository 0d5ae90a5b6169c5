"""The tokens by which scripts use the API."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from papers.models.checks import one_of


class TokenScope(models.TextChoices):
    """What a token may do. The two greater ones read too; neither of them includes the other."""

    READ = "read", _("读取：与不登录时看到的相同，但单独计数")
    PERSONAL = "personal", _("个人：也读写站长的收藏、笔记和阅读状态")
    OPERATE = "operate", _("运行：也运行和查看抓取、总结、删除")


class ApiToken(models.Model):
    """A token of the site's API. Of its secret the hash alone is kept, of what is shown everywhere the prefix."""

    id = models.AutoField(primary_key=True)
    name = models.CharField(_("名称"), max_length=100)
    prefix = models.CharField(_("开头"), max_length=16, unique=True)
    token_hash = models.CharField(_("哈希"), max_length=64, unique=True)
    scope = models.CharField(_("权限范围"), max_length=10, choices=TokenScope.choices)
    created_by = models.TextField(_("创建人"), null=True, blank=True)
    created_at = models.DateTimeField(_("创建时间"))
    ends_at = models.DateTimeField(_("到期时间"), null=True, blank=True)
    revoked_at = models.DateTimeField(_("撤销时间"), null=True, blank=True)
    last_used_at = models.DateTimeField(_("最近使用"), null=True, blank=True)

    class Meta:
        """Table, names and constraints."""

        db_table = "api_tokens"
        verbose_name = _("API 令牌")
        verbose_name_plural = _("API 令牌")
        constraints = [
            one_of("scope", TokenScope, "api_tokens"),
            models.UniqueConstraint(
                fields=["name"], condition=models.Q(revoked_at__isnull=True), name="uq_api_tokens_name_in_force"
            ),
        ]

    def __str__(self) -> str:
        """Return name and prefix."""
        return f"{self.name} ({self.prefix})"
