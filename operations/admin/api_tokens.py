"""Tokens of the API: superusers make and revoke them, auditors see that they are there. A secret is shown once."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import BadRequest
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from operations.admin.access import ReadOnlyAdmin
from operations.admin.audit import record_on
from papersite.api_tokens import (
    LONGEST_DAYS,
    NameTaken,
    UnusableName,
    checked_name,
    create_token,
    revoke_all,
    why_not_in_force,
)
from papersite.models import ApiToken, TokenScope


class NewTokenForm(forms.ModelForm):
    """What a new token is called, what it may do, and for how long."""

    scope = forms.ChoiceField(
        label=gettext_lazy("权限范围"), choices=TokenScope.choices, widget=forms.RadioSelect, initial=TokenScope.READ
    )
    days = forms.IntegerField(
        label=gettext_lazy("有效天数"),
        min_value=1,
        max_value=LONGEST_DAYS,
        required=False,
        help_text=gettext_lazy("留空：一直有效，直到撤销。"),
    )

    class Meta:
        """What is asked."""

        model = ApiToken
        fields = ("name", "scope")
        help_texts = {"name": gettext_lazy("用在哪里，例如“家里的镜像脚本”。")}

    def clean_name(self) -> str:
        """Refuse a name that no token can have, or that one in force has already."""
        try:
            name = checked_name(self.cleaned_data["name"])
        except UnusableName as error:
            raise forms.ValidationError(_("请换一个名称：不能像令牌的开头，也不能有看不见的字符。")) from error
        if ApiToken.objects.filter(name=name, revoked_at__isnull=True).exists():
            raise forms.ValidationError(_("已有同名的令牌：请先撤销它，或换一个名称。"))
        return name


@admin.register(ApiToken)
class ApiTokenAdmin(ReadOnlyAdmin):
    """Every token there was, the newest first; revoked ones stay, so that what they did can be told."""

    form = NewTokenForm
    list_display = ("name", "prefix", "scope", "state", "created_by", "created_at", "ends_at", "last_used_at")
    list_filter = ("scope",)
    ordering = ("-id",)
    search_fields = ("name__startswith", "prefix__startswith")
    search_help_text = gettext_lazy("名称或令牌的开头")
    actions = ("revoke",)

    @admin.display(description=gettext_lazy("状态"))
    def state(self, token: ApiToken) -> str:
        """Return whether a token counts."""
        if token.revoked_at is not None:
            return _("已撤销")
        return _("已到期") if why_not_in_force(token) else _("有效")

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Show all but the hash; of a new one ask what is to be chosen."""
        return ("name", "scope", "days") if obj is None else (*self.list_display, "revoked_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Superusers alone: a token may reach what the one who makes it could not."""
        return bool(request.user.is_active and request.user.is_superuser)

    def has_revoke_permission(self, request: HttpRequest) -> bool:
        """Superusers alone."""
        return self.has_add_permission(request)

    def save_form(self, request: HttpRequest, form: Any, change: bool) -> ApiToken:
        """Make the token, and keep its secret with the row for the answer alone."""
        chosen, by = form.cleaned_data, request.user.get_username()
        try:
            token, text = create_token(chosen["name"], TokenScope(chosen["scope"]), days=chosen["days"], by=by)
        except NameTaken as error:  # since the form was checked
            raise BadRequest(str(error)) from error
        form.instance = token
        request.new_token = text  # type: ignore[attr-defined]
        return token

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        """Store nothing more: `save_form` made the row."""

    def save_related(self, request: HttpRequest, form: Any, formsets: Any, change: bool) -> None:
        """Store nothing: no other row belongs to a token."""

    def response_add(self, request: HttpRequest, obj: Any, post_url_continue: str | None = None) -> HttpResponse:
        """Show the secret in the answer itself: a redirect would have to keep it somewhere meanwhile."""
        context = {
            **self.admin_site.each_context(request),
            "title": _("新的 API 令牌"),
            "opts": self.opts,
            "token": obj,
            "text": request.new_token,  # type: ignore[attr-defined]
        }
        return TemplateResponse(request, "admin/console/new_api_token.html", context)

    @admin.action(description=gettext_lazy("撤销"), permissions=["revoke"])
    def revoke(self, request: HttpRequest, queryset: QuerySet[ApiToken]) -> None:
        """End the chosen tokens at once."""
        chosen = list(queryset.filter(revoked_at__isnull=True))
        record_on(request, chosen, _("撤销令牌"))
        count = revoke_all([token.pk for token in chosen])
        text = ngettext("已撤销 %(count)d 个令牌。", "已撤销 %(count)d 个令牌。", count)
        messages.success(request, text % {"count": count})
