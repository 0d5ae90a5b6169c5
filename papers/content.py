"""How fresh what public pages show is."""

from django.db import connection


def content_version() -> int | None:
    """Return a number that is another one after every change to what public pages show.

    None where nobody counts the changes, as during a migration: nothing may then be kept. In plain SQL, since it is
    asked with every page.
    """
    with connection.cursor() as cursor:
        cursor.execute("SELECT version FROM content_version WHERE id = 1")
        row = cursor.fetchone()
    return row[0] if row else None
