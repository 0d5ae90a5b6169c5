"""Triggers of the database that keep derived tables in step with the papers, whoever writes, raw SQL too.

They are no part of a migration: a table that a later migration rebuilds would lose them, and those that name it
would keep it from being renamed. They are taken away before migrations are run and made again after them.
"""

from papers.triggers.installation import differing, install, miscounted, refill, uninstall

__all__ = ["differing", "install", "miscounted", "refill", "uninstall"]
