"""What pages say of backups."""

from django import template
from django.utils.translation import gettext_lazy as _

from operations.backup.manifest import Origin

register = template.Library()

_ORIGINS = {Origin.COMMAND: _("命令"), Origin.CONSOLE: _("管理后台"), Origin.SCHEDULE: _("夜间备份")}


@register.filter
def origin_in_words(origin: Origin) -> str:
    """Return who asked for a backup."""
    return str(_ORIGINS[origin])
