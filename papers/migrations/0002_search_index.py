"""The full-text index, as the seed declares it; papers.search.index keeps it."""

from django.db import migrations


class Migration(migrations.Migration):
    """Create papers_fts."""

    dependencies = [("papers", "0001_initial")]

    operations = [
        migrations.RunSQL(
            sql="""
                CREATE VIRTUAL TABLE papers_fts USING fts5(
                    title_en,
                    title_zh,
                    abstract,
                    authors,
                    tags,
                    summary_text,
                    tokenize='unicode61'
                )
            """,
            reverse_sql="DROP TABLE papers_fts",
        )
    ]
