"""Pauses of work: while arXiv, the agent or the model is out of reach, nothing is tried in vain.

All hold the summary queue but one, which holds the questions to arXiv's API that people ask.
"""

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import TextChoices
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from operations.logs import bounded
from operations.models import QueuePause

SHORTEST = timedelta(minutes=1)
LONGEST = timedelta(hours=1)


class Cause(TextChoices):
    """What the work waits for; `ARXIV_API` holds no summary, see `arxiv_requests`."""

    ARXIV = "arxiv", _("arXiv 无法访问")
    AGENT = "agent", _("智能体不可用")
    MODEL = "model", _("模型服务不可用")
    SYSTEM = "system", _("本机故障")
    ARXIV_API = "arxiv_api", _("arXiv 接口无法访问")


class WorkPaused(Exception):
    """Summaries cannot be made now; the paper at hand stays pending and no attempt is counted."""

    def __init__(self, cause: Cause, message: str) -> None:
        """Keep the cause beside the message."""
        super().__init__(message)
        self.cause = cause


def pause(cause: Cause, message: str) -> QueuePause:
    """Pause the queue: one minute at first, twice as long each time, an hour at most.

    Workers that meet the same trouble during a pause do not lengthen it; what is said of it is what was met last.
    """
    now = timezone.now()
    with transaction.atomic():
        row, created = QueuePause.objects.get_or_create(
            cause=cause, defaults={"message": bounded(message) or "", "since": now, "until": now + SHORTEST}
        )
        if not created:
            row.message = bounded(message) or ""
            if row.until <= now:
                row.until = now + min(SHORTEST * 2 ** min(row.times, 10), LONGEST)
                row.times += 1
            row.save()
    return row


def clear(*causes: Cause) -> None:
    """End the pauses of these causes: what they waited for works again."""
    if QueuePause.objects.filter(cause__in=causes).exists():
        QueuePause.objects.filter(cause__in=causes).delete()


def active_pauses(now: datetime | None = None) -> list[QueuePause]:
    """Return the pauses of the summary queue in force, the longest first."""
    in_force = QueuePause.objects.filter(until__gt=now or timezone.now())
    return list(in_force.exclude(cause=Cause.ARXIV_API).order_by("-until"))


def pause_of(cause: Cause) -> QueuePause | None:
    """Return the pause of this cause while it is in force."""
    return QueuePause.objects.filter(cause=cause, until__gt=timezone.now()).first()


def end_all() -> list[str]:
    """End every pause, so that what it waits for is tried again at once, and return the causes."""
    with transaction.atomic():
        causes = list(QueuePause.objects.order_by("cause").values_list("cause", flat=True))
        QueuePause.objects.filter(cause__in=causes).delete()
    return causes
