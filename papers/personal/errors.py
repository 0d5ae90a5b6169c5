"""Why something of the owner's was not stored."""


class UnknownPaper(LookupError):
    """There is no such paper, or no longer."""


class UnknownReadingStatus(ValueError):
    """A text that is none of the four reading statuses."""


class TooLong(ValueError):
    """A text of more characters than are kept."""

    def __init__(self, length: int, longest: int) -> None:
        """Keep both, in characters."""
        super().__init__(f"{length} characters, at most {longest} are kept")
        self.length = length
        self.longest = longest


class NoteTooLong(TooLong):
    """A note that is too long."""


class BookmarkNoteTooLong(TooLong):
    """A bookmark's own note that is too long."""


class NoteConflict(Exception):
    """The note was changed since the text was read that the new one is based on. Nothing was written."""

    def __init__(self, stored: str, version: str) -> None:
        """Keep the text that is stored and its version; an empty text: the note was removed."""
        super().__init__("the note was changed elsewhere")
        self.stored = stored
        self.version = version
