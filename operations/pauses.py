"""Pauses of the summary queue: while arXiv, the agent or the model is out of reach, nothing is tried in vain."""

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
    """What the queue waits for."""

    ARXIV = "arxiv", _("arXiv 无法访问")
    AGENT = "agent", _("智能体不可用")
    MODEL = "model", _("模型服务不可用")
    SYSTEM = "system", _("本机故障")


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
    """Return the pauses in force, the longest first."""
    return list(QueuePause.objects.filter(until__gt=now or timezone.now()).order_by("-until"))
