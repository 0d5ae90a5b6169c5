"""The admin console, of papers too: thin doors to the functions that do the work."""

from operations.admin import papers, personal, queue, work

__all__ = ["papers", "personal", "queue", "work"]
