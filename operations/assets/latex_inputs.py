r"""One text out of a main file and all that it includes, with marks that say which file each part came from."""

import re
from dataclasses import dataclass, field
from pathlib import Path

from operations.assets.errors import NoText
from operations.assets.latex_comments import without_comments
from operations.assets.tex_files import find_input, input_commands, read_tex
from operations.assets.unpack import MAX_FILE_BYTES

MAX_DEPTH = 12
MAX_INPUTS = 1000
# Characters of all files together; the same file may be included several times.
MAX_CHARACTERS = MAX_FILE_BYTES
# Files that hold drawings or references; and what is read for its macros alone.
_NOT_FOLLOWED = re.compile(r"\.(?:bbl|bib|pgf|tikz|pdf_tex|pdftex_t|pstex_t|eepic|cls|clo|sty|def|cfg|fd)$", re.I)
_PACKAGES = re.compile(r"\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]{0,500}\])?\s*\{([^{}]{1,1000})\}")
_END_OF_INPUT = re.compile(r"\\endinput(?![A-Za-z@])")
_DOCUMENT = re.compile(r"\\begin\s*\{document\}(.*?)(?:\\end\s*\{document\}|\Z)", re.DOTALL)
# Control characters cannot come from the files (they are cleaned), so that a file cannot forge a mark.
_MARK = "\x01{}\x02"
MARK = re.compile("\x01(\\d+)\x02")


@dataclass
class Expanded:
    """The text of a paper's files. `files[n]` is the file that the mark with number n announces."""

    text: str = ""
    files: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    packages: str = ""


@dataclass
class _Place:
    """Where in the tree of includes we are."""

    path: Path
    base: Path
    trail: tuple[Path, ...]


class _Reader:
    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self.result = Expanded()
        self.count = 0
        self.left = MAX_CHARACTERS

    def expand(self, place: _Place) -> str:
        self.count += 1
        text = _until_endinput(without_comments(read_tex(place.path)))
        if len(place.trail) > 1 and (body := _DOCUMENT.search(text)):
            text = body[1]  # a subfile with a preamble of its own
        text = text[: max(self.left, 0)]
        self.left -= len(text)
        mark = _MARK.format(len(self.result.files))
        self.result.files.append(str(place.path.relative_to(self.root)))
        pieces, position = [mark], 0
        for match, extra, name in input_commands(text):
            pieces += text[position : match.start()], self._included(place, extra, name, mark)
            position = match.end()
        return "".join([*pieces, text[position:]])

    def _included(self, place: _Place, extra: str, name: str, mark: str) -> str:
        if _NOT_FOLLOWED.search(name):
            return ""
        bases = (place.base / extra, place.path.parent / extra, self.root / extra)
        target = find_input(self.root, bases, name)
        if target is None:
            self.result.missing.append(name)
            return ""
        if target in place.trail or self._is_full(place):
            return ""
        base = target.parent if extra else place.base
        return f"{self.expand(_Place(target, base, (*place.trail, target)))}\n{mark}"

    def _is_full(self, place: _Place) -> bool:
        return len(place.trail) > MAX_DEPTH or self.count >= MAX_INPUTS or self.left <= 0

    def read_packages(self, text: str) -> str:
        """Return the text of the packages that come with the paper, for the macros in them."""
        names = [name.strip() for found in _PACKAGES.findall(text) for name in found.split(",")]
        paths = [find_input(self.root, (self.root,), f"{name}.sty") for name in dict.fromkeys(names)]
        return "\n".join(without_comments(read_tex(path)) for path in paths[:MAX_INPUTS] if path)


def read_with_inputs(root: Path, main: Path) -> Expanded:
    """Return the text of `main` and all that it includes from inside `root`, without comments.

    Raises:
        NoText: `main` is empty.
    """
    reader = _Reader(root)
    main = main.resolve()
    reader.result.text = reader.expand(_Place(main, main.parent, (main,)))
    if not MARK.sub("", reader.result.text).strip():
        raise NoText("the main file of the source is empty")
    reader.result.packages = reader.read_packages(reader.result.text)
    return reader.result


def _until_endinput(text: str) -> str:
    end = _END_OF_INPUT.search(text)
    return text[: end.start()] if end else text
