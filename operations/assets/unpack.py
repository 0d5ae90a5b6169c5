"""Unpacking a source that nobody vouches for: only what text needs, and nothing outside its folder.

Members that could do harm (links, devices, pipes, absolute or upward paths, odd names) are left out and named in the
result; an archive that breaks a limit is refused as a whole.
"""

import os
import re
import shutil
import tarfile
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from tarfile import EOFHeaderError, TarFile  # type: ignore[attr-defined]
from typing import IO, Self

from operations.assets.errors import NoText
from operations.assets.kinds import Kind, content_of, kind_of_bytes
from operations.assets.streams import SourceStream, StreamTooLarge, copy_stream

_MIB = 1024 * 1024
# arXiv accepts sources of 50 MB and, on request, a few times that; figures are streamed past, not stored.
MAX_STREAM_BYTES = 1024 * _MIB
MAX_MEMBERS = 20_000
# Of what is kept. A book in TeX has 5 MB; larger are tables and plots.
MAX_FILE_BYTES = 8 * _MIB
MAX_KEPT_BYTES = 64 * _MIB
MAX_PATH_LENGTH = 400
MAX_PATH_DEPTH = 16
_MAX_NAME_BYTES = 200
_SINGLE_FILE = "paper.tex"
_HEAD_BYTES = 4096

_TEXT_SUFFIXES = frozenset({".tex", ".ltx", ".latex", ".bbl", ".txt", ".sty"})
_OTHER_SUFFIXES = re.compile(
    r"\.(?:pdf|png|jpe?g|gif|e?ps|svg|bmp|tiff?|bib|bst|cls|clo|csv|dat|json|zip|gz|tar|mp4|avi|py|ipynb|fig|ai|html?"
    r"|xml|md|log|aux|out|toc|tikz|pgf|pdf_tex|[ot]tf|pfb)",
    re.IGNORECASE,
)


@dataclass
class Unpacked:
    """What came out of a source: names of kept files, what was left out and why, and whether its end is missing."""

    files: list[str] = field(default_factory=list)
    left_out: list[tuple[str, str]] = field(default_factory=list)
    truncated: bool = False


class _Member(tarfile.TarInfo):
    """A member that tells its archive when the mark of the archive's end was read; tarfile keeps that to itself."""

    @classmethod
    def fromtarfile(cls, tarfile: TarFile) -> Self:
        """Read the next header."""
        try:
            return super().fromtarfile(tarfile)
        except EOFHeaderError:
            if isinstance(tarfile, _Archive):
                tarfile.is_whole = True
            raise


class _Archive(TarFile):
    """An archive that knows whether it was read to its end."""

    is_whole = False
    tarinfo = _Member


class _LeftOut(Exception):
    """A member that is not stored, and why."""


def unpack_source(path: Path, folder: Path) -> Unpacked:
    """Unpack the tar or the single TeX file `path`, gzipped or not, into a fresh `folder`.

    Raises:
        NoText: the archive breaks a limit, or is neither.
    """
    clear_folder(folder)
    kind = content_of(path).kind
    try:
        with SourceStream(path, MAX_STREAM_BYTES) as stream:
            if kind is Kind.TAR:
                return _unpack_tar(stream, folder)
        if kind is Kind.TEX:
            return _unpack_single(path, folder)
    except StreamTooLarge as error:
        raise NoText(f"the source is refused: {error}") from error
    raise NoText(f"the source is {kind}")


def clear_folder(folder: Path) -> None:
    """Make `folder` anew and empty, whatever lay there (a link is removed, not followed)."""
    if folder.is_symlink() or folder.is_file():
        folder.unlink()
    elif folder.exists():
        shutil.rmtree(folder)
    folder.mkdir(parents=True)


def _unpack_single(path: Path, folder: Path) -> Unpacked:
    with SourceStream(path, MAX_FILE_BYTES) as stream:
        copy_stream(stream, folder / _SINGLE_FILE)
        return Unpacked([_SINGLE_FILE], truncated=stream.damaged)


def _unpack_tar(stream: SourceStream, folder: Path) -> Unpacked:
    result = Unpacked()
    try:
        with _Archive.open(fileobj=stream, mode="r|", errorlevel=1) as archive:
            _store_members(archive, folder, result)
            # Without the mark it was cut short, or its middle is damaged. Old tars hold rubbish after the mark.
            result.truncated = not archive.is_whole
    except (tarfile.TarError, EOFError, OSError, ValueError, OverflowError) as error:
        result.truncated = True
        result.left_out.append(("", f"the archive is damaged: {error}"))
    return result


def _store_members(archive: TarFile, folder: Path, result: Unpacked) -> None:
    kept_bytes = 0
    for count, member in enumerate(archive, 1):
        if count > MAX_MEMBERS:
            raise StreamTooLarge(f"more than {MAX_MEMBERS:,} members")
        if member.isdir():
            continue
        try:
            name = _store(archive, member, folder)
        except _LeftOut as reason:
            result.left_out.append((printable(member.name), str(reason)))
            continue
        kept_bytes += member.size
        if kept_bytes > MAX_KEPT_BYTES:
            raise StreamTooLarge(f"more than {MAX_KEPT_BYTES:,} bytes of text")
        if name not in result.files:
            result.files.append(name)


def _store(archive: TarFile, member: tarfile.TarInfo, folder: Path) -> str:
    """Write one member, or raise _LeftOut; a file cut short in the archive is removed again."""
    name = safe_name(member.name)
    if not member.isreg():
        raise _LeftOut("no plain file")
    _ask_tarfile(member, folder)
    if member.size > MAX_FILE_BYTES:
        raise _LeftOut("too large")
    if not _may_be_text(name):
        raise _LeftOut("not text")
    data = archive.extractfile(member)
    if data is None:
        raise _LeftOut("no plain file")
    with data:
        head = data.read(_HEAD_BYTES)
        if not _is_wanted(name, head):
            raise _LeftOut("not text")
        _write(folder / name, head, data)
    return str(name)


def safe_name(name: str) -> PurePosixPath:
    """Return the member's path without `.` parts.

    Raises:
        _LeftOut: it could lead outside, or is too long, too deep, or holds characters that no file of text needs.
    """
    path = PurePosixPath(name)
    parts = path.parts
    if path.is_absolute() or ".." in parts or not parts:
        raise _LeftOut("leads outside its folder")
    if len(name) > MAX_PATH_LENGTH or len(parts) > MAX_PATH_DEPTH:
        raise _LeftOut("path too long")
    if not name.isprintable() or "\\" in name or ":" in name:
        raise _LeftOut("odd name")
    if any(len(part.encode()) > _MAX_NAME_BYTES for part in parts):
        raise _LeftOut("name too long")
    return path


def printable(name: str) -> str:
    """Return a member's name as it may stand in a log."""
    return name[:MAX_PATH_LENGTH].encode("unicode_escape", "backslashreplace").decode("ascii")


def _ask_tarfile(member: tarfile.TarInfo, folder: Path) -> None:
    """Have the standard library's own filter judge as well (Python 3.11.4 and newer have it)."""
    data_filter = getattr(tarfile, "data_filter", None)
    if data_filter is None:
        return
    try:
        data_filter(member, str(folder))
    except tarfile.FilterError as error:
        raise _LeftOut(f"refused by tarfile: {type(error).__name__}") from error


def _may_be_text(name: PurePosixPath) -> bool:
    return name.name.upper().startswith("00README") or not _OTHER_SUFFIXES.fullmatch(name.suffix)


def _is_wanted(name: PurePosixPath, head: bytes) -> bool:
    kind = kind_of_bytes(head)
    if name.name.upper().startswith("00README"):
        return kind not in (Kind.PDF, Kind.TAR)
    if name.suffix.lower() in _TEXT_SUFFIXES:
        return kind not in (Kind.PDF, Kind.TAR, Kind.POSTSCRIPT, Kind.HTML)
    return kind in (Kind.TEX, Kind.WITHDRAWN)


def _write(target: Path, head: bytes, rest: IO[bytes]) -> None:
    """Write a new file; of two members with one name the later counts, as for tar."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        target.unlink(missing_ok=True)
        descriptor = os.open(target, flags, 0o600)
    except OSError as error:
        raise _LeftOut(f"cannot be stored: {error.strerror}") from error
    try:
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(head)
            shutil.copyfileobj(rest, file)
    except BaseException:
        target.unlink(missing_ok=True)
        raise
