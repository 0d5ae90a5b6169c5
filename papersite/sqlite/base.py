"""Django's SQLite backend, with cascades written into the tables themselves."""

from django.db.backends.sqlite3 import base

from papersite.sqlite.schema import DatabaseSchemaEditor


class DatabaseWrapper(base.DatabaseWrapper):
    """SQLite whose schema editor adds ON DELETE CASCADE."""

    SchemaEditorClass = DatabaseSchemaEditor
