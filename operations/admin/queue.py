"""The tables of django-q2, to be read only: a schedule can name any function, so editing one is running code."""

from django.contrib import admin
from django_q.admin import FailAdmin, QueueAdmin, ScheduleAdmin, TaskAdmin
from django_q.models import Failure, OrmQ, Schedule, Success

from operations.admin.access import ReadOnlyAdmin


class _ReadOnly(ReadOnlyAdmin):
    """Ahead of django-q2's own classes, so that nothing can be written; their actions go too."""

    actions = None


def _register() -> None:
    for model, theirs in ((Success, TaskAdmin), (Failure, FailAdmin), (Schedule, ScheduleAdmin), (OrmQ, QueueAdmin)):
        admin.site.unregister(model)
        admin.site.register(model, type(f"{model.__name__}Admin", (_ReadOnly, theirs), {}))


_register()
