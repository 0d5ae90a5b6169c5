"""Days in words short enough for a strip or a calendar."""

import datetime as dt

from django import template
from django.utils.translation import gettext_lazy as _

register = template.Library()

_WEEKDAYS = (_("周一"), _("周二"), _("周三"), _("周四"), _("周五"), _("周六"), _("周日"))


@register.filter
def weekday(day: dt.date) -> str:
    """Return the day of the week in two characters or three letters."""
    return str(_WEEKDAYS[day.weekday()])


@register.simple_tag
def weekdays() -> list[str]:
    """Return the days of a week from Monday on."""
    return [str(name) for name in _WEEKDAYS]
