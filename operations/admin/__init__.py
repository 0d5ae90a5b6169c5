"""The admin console, of papers too: thin doors to the functions that do the work."""

from operations.admin import (
    accounts,
    api_tokens,
    audit_log,
    jobs,
    locks,
    logs,
    papers,
    personal,
    queue,
    sign_ins,
    summaries,
    work,
)

__all__ = [
    "accounts",
    "api_tokens",
    "audit_log",
    "jobs",
    "locks",
    "logs",
    "papers",
    "personal",
    "queue",
    "sign_ins",
    "summaries",
    "work",
]
