"""Tables that triggers of the database keep in step with the others; see papers.triggers.

Nothing else writes them, and all of them can be made again from the papers.
"""

from django.db import models


class ContentVersion(models.Model):
    """One row: a number that is another one after every change to what public pages show."""

    id = models.IntegerField(primary_key=True)
    version = models.IntegerField(default=0, db_default=0)

    class Meta:
        """Table."""

        db_table = "content_version"

    def __str__(self) -> str:
        """Return it for lists."""
        return str(self.version)


class TagCount(models.Model):
    """How many papers have a tag, whoever gave it; `tag` is the spelling that came first."""

    folded = models.TextField(primary_key=True)
    tag = models.TextField()
    papers = models.IntegerField()

    class Meta:
        """Table and order of the list."""

        db_table = "tag_counts"
        indexes = [models.Index(fields=["-papers", "folded"], name="ix_tag_counts_papers")]

    def __str__(self) -> str:
        """Return it for lists."""
        return self.tag


class TagMonth(models.Model):
    """How many papers of a month (its first day) have a tag."""

    id = models.AutoField(primary_key=True)
    folded = models.TextField()
    month = models.DateField()
    papers = models.IntegerField()

    class Meta:
        """Table and constraints."""

        db_table = "tag_months"
        constraints = [models.UniqueConstraint(fields=["folded", "month"], name="uq_tag_months")]

    def __str__(self) -> str:
        """Return it for lists."""
        return f"{self.folded} {self.month:%Y-%m}"


class AuthorCount(models.Model):
    """How many papers name an author so."""

    name = models.TextField(primary_key=True)
    papers = models.IntegerField()

    class Meta:
        """Table and order of the list."""

        db_table = "author_counts"
        indexes = [models.Index(fields=["-papers", "name"], name="ix_author_counts_papers")]

    def __str__(self) -> str:
        """Return it for lists."""
        return self.name


class AuthorMonth(models.Model):
    """How many papers of a month (its first day) name an author so."""

    id = models.AutoField(primary_key=True)
    name = models.TextField()
    month = models.DateField()
    papers = models.IntegerField()

    class Meta:
        """Table and constraints."""

        db_table = "author_months"
        constraints = [models.UniqueConstraint(fields=["name", "month"], name="uq_author_months")]

    def __str__(self) -> str:
        """Return it for lists."""
        return f"{self.name} {self.month:%Y-%m}"
