"""What was done, what is being done, and what the sources listed, in tables."""

from operations.models.listing import DayListing, DeletedPaper
from operations.models.work import CrawlLog, DataDeleteJob, Heartbeat, LockState, QueuePause, RunState, Task, TaskLock

__all__ = [
    "CrawlLog",
    "DataDeleteJob",
    "DayListing",
    "DeletedPaper",
    "Heartbeat",
    "LockState",
    "QueuePause",
    "RunState",
    "Task",
    "TaskLock",
]
