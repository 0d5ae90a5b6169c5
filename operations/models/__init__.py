"""What was done, what is being done, and what the sources listed, in tables."""

from operations.models.control import Maintenance, Measurement, ScheduleTime
from operations.models.jobs import (
    ArxivRequest,
    CrawlJob,
    CrawlJobDay,
    DayState,
    RequestKind,
    RequestState,
    SummaryRequest,
)
from operations.models.listing import DayListing, DeletedPaper
from operations.models.sign_in import FailedSignIn, SignIn
from operations.models.work import CrawlLog, DataDeleteJob, Heartbeat, LockState, QueuePause, RunState, Task, TaskLock

__all__ = [
    "ArxivRequest",
    "CrawlJob",
    "CrawlJobDay",
    "CrawlLog",
    "DataDeleteJob",
    "DayListing",
    "DayState",
    "DeletedPaper",
    "FailedSignIn",
    "Heartbeat",
    "LockState",
    "Maintenance",
    "Measurement",
    "QueuePause",
    "RequestKind",
    "RequestState",
    "RunState",
    "ScheduleTime",
    "SignIn",
    "SummaryRequest",
    "Task",
    "TaskLock",
]
