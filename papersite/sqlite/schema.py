"""Writes ON DELETE CASCADE for every foreign key that cascades in Django.

Django cascades in Python alone and leaves the tables without it. Raw SQL in a migration would be lost as soon
as a later migration rebuilds the table, as SQLite's schema editor does for most changes; here every table is
written with it, rebuilt ones too.
"""

import re

from django.db import models
from django.db.backends.sqlite3 import schema


def cascades(field: models.Field) -> bool:
    """Tell whether deleting the row that `field` points to should delete this one."""
    remote = getattr(field, "remote_field", None)
    return bool(remote and getattr(field, "db_constraint", False) and remote.on_delete is models.CASCADE)


class DatabaseSchemaEditor(schema.DatabaseSchemaEditor):
    """SQLite's schema editor, with cascades in the database."""

    def table_sql(self, model):
        """Return the table's SQL with ON DELETE CASCADE on each cascading foreign key."""
        sql, params = super().table_sql(model)
        for field in model._meta.local_fields:
            if cascades(field):
                sql = self._with_cascade(sql, field)
        return sql, params

    def _with_cascade(self, sql: str, field: models.Field) -> str:
        column = re.escape(self.quote_name(str(field.column)))
        pattern = rf"({column} [^,]*? REFERENCES \S+ \([^)]*\)) (DEFERRABLE)"
        changed, count = re.subn(pattern, r"\1 ON DELETE CASCADE \2", sql, count=1)
        if count != 1:
            raise ValueError(f"no REFERENCES clause found for {field} in: {sql}")
        return changed

    def add_field(self, model, field):
        """Add a column; one that cascades by rebuilding the table, since ALTER TABLE would leave the cascade out."""
        if cascades(field):
            self._remake_table(model, create_field=field)  # type: ignore[attr-defined]  # left out of the stubs
        else:
            super().add_field(model, field)
