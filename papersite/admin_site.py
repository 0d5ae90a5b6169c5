"""The admin site."""

from django.contrib import admin
from django.utils.translation import gettext_lazy as _


class PapersiteAdminSite(admin.AdminSite):
    """Papersite's admin: Django's own look, with our names."""

    site_header = _("Papersite 管理后台")
    site_title = _("Papersite")
    index_title = _("管理")
