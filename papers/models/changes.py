"""Which papers changed and which are gone, in the order in which that happened."""

from django.db import models


class PaperChange(models.Model):
    """The last change of a paper; it outlives the paper, so that mirrors learn of deletions.

    Triggers of the database keep it, see papers.triggers.paper_changes. `id` is another, higher one after every
    change, and SQLite has one writer at a time: whoever reads in its order misses nothing.
    """

    id = models.AutoField(primary_key=True)
    arxiv_id = models.TextField(unique=True)
    changed_at = models.DateTimeField()
    is_deleted = models.BooleanField(default=False, db_default=False)

    class Meta:
        """Table and index."""

        db_table = "paper_changes"
        indexes = [models.Index(fields=["changed_at", "id"], name="ix_paper_changes_changed")]

    def __str__(self) -> str:
        """Return the paper's id for lists."""
        return self.arxiv_id
