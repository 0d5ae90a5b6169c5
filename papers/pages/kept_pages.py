"""Rendered public pages, kept in this process for as long as nothing they show has changed."""

import gzip
import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from threading import Lock

# Bytes of pages kept by one process, as sent and compressed together.
MOST_BYTES = 32 * 1024 * 1024
# Pages asked for once have this part of it, those asked for again the rest: who walks through all papers, or makes
# up searches, pushes nobody's first page out.
_ASKED_ONCE = 1 / 4
# No page may take more than this part of the room.
_LARGEST = 1 / 16
# As Django's GZipMiddleware: a shorter answer is not worth it.
_WORTH_COMPRESSING = 200
# A tenth larger than at the highest level, in a third of the time.
_LEVEL = 4
# Counted for a page beside its body and address: headers and the rest of the objects.
_OVERHEAD = 2048


@dataclass(frozen=True)
class KeptPage:
    """One rendered page, the version of the content that it shows, and the headers that its view gave it."""

    version: int | None
    body: bytes
    headers: tuple[tuple[str, str], ...]

    @cached_property
    def etag(self) -> str:
        """Weak, since the same page is sent compressed or not."""
        return f'W/"{hashlib.blake2b(self.body, digest_size=16).hexdigest()}"'

    @cached_property
    def compressed(self) -> bytes | None:
        """The body as gzip, made when it is first asked for; None where that is not worth it.

        Without random padding: it hides secrets from who can choose a part of the page, and here are none.
        """
        return gzip.compress(self.body, _LEVEL, mtime=0) if len(self.body) >= _WORTH_COMPRESSING else None

    @property
    def size(self) -> int:
        """Bytes to count it for: HTML shrinks to a third at least, and is taken for compressed already."""
        return len(self.body) * 4 // 3 + _OVERHEAD


class _Shelf:
    """Pages in the order in which they were asked for, and how much room they take."""

    def __init__(self) -> None:
        self.pages: OrderedDict[tuple, KeptPage] = OrderedDict()
        self.bytes = 0

    def put(self, key: tuple, page: KeptPage) -> None:
        self.take(key)
        self.pages[key] = page
        self.bytes += page.size

    def take(self, key: tuple) -> KeptPage | None:
        page = self.pages.pop(key, None)
        if page is not None:
            self.bytes -= page.size
        return page

    def oldest(self) -> tuple:
        return next(iter(self.pages))


class KeptPages:
    """Pages by what was asked for; the one not asked for the longest goes first. For many threads."""

    def __init__(self, most_bytes: int = MOST_BYTES) -> None:
        """Keep `most_bytes` at most; with 0, nothing."""
        self._most_bytes = most_bytes
        self._once, self._again = _Shelf(), _Shelf()
        self._lock = Lock()

    @property
    def bytes(self) -> int:
        """Bytes of all that is kept."""
        return self._once.bytes + self._again.bytes

    def get(self, key: tuple, version: int) -> KeptPage | None:
        """Return the page if it shows the content of `version`; it has been asked for again, and stays longer."""
        with self._lock:
            page = self._again.pages.get(key) or self._once.pages.get(key)
            if page is None or page.version != version:
                return None
            self._once.take(key)
            self._again.put(key, page)
            self._make_room()
            return page

    def keep(self, key: tuple, page: KeptPage) -> None:
        """Keep `page` in place of an older one; one too large to leave room for others is not kept."""
        if page.size > self._most_bytes * _LARGEST:
            return
        with self._lock:
            (self._again if key in self._again.pages else self._once).put(key, page)
            self._make_room()

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._once, self._again = _Shelf(), _Shelf()

    def _make_room(self) -> None:
        while self._again.bytes > self._most_bytes * (1 - _ASKED_ONCE):
            key = self._again.oldest()
            if page := self._again.take(key):
                self._once.put(key, page)
        while self._once.bytes > self._most_bytes * _ASKED_ONCE:
            self._once.take(self._once.oldest())
