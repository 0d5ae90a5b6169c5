"""The state of the work, for templates that are not shown by a view of ours."""

from django import template

from operations.status import Status

register = template.Library()


@register.simple_tag
def work_status() -> Status:
    """Return the state of the work now; each part is asked for when it is shown."""
    return Status()
