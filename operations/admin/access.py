"""Who may do what in the admin, beyond Django's own permissions."""

from django.contrib import admin
from django.http import HttpRequest


class ReadOnlyAdmin(admin.ModelAdmin):
    """A record of what happened: to be read, never to be written by hand."""

    show_full_result_count = False
    list_per_page = 50

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Nobody writes history."""
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        """Nobody changes history."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Nobody removes history."""
        return False


class ReadOnlyInline(admin.TabularInline):
    """Rows that belong to another page, shown only."""

    extra = 0
    max_num = 0
    can_delete = False
    show_change_link = False

    def has_add_permission(self, request: HttpRequest, obj=None) -> bool:
        """Shown only."""
        return False

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        """Shown only."""
        return False

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Shown only."""
        return False

    def has_view_permission(self, request: HttpRequest, obj=None) -> bool:
        """Whoever may see the paper may see what belongs to it."""
        return request.user.has_perm("papers.view_paper") or request.user.has_perm("papers.change_paper")


class PersonalAdmin(admin.ModelAdmin):
    """The owner's private rows: with the permission `papers.personal` everything, without it nothing at all."""

    show_full_result_count = False

    def _is_owner(self, request: HttpRequest) -> bool:
        return request.user.has_perm("papers.personal")

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Hide the rows from the index too."""
        return self._is_owner(request)

    def has_view_permission(self, request: HttpRequest, obj=None) -> bool:
        """Only the owner."""
        return self._is_owner(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Only the owner."""
        return self._is_owner(request)

    def has_change_permission(self, request: HttpRequest, obj=None) -> bool:
        """Only the owner."""
        return self._is_owner(request)

    def has_delete_permission(self, request: HttpRequest, obj=None) -> bool:
        """Only the owner."""
        return self._is_owner(request)
