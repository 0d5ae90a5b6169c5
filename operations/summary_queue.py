"""The summaries still to be made, in figures."""

import datetime
from dataclasses import dataclass

from django.db.models import Count, Max, Min, Q
from django.db.models.functions import Coalesce

from papers.models import SummaryState, SummaryStatus

_OPEN = (SummaryState.PENDING, SummaryState.PROCESSING, SummaryState.FAILED, SummaryState.PERMANENT_FAILURE)


@dataclass(frozen=True)
class Queue:
    """How many summaries wait, are being made and have failed; since when the oldest is being made, and is due.

    `last_begun` is when one of these was last begun; `is_being_made` whether a worker holds one at the moment.
    """

    waiting: int
    processing: int
    failed: int
    permanent: int
    processing_since: datetime.datetime | None
    due_since: datetime.datetime | None
    last_begun: datetime.datetime | None
    is_being_made: bool


def queue_counts(now: datetime.datetime) -> Queue:
    """Count the summaries that are not done, by one query."""
    processing = Q(status=SummaryState.PROCESSING)
    due = Q(status__in=(SummaryState.PENDING, SummaryState.FAILED)) & (
        Q(next_attempt_at__isnull=True) | Q(next_attempt_at__lte=now)
    )
    # By the index on the state: the many that are done are not looked at.
    counts = SummaryStatus.objects.filter(status__in=_OPEN).aggregate(
        waiting=Count("id", filter=Q(status=SummaryState.PENDING)),
        processing=Count("id", filter=processing),
        failed=Count("id", filter=Q(status=SummaryState.FAILED)),
        permanent=Count("id", filter=Q(status=SummaryState.PERMANENT_FAILURE)),
        processing_since=Min("started_at", filter=processing),
        last_begun=Max("started_at"),
        held=Count("id", filter=processing & Q(lease_until__gt=now)),
        due_since=Min(Coalesce("next_attempt_at", "queued_at", "paper__crawled_at"), filter=due),
    )
    held = counts.pop("held")
    return Queue(**counts, is_being_made=held > 0)
