"""The archive's form: a tar packed by gzip, which `tar -xzf` reads too, with the manifest first.

The manifest is known only at the end. So the archive's head is a gzip member of its own, stored unpacked, which is
written blank at first and then written over: an archive that was not finished has a blank manifest.

Reading is strict, since a file brought from anywhere is untrusted: plain files only, each with a name that a backup
gives, once, and not a byte more than the manifest says.
"""

import gzip
import hashlib
import io
import re
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO, Protocol

from operations.backup.errors import ArchiveRefused
from operations.backup.manifest import MANIFEST_BYTES, DatabaseFacts, FileFacts, Manifest, read_manifest
from papers.arxiv_ids import is_arxiv_id

MANIFEST_NAME = "manifest.json"
DATABASE_NAME = "papersite.sqlite3"
PAPERS_NAME = "papers"
# Level 1 makes a real library a third of its size; 6 makes it 30 % and takes more than twice as long (measured on
# 6,500 papers with summaries: 3.4 s and 9.1 s, 34.0 and 30.2 %).
LEVEL = 1
CHUNK = 1024 * 1024
_BLOCK = 512
_FILE_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]{0,59}", re.ASCII)

Step = Callable[[int], None]


def is_archived_name(name: str) -> bool:
    """Tell whether a file in a paper's folder has a name that archives take: no half-written and no odd one."""
    return bool(_FILE_NAME.fullmatch(name))


def papers_file(arxiv_id: str, name: str) -> str:
    """Return the name of a paper's file in an archive."""
    return f"{PAPERS_NAME}/{arxiv_id}/{name}"


# ---------------------------------------------------------------- writing


class ArchiveWriter:
    """Writes one archive: files, then the database, then `finish`."""

    def __init__(self, file: BinaryIO) -> None:
        """Begin with a blank manifest in `file`, which must be empty and be able to seek."""
        self._file = file
        self._head = file.write(_head(b" " * MANIFEST_BYTES))
        self._packed = gzip.GzipFile(filename="", mode="wb", compresslevel=LEVEL, fileobj=file, mtime=0)
        self._digest = FilesDigest()

    def add_file(self, name: str, content: bytes, modified: float) -> None:
        """Add a file of a paper."""
        self._digest.begin(name, len(content))
        self._digest.update(content)
        self._packed.write(_header(name, len(content), modified))
        self._packed.write(content)
        self._packed.write(_padding(len(content)))

    def add_database(self, path: Path, step: Step) -> DatabaseFacts:
        """Add the database and return its size and checksum; `step` is told the bytes of each piece."""
        size, digest = path.stat().st_size, hashlib.sha256()
        self._packed.write(_header(DATABASE_NAME, size, path.stat().st_mtime))
        with path.open("rb") as source:
            while chunk := source.read(CHUNK):
                digest.update(chunk)
                self._packed.write(chunk)
                step(len(chunk))
        self._packed.write(_padding(size))
        return DatabaseFacts(size=size, sha256=digest.hexdigest())

    def files(self, *, left_out: int) -> FileFacts:
        """Return what is known of the files added so far."""
        return self._digest.facts(left_out=left_out)

    def finish(self, manifest: Manifest) -> None:
        """Write the end, and the manifest over the blank one."""
        self._packed.write(bytes(2 * _BLOCK))
        self._packed.close()
        head = _head(manifest.to_bytes())
        if len(head) != self._head:
            raise ValueError("a manifest must fill its place")
        self._file.seek(0)
        self._file.write(head)
        self._file.seek(0, io.SEEK_END)


def _head(content: bytes) -> bytes:
    packed = io.BytesIO()
    with gzip.GzipFile(filename="", mode="wb", compresslevel=0, fileobj=packed, mtime=0) as member:
        member.write(_header(MANIFEST_NAME, len(content), 0) + content + _padding(len(content)))
    return packed.getvalue()


def _header(name: str, size: int, modified: float) -> bytes:
    entry = tarfile.TarInfo(name)
    entry.size, entry.mtime, entry.mode = size, int(modified), 0o600
    return entry.tobuf(tarfile.GNU_FORMAT)


def _padding(size: int) -> bytes:
    return bytes(-size % _BLOCK)


class FilesDigest:
    """Count, bytes and checksum of files as they pass by."""

    def __init__(self) -> None:
        """Begin with none."""
        self._digest = hashlib.sha256()
        self._count = self._size = 0

    def begin(self, name: str, size: int) -> None:
        """Take in the next file's name and length."""
        self._digest.update(f"{name}\0{size}\0".encode())
        self._count += 1
        self._size += size

    def update(self, chunk: bytes) -> None:
        """Take in a piece of its content."""
        self._digest.update(chunk)

    def facts(self, *, left_out: int) -> FileFacts:
        """Return all of it."""
        return FileFacts(count=self._count, size=self._size, sha256=self._digest.hexdigest(), left_out=left_out)


# ---------------------------------------------------------------- reading


class Readable(Protocol):
    """What an archive is read from."""

    def read(self, size: int, /) -> bytes:
        """Return at most so many bytes; none at the end."""


@dataclass
class Entry:
    """One file of an archive that is being read; its chunks must be taken before the next entry is."""

    name: str
    size: int
    modified: float
    _stream: Readable = field(repr=False)

    def chunks(self) -> Iterator[bytes]:
        """Yield the content piece by piece.

        Raises:
            ArchiveRefused: the archive ends before it.
        """
        left = self.size
        while left:
            chunk = self._stream.read(min(left, CHUNK))
            if not chunk:
                raise ArchiveRefused(f"it ends in the middle of {self.name}: it is truncated")
            left -= len(chunk)
            yield chunk


class Writable(Protocol):
    """What takes an entry's content."""

    def write(self, data: bytes, /) -> int:
        """Take a piece."""


# Returns where an entry's content goes.
Sink = Callable[[Entry], AbstractContextManager[Writable]]


class _Nowhere:
    def write(self, data: bytes, /) -> int:
        return len(data)


def discard(_entry: Entry) -> AbstractContextManager[Writable]:
    """Be the sink of a reading that only checks."""
    return nullcontext(_Nowhere())


def read_head(path: Path) -> Manifest:
    """Return the manifest, without reading on.

    Raises:
        ArchiveRefused: there is none.
        OSError: the file cannot be read.
    """
    with _readable(), gzip.open(path) as stream:
        return _manifest(_entries(stream))


def read_archive(path: Path, sink: Sink = discard, step: Step = lambda _bytes: None) -> Manifest:
    """Read an archive whole, give each entry to `sink`, and check all against the manifest.

    Raises:
        ArchiveRefused: anything is not as the manifest says.
        OSError: the file cannot be read, or the sink not be written.
    """
    with _readable(), gzip.open(path) as stream:
        entries = _entries(stream)
        tally = _Tally(_manifest(entries))
        for entry in entries:
            tally.begin(entry)
            with sink(entry) as taken:
                for chunk in entry.chunks():
                    tally.update(chunk)
                    taken.write(chunk)
                    step(len(chunk))
        tally.conclude()
        return tally.manifest


@contextmanager
def _readable() -> Iterator[None]:
    """Say in one sentence what is wrong with an archive."""
    try:
        yield
    except gzip.BadGzipFile as error:
        raise ArchiveRefused(f"it is no backup of Papersite, or damaged ({error})") from error
    except EOFError as error:
        raise ArchiveRefused("it ends before its end: it is truncated") from error
    except (zlib.error, tarfile.HeaderError, UnicodeDecodeError) as error:
        raise ArchiveRefused(f"it is damaged, or no backup of Papersite ({error})") from error


def _entries(stream: Readable) -> Iterator[Entry]:
    """Yield plain files, and refuse all else. Extended headers too: no entry of a backup needs one."""
    while (header := _exactly(stream, _BLOCK)) != bytes(_BLOCK):
        entry = tarfile.TarInfo.frombuf(header, "utf-8", "strict")
        if entry.type != tarfile.REGTYPE or entry.size < 0:
            raise ArchiveRefused(f"it holds something else than plain files: {entry.name[:100]!r}")
        yield Entry(entry.name, entry.size, float(entry.mtime), stream)
        _exactly(stream, -entry.size % _BLOCK)
    while rest := stream.read(CHUNK):
        if rest.strip(b"\0"):
            raise ArchiveRefused("something follows after its end")


def _exactly(stream: Readable, count: int) -> bytes:
    content = b""
    while len(content) < count:
        more = stream.read(count - len(content))
        if not more:
            raise ArchiveRefused("it ends before its end: it is truncated")
        content += more
    return content


def _manifest(entries: Iterator[Entry]) -> Manifest:
    entry = next(entries, None)
    if entry is None or (entry.name, entry.size) != (MANIFEST_NAME, MANIFEST_BYTES):
        raise ArchiveRefused("it is no backup of Papersite: it does not begin with a manifest")
    return read_manifest(b"".join(entry.chunks()))


class _Tally:
    """Holds what is read against what the manifest says."""

    def __init__(self, manifest: Manifest) -> None:
        self.manifest = manifest
        self._names: set[str] = set()
        self._files, self._database = FilesDigest(), hashlib.sha256()
        self._current: FilesDigest | hashlib._Hash = self._files
        self._size = 0

    def begin(self, entry: Entry) -> None:
        """Refuse an entry that should not be there, before a byte of it is taken."""
        if entry.name in self._names:
            raise ArchiveRefused(f"it holds {entry.name!r} twice")
        self._names.add(entry.name)
        if entry.name == DATABASE_NAME:
            self._current = self._database
            self._bound(entry, self.manifest.database.size)
        elif _is_papers_file(entry.name):
            self._current = self._files
            self._files.begin(entry.name, entry.size)
            self._size += entry.size
            self._bound(entry, self.manifest.files.size - self._size + entry.size)
        else:
            raise ArchiveRefused(f"it holds a file that no backup has: {entry.name[:100]!r}")

    @staticmethod
    def _bound(entry: Entry, most: int) -> None:
        if entry.size > most:
            raise ArchiveRefused(f"{entry.name} is larger than its manifest allows")

    def update(self, chunk: bytes) -> None:
        """Take in a piece of the entry begun last."""
        self._current.update(chunk)

    def conclude(self) -> None:
        """Refuse what is missing or has another checksum."""
        if DATABASE_NAME not in self._names:
            raise ArchiveRefused("there is no database in it: it is truncated")
        if self._database.hexdigest() != self.manifest.database.sha256:
            raise ArchiveRefused("the checksum of its database is wrong: it is damaged")
        if self._files.facts(left_out=self.manifest.files.left_out) != self.manifest.files:
            raise ArchiveRefused("the checksum of its files is wrong: it is damaged")


def _is_papers_file(name: str) -> bool:
    top, _, rest = name.partition("/")
    arxiv_id, _, file = rest.rpartition("/")
    return top == PAPERS_NAME and is_arxiv_id(arxiv_id) and is_archived_name(file)
