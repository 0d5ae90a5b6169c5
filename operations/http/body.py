"""Reading the body of an answer, never more of it than asked for."""

import zlib
from pathlib import Path

import httpx

from operations.http.errors import CutShort, TooLarge, UnexpectedAnswer

_CHUNK = 65_536
_PACKED = frozenset({"gzip", "x-gzip", "deflate"})
# zlib finds gzip and zlib headers itself with this window.
_ANY_HEADER = 32 + zlib.MAX_WBITS


def refuse_announced_size(response: httpx.Response, limit_bytes: int) -> None:
    """Raise TooLarge where the headers already say that the body is over the limit."""
    announced = response.headers.get("content-length", "")
    if announced.isascii() and announced.isdigit() and len(announced) < 20 and int(announced) > limit_bytes:
        raise TooLarge(f"the answer has {announced} bytes, more than the limit of {limit_bytes}")


def read_into_memory(response: httpx.Response, limit_bytes: int) -> bytes:
    """Return the decoded body; the limit holds for the bytes sent and for what they unpack to.

    Raises:
        TooLarge: there is more.
        SourceUnavailable: the compressed body ends too early.
        UnexpectedAnswer: the body is packed in a way not asked for, or not at all as it says.
    """
    encoding = response.headers.get("content-encoding", "").strip().lower()
    if encoding in ("", "identity"):
        return _read_plain(response, limit_bytes)
    if encoding in _PACKED:
        return _read_packed(response, limit_bytes)
    raise UnexpectedAnswer(f"the answer is packed as {encoding[:40]!r}")


def read_into_file(response: httpx.Response, path: Path, limit_bytes: int) -> int:
    """Write the body as it was sent, over whatever `path` holds, and return its size.

    Raises:
        TooLarge: there is more than `limit_bytes`; the file holds a part of it.
    """
    size = 0
    with path.open("wb") as file:
        for chunk in response.iter_raw(_CHUNK):
            size += len(chunk)
            _refuse_over(size, limit_bytes)
            file.write(chunk)
    return size


def _read_plain(response: httpx.Response, limit_bytes: int) -> bytes:
    body = bytearray()
    for chunk in response.iter_raw(_CHUNK):
        body += chunk
        _refuse_over(len(body), limit_bytes)
    return bytes(body)


def _read_packed(response: httpx.Response, limit_bytes: int) -> bytes:
    body, sent, unpacker = bytearray(), 0, zlib.decompressobj(_ANY_HEADER)
    for chunk in response.iter_raw(_CHUNK):
        sent += len(chunk)
        _refuse_over(sent, limit_bytes)
        try:
            # One byte beyond the limit is enough to know, and a bomb is never unpacked further.
            body += unpacker.decompress(chunk, limit_bytes + 1 - len(body))
        except zlib.error as error:
            raise UnexpectedAnswer(f"the answer cannot be unpacked: {error}", is_temporary=True) from error
        _refuse_over(len(body), limit_bytes)
    if sent and not unpacker.eof:
        raise CutShort("the answer ends too early", is_temporary=True)
    return bytes(body)


def _refuse_over(size: int, limit_bytes: int) -> None:
    if size > limit_bytes:
        raise TooLarge(f"the answer is larger than the limit of {limit_bytes} bytes")


def read_beginning(response: httpx.Response, most_bytes: int) -> bytes:
    """Return the first bytes of a body that is only wanted for what it says of a failure."""
    beginning = b""
    try:
        for chunk in response.iter_raw(_CHUNK):
            beginning += chunk
            if len(beginning) >= most_bytes:
                break
    except httpx.TransportError:
        pass  # the status has said what matters
    if response.headers.get("content-encoding", "").strip().lower() in _PACKED:
        beginning = _unpacked_beginning(beginning, most_bytes)
    return beginning[:most_bytes]


def _unpacked_beginning(beginning: bytes, most_bytes: int) -> bytes:
    try:
        return zlib.decompressobj(_ANY_HEADER).decompress(beginning, most_bytes)
    except zlib.error:
        return b""
