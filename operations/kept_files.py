"""What is kept of an attempt, for people to look at: the request, the answer, and how they are read safely.

The files hold what a paper or a model wrote, and lie where other programs can reach: nothing is followed out of the
folder, nothing waits on a pipe, and no text is too long, no text or character is hidden.
"""

import datetime as dt
import os
import re
import stat
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from django.conf import settings

from operations.files import FAILED_PROMPT_NAME, FAILED_RAW_NAME, PROMPT_NAME, RAW_NAME, paper_folder

LONGEST_SHOWN = 200_000  # characters
# Bytes. The output of an agent is bounded to less; what is longer was not written by us.
_LONGEST_READ = 8 * 1024 * 1024
# Controls but for tab and line feed, marks that turn or hide text (bidirectional, of no width), lone surrogates.
_UNSEEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb"
    "\ud800-\udfff\U000e0000-\U000e007f]"
)


class Reading(Enum):
    """How the reading of a file went."""

    READ = "read"
    MISSING = "missing"
    REFUSED = "refused"
    """It is a link, no plain file, or lies outside the data folder; or the system forbids it."""


@dataclass(frozen=True)
class ShownText:
    """A text fit to be shown: its beginning, with what cannot be seen made visible."""

    text: str
    left_out: int = 0


@dataclass(frozen=True)
class KeptFile:
    """A file as it was found; `shown` and `written_at` where it could be read."""

    name: str
    reading: Reading
    shown: ShownText = ShownText("")
    written_at: dt.datetime | None = None


@dataclass(frozen=True)
class KeptAttempt:
    """The request and the answer of one attempt."""

    prompt: KeptFile
    output: KeptFile

    @property
    def is_there(self) -> bool:
        """Whether anything of it is."""
        return any(file.reading != Reading.MISSING for file in (self.prompt, self.output))


def last_attempt(arxiv_id: str) -> KeptAttempt:
    """Return what is kept of the attempt that made the stored summary, or, without one, of the last."""
    return KeptAttempt(kept_file(arxiv_id, PROMPT_NAME), kept_file(arxiv_id, RAW_NAME))


def failed_attempt(arxiv_id: str) -> KeptAttempt:
    """Return what is kept of a failed attempt to make a good summary anew."""
    return KeptAttempt(kept_file(arxiv_id, FAILED_PROMPT_NAME), kept_file(arxiv_id, FAILED_RAW_NAME))


def kept_file(arxiv_id: str, name: str) -> KeptFile:
    """Return a file of a paper's folder."""
    path = paper_folder(arxiv_id) / name
    try:
        content, written = _read(path)
    except FileNotFoundError:
        return KeptFile(name, Reading.MISSING)
    except OSError:
        return KeptFile(name, Reading.REFUSED)
    return KeptFile(name, Reading.READ, shown(content.decode("utf-8", "replace")), written)


def _read(path: Path) -> tuple[bytes, dt.datetime]:
    """Return the beginning of a plain file and when it was written.

    Raises:
        OSError: it is missing, or no plain file within the data folder.
    """
    folder = path.parent.resolve(strict=True)
    if path.parent.is_symlink() or not folder.is_relative_to(settings.PAPERSITE.data_dir.resolve()):
        raise PermissionError(f"{path.parent} lies elsewhere")
    handle = os.open(folder / path.name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise PermissionError(f"{path} is no plain file")
        return file.read(_LONGEST_READ), dt.datetime.fromtimestamp(state.st_mtime, dt.UTC)


def shown(text: str) -> ShownText:
    """Return the first `LONGEST_SHOWN` characters of a text, with what cannot be seen made visible."""
    plain = text.replace("\r\n", "\n")
    return ShownText(_visible(plain[:LONGEST_SHOWN]), max(0, len(plain) - LONGEST_SHOWN))


def _visible(text: str) -> str:
    return _UNSEEN.sub(lambda found: _name_of(ord(found[0])), text)


def _name_of(code: int) -> str:
    if code < 0x20:
        return chr(0x2400 + code)  # the picture of the control
    return "␡" if code == 0x7F else f"⟦U+{code:04X}⟧"
