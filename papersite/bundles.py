"""The readers' pages load one stylesheet and one script, put together from the small files that people keep.

A finder of static files puts them together whenever one of the parts has changed, so that it is the same in
development, in tests and where files are collected, and nothing has to be built. The parts are not served alone.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import NamedTemporaryFile

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder, FileSystemFinder
from django.core.files.storage import FileSystemStorage

# In this order and before the others: what comes later may rely on them and change them.
_FIRST = ("tokens.css", "base.css", "components.css")


@dataclass(frozen=True, slots=True)
class Bundle:
    """A file that is served, the folder of its parts, and how a part is written into it."""

    name: str
    folder: str
    suffix: str
    part: Callable[[str, str], str]

    def parts(self, static: Path) -> list[Path]:
        """Return the files it is made of, in their order."""
        found = (static / self.folder).glob(f"*{self.suffix}")
        return sorted(found, key=lambda path: (_place(path.name), path.name))

    def text(self, parts: Iterable[Path]) -> str:
        """Return the whole."""
        return "".join(self.part(path.name, path.read_text("utf-8")) for path in parts)


def _place(name: str) -> int:
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def style(name: str, text: str) -> str:
    """Return a stylesheet under its name."""
    return f"/* {name} */\n{text.strip()}\n"


def behaviour(name: str, text: str) -> str:
    """Return a script as a block of a module: its names are its own, and if it fails the others still run."""
    return f"// {name}\ntry {{\n{text.strip()}\n}} catch (fault) {{ reportError(fault); }}\n"


BUNDLES = (
    Bundle("site.css", "css/site", ".css", style),
    Bundle("site.js", "js/site", ".js", behaviour),
)


class PartsFinder(FileSystemFinder):
    """Finds the files of STATICFILES_DIRS, without the parts of bundles."""

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator:
        """Yield each file's name and its storage."""
        for name, storage in super().list(ignore_patterns):
            if Path(name).parent.as_posix() not in {bundle.folder for bundle in BUNDLES}:
                yield name, storage


class BundleFinder(BaseFinder):
    """Finds the bundles, which it writes to a folder of DATA_DIR."""

    def __init__(self, *_args: object, **_options: object) -> None:
        """Read from the project's folder of static files."""
        self._static = settings.BASE_DIR / "static"
        self.storage = FileSystemStorage(location=settings.STATIC_BUNDLES)
        self._made: dict[str, list[tuple[str, int, int]]] = {}

    def check(self, **_options: object) -> list:
        """Find no fault: there is nothing to set."""
        return []

    def find(self, path: str, find_all: bool = False, **_options: object):
        """Return the path of the bundle called `path`, made anew if a part has changed."""
        found = [self._current(bundle) for bundle in BUNDLES if bundle.name == path]
        return found if find_all else next(iter(found), [])

    def list(self, ignore_patterns: Iterable[str] | None) -> Iterator:
        """Yield each bundle's name and its storage."""
        for bundle in BUNDLES:
            self._current(bundle)
            yield bundle.name, self.storage

    def _current(self, bundle: Bundle) -> str:
        path = Path(self.storage.path(bundle.name))
        parts = bundle.parts(self._static)
        state = [_state(part) for part in parts]
        if self._made.get(bundle.name) != state or not path.is_file():
            _write_if_different(path, bundle.text(parts))
            self._made[bundle.name] = state
        return str(path)


def _state(path: Path) -> tuple[str, int, int]:
    found = path.stat()
    return path.name, found.st_size, found.st_mtime_ns


def _write_if_different(path: Path, text: str) -> None:
    """Write in one step, since others may be reading; leave the same text alone, so that nothing is collected again."""
    if path.is_file() and path.read_text("utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    with NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
        file.write(text)
    Path(file.name).replace(path)
