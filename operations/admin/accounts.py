"""Accounts and groups: superusers alone change them, so that nobody can raise himself."""

from typing import Any

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.models import Group, Permission, User
from django.db.models import ManyToManyField, QuerySet
from django.forms import CheckboxSelectMultiple, ModelMultipleChoiceField
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from operations.admin.account_forms import AccountForm, NewAccountForm
from operations.roles import ROLE_WORDS, role_in_words
from operations.wording import listed

admin.site.unregister(User)
admin.site.unregister(Group)


class _Groups(ModelMultipleChoiceField):
    """Groups, each with what it is for."""

    def label_from_instance(self, group: Any) -> str:
        """Return name and meaning."""
        return role_in_words(group.name)


class _ChangedBySuperusers(admin.ModelAdmin):
    """Whatever permissions someone was given: without being a superuser he changes nothing here."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Superusers alone."""
        return bool(request.user.is_active and request.user.is_superuser)

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        """Superusers alone."""
        return self.has_add_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Superusers alone."""
        return self.has_add_permission(request)

    def has_view_permission(self, request: HttpRequest, obj=None) -> bool:
        """Those who may see accounts, auditors above all; the right to change them is not taken for it."""
        return request.user.has_perm(f"auth.view_{self.opts.model_name}")


@admin.register(User)
class AccountAdmin(_ChangedBySuperusers, UserAdmin):
    """Accounts. They are closed, not deleted: the record of what they did would go with them."""

    form = AccountForm
    add_form = NewAccountForm
    add_form_template = None
    list_display = ("username", "roles", "is_active", "is_staff", "is_superuser", "last_login")
    list_filter = ("is_active", "is_superuser", "groups")
    readonly_fields = ("last_login", "date_joined")
    filter_horizontal = ("user_permissions",)
    fieldsets = (
        (None, {"fields": ("username", "password")}),
        (_("角色"), {"fields": ("is_active", "is_staff", "groups", "is_superuser")}),
        (_("个人信息"), {"fields": ("first_name", "last_name", "email", "last_login", "date_joined")}),
        (_("单独的权限"), {"fields": ("user_permissions",), "classes": ("collapse",)}),
    )
    add_fieldsets = ((None, {"fields": ("username", "password1", "password2", "role")}),)

    @admin.display(description=_("角色"))
    def roles(self, user: User) -> str:
        """Return the names of the account's groups."""
        return listed(group.name for group in user.groups.all()) or "–"

    def get_queryset(self, request: HttpRequest) -> QuerySet[User]:
        """Fetch the groups of all accounts of a list at once."""
        return super().get_queryset(request).prefetch_related("groups")

    def get_fieldsets(self, request: HttpRequest, obj: Any = None) -> Any:
        """Leave out what is said of the password where it cannot be changed."""
        if obj is None or self.has_change_permission(request, obj):
            return super().get_fieldsets(request, obj)
        return ((None, {"fields": ("username",)}), *self.fieldsets[1:])

    def get_form(self, request: HttpRequest, obj: Any = None, change: bool = False, **kwargs: Any) -> Any:
        """Tell the form who fills it in."""
        form: Any = super().get_form(request, obj, change=change, **kwargs)
        form.filled_in_by = request.user
        return form

    def formfield_for_manytomany(self, db_field: ManyToManyField, request: HttpRequest, **kwargs: Any) -> Any:
        """Offer groups with what they are for, and permissions without a question for each."""
        if db_field.name == "groups":
            kwargs |= {"form_class": _Groups, "widget": CheckboxSelectMultiple}
        else:
            kwargs["queryset"] = Permission.objects.select_related("content_type")
        return super().formfield_for_manytomany(db_field, request, **kwargs)

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Nobody; `is_active` closes an account."""
        return False


@admin.register(Group)
class RoleAdmin(_ChangedBySuperusers, GroupAdmin):
    """Groups. The roles keep their names and stay."""

    list_display = ("name", "meaning")

    @admin.display(description=_("用途"))
    def meaning(self, group: Group) -> str:
        """Return what a role is for."""
        return str(ROLE_WORDS.get(group.name, "–"))

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Keep the name of a role, by which the site knows it."""
        return ("name", "meaning") if obj and obj.name in ROLE_WORDS else ()

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Let superusers delete their own groups, but no role."""
        return super().has_delete_permission(request, obj) and not (obj and obj.name in ROLE_WORDS)
