"""Makes Papersite's own admin site the default one."""

from django.contrib.admin.apps import AdminConfig


class PapersiteAdminConfig(AdminConfig):
    """Django's admin with our site."""

    default_site = "papersite.admin_site.PapersiteAdminSite"
