"""Who signed in and who failed to: the rows of django-axes under our own names."""

from axes.models import AccessAttempt, AccessLog
from django.utils.translation import gettext_lazy as _


class FailedSignIn(AccessAttempt):
    """Failures of one account from one address with one browser; forgotten after the cool-off or at success."""

    class Meta:
        """Names; the table is that of axes."""

        proxy = True
        verbose_name = _("失败的登录")
        verbose_name_plural = _("失败的登录")

    def __str__(self) -> str:
        """Return who tried, from where."""
        return f"{self.username} · {self.ip_address or '–'}"


class SignIn(AccessLog):
    """One visit of someone who signed in."""

    class Meta:
        """Names; the table is that of axes."""

        proxy = True
        verbose_name = _("登录记录")
        verbose_name_plural = _("登录记录")

    def __str__(self) -> str:
        """Return who signed in, from where."""
        return f"{self.username} · {self.ip_address or '–'}"
