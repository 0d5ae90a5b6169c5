"""The forms of accounts: a new one is given a role, and nobody shuts himself out."""

from typing import Any, ClassVar

from django import forms
from django.contrib.auth.forms import UserChangeForm, UserCreationForm
from django.contrib.auth.models import Group, User
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from operations.roles import ROLE_WORDS, role_in_words

SUPERUSER = "superuser"


def _roles() -> list[tuple[str, Any]]:
    owner = _("superuser（站长：全部权限，管理账号，也看得到收藏、笔记和阅读状态）")
    return [*((name, role_in_words(name)) for name in ROLE_WORDS), (SUPERUSER, owner)]


class NewAccountForm(UserCreationForm):
    """An account with a password and a role, all that it needs to sign in here."""

    role = forms.ChoiceField(
        label=gettext_lazy("角色"),
        choices=_roles,
        widget=forms.RadioSelect,
        help_text=gettext_lazy("以后可以在账号页面更改：角色就是“组”，能登录后台的账号都有“工作人员状态”。"),
    )

    def save(self, commit: bool = True) -> User:
        """Let the account sign in to the admin, and into its role."""
        self.instance.is_staff = True
        self.instance.is_superuser = self.cleaned_data["role"] == SUPERUSER
        return super().save(commit)

    def _save_m2m(self) -> None:
        super()._save_m2m()  # type: ignore[misc]  # the stubs leave it out
        self.instance.groups.set(Group.objects.filter(name=self.cleaned_data["role"]))


class AccountForm(UserChangeForm):
    """An account; whoever changes his own keeps the right to do so, so that one superuser always remains."""

    # Set by the admin for each request.
    filled_in_by: ClassVar[Any] = None

    def clean(self) -> dict[str, Any]:
        """Refuse that someone takes his own rights away by a slip."""
        cleaned = super().clean() or self.cleaned_data
        kept = ("is_active", "is_staff", "is_superuser")
        if self.instance == self.filled_in_by and not all(cleaned.get(name, True) for name in kept):
            raise ValidationError(_("不能取消自己账号的管理权限；请让另一位超级用户来做。"))
        return cleaned
