"""The operations app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class OperationsConfig(AppConfig):
    """See docs/architecture.md for what belongs here."""

    name = "operations"
    verbose_name = _("运行")
