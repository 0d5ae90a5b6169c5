"""Reading the files of an unpacked LaTeX source, and finding those that others name."""

import codecs
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from operations.assets.kinds import is_auto_ignored
from operations.assets.unpack import MAX_FILE_BYTES
from papers.text import without_controls

_NO_TEXT_OF_ITS_OWN = (".bbl", ".sty")
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_INPUT_ENCODING = re.compile(rb"\\usepackage\s*\[([a-z0-9-]{2,20})\]\s*\{inputenc\}", re.IGNORECASE)
# Names of the inputenc package (its manual, section 2) whose Python codec has another name.
_CODECS = {
    "latin1": "cp1252",  # the characters that cp1252 has beyond latin-1 are none in latin-1
    "latin2": "iso8859-2",
    "latin5": "iso8859-9",
    "latin9": "iso8859-15",
    "ansinew": "cp1252",
    "cp1250": "cp1250",
    "cp1251": "cp1251",
    "cp1252": "cp1252",
    "koi8-r": "koi8-r",
    "applemac": "mac-roman",
}
_INPUT = re.compile(
    r"\\(?P<command>input|include|subfile|subfileinclude|import|subimport|inputfrom|subinputfrom|includefrom"
    r"|subincludefrom)(?![A-Za-z@])\*?\s*(?:\{(?P<first>[^{}\n]{0,300})\}(?:\s*\{(?P<second>[^{}\n]{0,300})\})?"
    r"|(?P<bare>[^\s{}\\%$#&]{1,300}))"
)
_TWO_ARGUMENTS = frozenset({"import", "subimport", "inputfrom", "subinputfrom", "includefrom", "subincludefrom"})


def read_tex(path: Path) -> str:
    """Return the text of a TeX file: UTF-8 where it is that, else what inputenc says, else Latin-1; cleaned."""
    with path.open("rb") as file:
        return decode_tex(file.read(MAX_FILE_BYTES))


def decode_tex(data: bytes) -> str:
    """Decode the bytes of a TeX file and remove control characters; this never fails."""
    for mark, encoding in _BOMS:
        if data.startswith(mark):
            return without_controls(data[len(mark) :].decode(encoding, "replace"))
    try:
        return without_controls(data.decode("utf-8"))
    except UnicodeDecodeError:
        return without_controls(data.decode(_declared_codec(data), "replace"))


def _declared_codec(data: bytes) -> str:
    declared = _INPUT_ENCODING.search(data)
    # Latin-1 gives a meaning to every byte.
    return _CODECS.get(declared[1].decode("ascii").lower(), "latin-1") if declared else "latin-1"


def tex_files(folder: Path) -> list[Path]:
    """Return the files under `folder` that may be TeX and are not marked `%auto-ignore`, sorted by path."""
    return [path for path in _text_files(folder) if not _is_ignored(path)]


def ignored_files(folder: Path) -> list[Path]:
    """Return the files that are marked `%auto-ignore`."""
    return [path for path in _text_files(folder) if _is_ignored(path)]


def _text_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.rglob("*")):
        if path.is_symlink() or not path.is_file() or path.name.upper().startswith("00README"):
            continue
        if path.suffix.lower() not in _NO_TEXT_OF_ITS_OWN:
            yield path


def _is_ignored(path: Path) -> bool:
    with path.open("rb") as file:
        return is_auto_ignored(file.read(200))


def input_commands(text: str) -> Iterator[tuple[re.Match[str], str, str]]:
    r"""Yield every `\input`-like command of `text` with the folder it adds (for `\import`) and the name it asks for."""
    for match in _INPUT.finditer(text):
        first, second = match["first"], match["second"]
        if match["command"] in _TWO_ARGUMENTS:
            if first is not None and second is not None:
                yield match, first.strip(), second.strip()
        elif name := match["bare"] or (first or "").strip():
            yield match, "", name


def find_input(root: Path, bases: Iterable[Path], name: str) -> Path | None:
    """Return the file that TeX would read for `name` beside one of `bases`; never one outside `root`."""
    name = name.strip().strip('"')
    if not name or "\0" in name or len(name) > 300:
        return None
    for base in bases:
        for candidate in (base / f"{name}.tex", base / name):
            if _is_inside(root, candidate):
                return candidate.resolve()
    return None


def _is_inside(root: Path, candidate: Path) -> bool:
    try:
        resolved = candidate.resolve()
        return resolved.is_relative_to(root.resolve()) and resolved.is_file()
    except (OSError, ValueError, RuntimeError):
        return False
