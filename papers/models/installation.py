"""What this installation is called where ids must never change, whatever its address."""

import uuid

from django.db import models


class Installation(models.Model):
    """One row: the number that ids of feeds and their entries are made from; a backup takes it along."""

    id = models.IntegerField(primary_key=True)
    uuid = models.UUIDField(default=uuid.uuid4)

    class Meta:
        """Table."""

        db_table = "installation"

    def __str__(self) -> str:
        """Return it for lists."""
        return str(self.uuid)
