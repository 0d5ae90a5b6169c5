"""The project's own app, for the API's tokens, and the admin with our own site as the default one."""

from django.apps import AppConfig
from django.contrib.admin.apps import AdminConfig
from django.utils.translation import gettext_lazy as _


class PapersiteAdminConfig(AdminConfig):
    """Django's admin with our site."""

    default_site = "papersite.admin_site.PapersiteAdminSite"


class PapersiteConfig(AppConfig):
    """See docs/architecture.md for what belongs here."""

    name = "papersite"
    verbose_name = _("API")
