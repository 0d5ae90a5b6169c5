"""Who holds which lock, and a page that takes one from an owner that is gone."""

from typing import Any

from django import forms
from django.contrib import admin, messages
from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_http_methods

from operations.admin.access import OPERATE, ReadOnlyAdmin, console_page
from operations.admin.audit import record_on
from operations.admin.filters import TaskFilter
from operations.lock_release import LockGone, OwnerAlive, OwnerUnknown, ReasonMissing, release_by_hand
from operations.models import LockState, Task, TaskLock
from operations.owners import Life, life_of
from operations.templatetags.work_in_words import length_in_words, life_in_words, owner_in_words

_TASKS = dict(Task.choices)
LONGEST_REASON = 300


@admin.register(TaskLock)
class TaskLockAdmin(ReadOnlyAdmin):
    """Locks, those that are held first."""

    list_display = ("lock", "status", "holder", "life", "acquired_at", "held_for", "log_page")
    list_display_links = ("lock",)
    list_filter = ("status", TaskFilter)
    list_select_related = ("log",)
    # A lock that is held has no time of release.
    ordering = (F("released_at").desc(nulls_first=True), "-id")
    search_fields = ("lock_key__startswith",)
    search_help_text = gettext_lazy("日期或 arXiv 编号的开头")
    fields = ("lock", "status", "holder", "life", "acquired_at", "released_at", "held_for", "log_page")

    @admin.display(description=gettext_lazy("锁"))
    def lock(self, lock: TaskLock) -> str:
        """Return what is locked."""
        return f"{_TASKS.get(lock.task, lock.task)} / {lock.lock_key}"

    @admin.display(description=gettext_lazy("持有者"))
    def holder(self, lock: TaskLock) -> str:
        """Return the process that holds or held it."""
        return owner_in_words(lock.owner)

    @admin.display(description=gettext_lazy("持有者是否还在"))
    def life(self, lock: TaskLock) -> str:
        """Return whether the holder of a held lock is at work."""
        if lock.status != LockState.RUNNING:
            return "–"
        return life_in_words(life_of(lock.owner, lock.acquired_at))

    @admin.display(description=gettext_lazy("持有时间"))
    def held_for(self, lock: TaskLock) -> str:
        """Return how long it was held, or has been held so far."""
        return length_in_words((lock.released_at or timezone.now()) - lock.acquired_at)

    @admin.display(description=gettext_lazy("日志"))
    def log_page(self, lock: TaskLock) -> str:
        """Return a link to what was logged of the work under it."""
        if lock.log is None:
            return "–"
        address = reverse("admin:operations_crawllog_change", args=[lock.log.pk])
        return format_html('<a href="{}">{}</a>', address, lock.log.get_status_display())

    @admin.display(description=gettext_lazy("释放"))
    def release(self, lock: TaskLock) -> str:
        """Return a link to the page that takes the lock from its owner, unless that is at work."""
        if lock.status != LockState.RUNNING or life_of(lock.owner, lock.acquired_at) is Life.ALIVE:
            return "–"
        return format_html('<a href="{}">{}</a>', reverse("admin:release_lock", args=[lock.pk]), _("释放……"))

    def get_list_display(self, request: HttpRequest) -> tuple[str, ...]:
        """Offer the release to who may do it."""
        return (*self.list_display, *(["release"] if request.user.has_perm(OPERATE) else []))

    def get_fields(self, request: HttpRequest, obj: Any = None) -> tuple[str, ...]:
        """Offer the release to who may do it."""
        return (*self.fields, *(["release"] if request.user.has_perm(OPERATE) else []))

    def get_actions(self, request: HttpRequest) -> dict[str, Any]:
        """Offer none: a lock is released one at a time, with a reason."""
        return {}


class ReleaseForm(forms.Form):
    """Why a lock is taken from its owner."""

    reason = forms.CharField(
        label=gettext_lazy("原因"),
        max_length=LONGEST_REASON,
        help_text=gettext_lazy("会写进日志和操作记录，例如：机器断电重启。"),
        widget=forms.TextInput(attrs={"class": "vTextField"}),
    )
    sure = forms.BooleanField(label=gettext_lazy("我确定持有者已经不在了"), required=False)


@require_http_methods(["GET", "HEAD", "POST"])
@console_page(view=OPERATE)
def release_lock(request: HttpRequest, lock_id: int) -> HttpResponse:
    """Ask for a reason, and by POST take the lock from its owner."""
    lock = get_object_or_404(TaskLock, pk=lock_id)
    form = ReleaseForm(request.POST or None)
    if request.method == "POST" and form.is_valid() and _released(request, lock, form):
        return HttpResponseRedirect(reverse("admin:operations_tasklock_changelist"))
    context = {
        **admin.site.each_context(request),
        "title": _("释放锁"),
        "lock": lock,
        "name": f"{_TASKS.get(lock.task, lock.task)} / {lock.lock_key}",
        "life": life_of(lock.owner, lock.acquired_at),
        "is_held": lock.status == LockState.RUNNING,
        "form": form,
    }
    return TemplateResponse(request, "admin/console/release_lock.html", context)


def _released(request: HttpRequest, lock: TaskLock, form: ReleaseForm) -> bool:
    """Tell whether there is nothing left to do on the page: the lock was released here or otherwise."""
    reason, sure = form.cleaned_data["reason"], form.cleaned_data["sure"]
    try:
        release_by_hand(lock.pk, reason=reason, by=request.user.get_username(), sure=sure)
    except ReasonMissing:
        form.add_error("reason", _("请写明原因。"))
    except OwnerUnknown:
        form.add_error("sure", _("持有者在别的容器里，或没有记下，从这里无法判断；确定它已经不在了才能释放。"))
    except OwnerAlive:
        form.add_error(None, _("持有者还在运行，不能释放。要停下它的工作，请到那项工作的页面。"))
    except LockGone:
        messages.info(request, _("这个锁已经释放了。"))
        return True
    else:
        record_on(request, [lock], _("释放锁：%(reason)s") % {"reason": reason})
        messages.success(request, _("锁已释放，这项工作可以重新开始了。"))
        return True
    return False
