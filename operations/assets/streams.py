"""Reading compressed files without trusting them: never more than asked for, and with a limit on the whole."""

import io
import zlib
from dataclasses import dataclass
from pathlib import Path

GZIP_MAGIC = b"\x1f\x8b"
_CHUNK = 64 * 1024
# zlib's code for "a gzip header and trailer are expected".
_GZIP_WINDOW = 31
# Deflate reaches 1,032 to 1. Sources of papers stay under 50; bitmaps and generated tables come to 100.
MAX_RATIO = 200
# Below this a high ratio does no harm (a small file of blanks).
RATIO_FREE_BYTES = 32 * 1024 * 1024


class StreamTooLarge(Exception):
    """A stream that gives more bytes than allowed, or far more than its compressed size explains."""


class SourceStream(io.RawIOBase):
    """The bytes of a file, gunzipped if it is gzipped, up to a limit.

    A truncated or damaged gzip ends early, as if the file were over, and `damaged` is true from then on.
    """

    def __init__(self, path: Path, limit: int) -> None:
        """Open `path`; more than `limit` bytes raise StreamTooLarge."""
        self._file = path.open("rb")
        self._limit = limit
        self._packed = b""
        self._packed_bytes = 0
        self._inflate = zlib.decompressobj(_GZIP_WINDOW)
        self.gzipped = self._starts_as_gzip()
        self.given = 0
        self.damaged = False

    def close(self) -> None:
        """Close the file too."""
        self._file.close()
        super().close()

    def readable(self) -> bool:
        """Say yes, for io's sake."""
        return True

    def read(self, size: int = -1, /) -> bytes:
        """Return up to `size` bytes (a chunk where no size is given), nothing at the end."""
        size = _CHUNK if size is None or size < 0 else size
        data = self._inflated(size) if self.gzipped else self._file.read(size)
        self.given += len(data)
        self._check_limits()
        return data

    def _starts_as_gzip(self) -> bool:
        head = self._file.read(2)
        self._file.seek(0)
        return head == GZIP_MAGIC

    def _inflated(self, size: int) -> bytes:
        data = b""
        while not data and not self.damaged and size:
            if not self._packed and not self._refill():
                self.damaged = not self._inflate.eof
                break
            if self._inflate.eof and not self._next_member():
                break
            data = self._inflate_some(size)
        return data

    def _refill(self) -> bool:
        self._packed = self._file.read(_CHUNK)
        self._packed_bytes += len(self._packed)
        return bool(self._packed)

    def _next_member(self) -> bool:
        """Go on with a second gzip in the same file; what else may follow (padding) is not looked at."""
        if not self._packed.startswith(GZIP_MAGIC):
            return False
        self._inflate = zlib.decompressobj(_GZIP_WINDOW)
        return True

    def _inflate_some(self, size: int) -> bytes:
        try:
            data = self._inflate.decompress(self._packed, size)
        except zlib.error:
            self.damaged = True
            return b""
        self._packed = self._inflate.unused_data if self._inflate.eof else self._inflate.unconsumed_tail
        return data

    def _check_limits(self) -> None:
        if self.given > self._limit:
            raise StreamTooLarge(f"more than {self._limit:,} bytes")
        if self.gzipped and self.given > max(RATIO_FREE_BYTES, self._packed_bytes * MAX_RATIO):
            raise StreamTooLarge(f"unpacks to more than {MAX_RATIO} times its size")


@dataclass(frozen=True)
class Head:
    """The first bytes of a file."""

    data: bytes
    gzipped: bool
    damaged: bool


def head_of(path: Path, size: int) -> Head:
    """Return the first `size` bytes, gunzipped where needed."""
    with SourceStream(path, limit=size) as stream:
        data = b""
        while len(data) < size and (part := stream.read(size - len(data))):
            data += part
        return Head(data, stream.gzipped, stream.damaged)


def copy_stream(stream: io.RawIOBase, target: Path) -> None:
    """Write all of `stream` into a new file `target`.

    Raises:
        StreamTooLarge: the stream's limit is passed.
        FileExistsError: there is a `target` already.
    """
    with target.open("xb") as file:
        while data := stream.read(_CHUNK):
            file.write(data)
