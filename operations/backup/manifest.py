"""What an archive says of itself in its first entry: enough to refuse it, or make room for it, before reading on."""

import datetime as dt
from enum import StrEnum

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, ValidationError

from operations.backup.errors import ArchiveRefused

# Raised when an older Papersite could no longer read what a newer one writes.
FORMAT = 1
# Room for the manifest at the head of an archive; less than 4,000 bytes of it are used now.
MANIFEST_BYTES = 16 * 1024


class Origin(StrEnum):
    """Who asked for a backup. Only those that the site keeps by itself are ever removed by it."""

    COMMAND = "command"
    CONSOLE = "console"
    SCHEDULE = "schedule"


class _Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True)


class DatabaseFacts(_Strict):
    """The database of an archive."""

    size: int = Field(gt=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")


class FileFacts(_Strict):
    """The papers' files of an archive: `sha256` is over all their names and contents, in order."""

    count: int = Field(ge=0)
    size: int = Field(ge=0)
    sha256: str = Field(pattern=r"^[0-9a-f]{64}$")
    # Files that were changed after the snapshot of the database, and so are not part of it.
    left_out: int = Field(ge=0)


class Manifest(_Strict):
    """The first entry of an archive."""

    format: int
    version: str = Field(max_length=100)
    origin: Origin = Field(strict=False)
    made_at: AwareDatetime = Field(strict=False)
    migrations: list[str]
    rows: dict[str, int]
    database: DatabaseFacts
    files: FileFacts

    def to_bytes(self) -> bytes:
        """Return the entry's content, blank to its full length.

        Raises:
            ValueError: it does not fit.
        """
        text = self.model_dump_json(indent=1).encode()
        if len(text) > MANIFEST_BYTES:
            raise ValueError("the manifest of the backup is too long")
        return text.ljust(MANIFEST_BYTES, b"\n")

    @property
    def papers(self) -> int:
        """How many papers the archive holds."""
        return self.rows.get("papers", 0)

    @property
    def made_on(self) -> str:
        """When it was made, in UTC, for people."""
        return f"{self.made_at.astimezone(dt.UTC):%Y-%m-%d %H:%M} UTC"


def read_manifest(content: bytes) -> Manifest:
    """Return the manifest an entry holds.

    Raises:
        ArchiveRefused: it holds none, or that of a newer format.
    """
    try:
        _refuse_newer_format(content)
        return Manifest.model_validate_json(content)
    except ValidationError as error:
        where = ".".join(str(part) for part in error.errors()[0]["loc"]) or "all of it"
        raise ArchiveRefused(
            f"its manifest cannot be read ({where}); the backup was not finished, or damaged"
        ) from None


class _Format(BaseModel):
    format: int = Field(strict=True)


def _refuse_newer_format(content: bytes) -> None:
    """Look at the number alone: the rest of a newer manifest may be unlike ours."""
    found = _Format.model_validate_json(content).format
    if found != FORMAT:
        raise ArchiveRefused(f"it has format {found}, and this Papersite reads {FORMAT}; update Papersite first")
