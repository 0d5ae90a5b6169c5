"""The papers app."""

from django.apps import AppConfig
from django.utils.translation import gettext_lazy as _


class PapersConfig(AppConfig):
    """See docs/architecture.md for what belongs here."""

    name = "papers"
    verbose_name = _("论文")
