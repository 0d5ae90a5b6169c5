"""Sign-ins and failed ones, to be read; superusers may open a closed one again."""

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from operations.admin.access import ReadOnlyAdmin
from operations.admin.audit import record_on
from operations.models import FailedSignIn, SignIn


class _SignInAdmin(ReadOnlyAdmin):
    """What is common to both: who, from where, when."""

    search_fields = ("username__startswith", "ip_address__startswith")
    search_help_text = gettext_lazy("用户名或地址的开头")
    ordering = ("-attempt_time", "-id")

    @admin.display(description=gettext_lazy("用户名"))
    def who(self, row: FailedSignIn | SignIn) -> str:
        """Return the name that was given."""
        return row.username or "–"

    @admin.display(description=gettext_lazy("地址"))
    def address(self, row: FailedSignIn | SignIn) -> str:
        """Return the address; of IPv6 its network."""
        return row.ip_address or "–"

    @admin.display(description=gettext_lazy("时间"))
    def at(self, row: FailedSignIn | SignIn) -> object:
        """Return when it was, of several failures the last."""
        return row.attempt_time

    @admin.display(description=gettext_lazy("浏览器"))
    def browser(self, row: FailedSignIn | SignIn) -> str:
        """Return what the browser says of itself."""
        return row.user_agent


@admin.register(FailedSignIn)
class FailedSignInAdmin(_SignInAdmin):
    """Failures that count, or counted a while ago."""

    list_display = ("who", "address", "failures", "at", "browser")
    fields = list_display
    actions = ("unlock",)

    @admin.display(description=gettext_lazy("失败次数"))
    def failures(self, row: FailedSignIn) -> int:
        """Return how often it failed."""
        return row.failures_since_start

    def has_unlock_permission(self, request: HttpRequest) -> bool:
        """Superusers alone open what is closed."""
        return bool(request.user.is_active and request.user.is_superuser)

    @admin.action(description=gettext_lazy("解除登录限制"), permissions=["unlock"])
    def unlock(self, request: HttpRequest, queryset: QuerySet[FailedSignIn]) -> None:
        """Forget the chosen failures."""
        chosen = list(queryset)
        record_on(request, chosen, _("解除登录限制"))
        queryset.delete()
        text = ngettext("已清除 %(count)d 条失败的登录。", "已清除 %(count)d 条失败的登录。", len(chosen))
        messages.success(request, text % {"count": len(chosen)})


@admin.register(SignIn)
class VisitAdmin(_SignInAdmin):
    """Who signed in when, and when he signed out."""

    list_display = ("who", "address", "at", "until", "browser")
    fields = list_display

    @admin.display(description=gettext_lazy("退出时间"))
    def until(self, row: SignIn) -> object:
        """Return when the person signed out, if he did."""
        return row.logout_time
