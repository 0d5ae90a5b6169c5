"""The papers app."""

from django.apps import AppConfig
from django.db.models.signals import post_migrate, pre_migrate
from django.utils.translation import gettext_lazy as _


class PapersConfig(AppConfig):
    """See docs/architecture.md for what belongs here."""

    name = "papers"
    verbose_name = _("论文")

    def ready(self) -> None:
        """Keep the database's triggers as they are written here, whatever migrations do to the tables."""
        from papers import triggers

        pre_migrate.connect(triggers.uninstall, sender=self)
        post_migrate.connect(triggers.install, sender=self)
