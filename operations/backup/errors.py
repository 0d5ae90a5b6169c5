"""What can be wrong with making a backup or bringing one back. Each text is a sentence for whoever runs the command."""


class BackupError(Exception):
    """The backup was not made, or nothing was restored; what was there before is unchanged."""


class BackupFailed(BackupError):
    """The work came to a fault of the disk, the database or the archive just written."""


class TargetRefused(BackupError):
    """The file that the backup should become cannot be it."""


class NotEnoughSpace(BackupError):
    """The disk has too little room."""

    def __init__(self, where: str, needed: int, free: int) -> None:
        """Say how much is missing."""
        super().__init__(
            f"not enough room in {where}: about {megabytes(needed)} are needed, {megabytes(free)} are free"
        )


class ArchiveRefused(BackupError):
    """The file is no backup, is damaged, or was made by a newer version."""


class DataInUse(BackupError):
    """Another process works on the same data folder; wait for it, or end it."""


def megabytes(count: int) -> str:
    """Return a number of bytes as people read it: `1.2 MB`, `12 kB`."""
    if count < 1_000_000:
        return f"{count / 1_000:,.0f} kB"
    return f"{count / 1_000_000:,.1f} MB"
