"""Which file of a source is the paper."""

import json
import re
from dataclasses import dataclass
from pathlib import Path

from operations.assets.errors import NoText, PaperWithdrawn
from operations.assets.latex_comments import without_comments
from operations.assets.tex_files import decode_tex, find_input, ignored_files, input_commands, read_tex, tex_files
from papers.text import one_line

_START = re.compile(r"\\(?:documentclass|documentstyle|begin\s*\{document\})")
_CLASS = re.compile(r"\\document(?:class|style)\s*(?:\[[^\]]*\])?\s*\{\s*([^{}\s]+)")
_PLAIN_TEX = re.compile(r"\\(?:bye|magnification|input\s+[a-z]*mac|documentstyle|title|centerline)(?![A-Za-z])")
_NOT_A_PAPER = re.compile(
    r"supp|appendi|(?:^|[-_])(?:si|sm|esm)(?:$|[-_])|response|rebuttal|reply|cover|letter|poster|slides|talk|diff"
    r"|template|sample|instruction|readme|copyright|referee",
    re.IGNORECASE,
)
_PAPER_NAME = re.compile(r"(?:^|[-_])(?:ms|main|paper|article|root|manuscript|arxiv|camera|final)(?:$|[-_\d])", re.I)
_OTHER_CLASSES = frozenset({"standalone", "beamer", "letter", "subfiles", "tikzposter", "beamerposter", "minimal"})
_MAX_README_BYTES = 100_000


def main_file(folder: Path) -> Path:
    """Return the main file of the source unpacked in `folder`.

    What arXiv's own 00README names counts first. Else it is, among the files that begin a document and that no other
    includes, the one that looks most like a paper: by its name, its .bbl, its class, its parts and its size.

    Raises:
        PaperWithdrawn: there is nothing but a note marked `%auto-ignore`.
        NoText: no file is TeX.
    """
    candidates = _candidates(folder)
    if not candidates:
        raise _nothing(folder)
    named = _named_by_readme(folder)
    for path in named.toplevel:
        if path in candidates:
            return path
    allowed = {path: text for path, text in candidates.items() if path not in named.ignored} or candidates
    graph = {path: _inputs_of(folder, path, text) for path, text in allowed.items()}
    included = {target for path, targets in graph.items() for target in targets if target != path}
    roots = [path for path in allowed if path not in included] or list(allowed)
    return max(roots, key=lambda path: _likeness(folder, path, allowed[path], graph[path]))


def _candidates(folder: Path) -> dict[Path, str]:
    """Return the files that begin a document, or else those that look like plain TeX, without their comments."""
    texts = {path.resolve(): without_comments(read_tex(path)) for path in tex_files(folder)}
    begun = {path: text for path, text in texts.items() if _START.search(text)}
    if begun:
        return begun
    named_tex = {path: text for path, text in texts.items() if "\\" in text and path.suffix.lower() != ".txt"}
    return {path: text for path, text in named_tex.items() if _PLAIN_TEX.search(text)} or named_tex


def _nothing(folder: Path) -> NoText | PaperWithdrawn:
    ignored = ignored_files(folder)
    if ignored:
        return PaperWithdrawn(withdrawal_reason(ignored[0].read_bytes()))
    return NoText("the source holds no TeX")


def withdrawal_reason(data: bytes) -> str:
    """Return what a file marked `%auto-ignore` says, as one line of at most 500 characters."""
    lines = decode_tex(data[:20_000]).strip().splitlines()[1:]
    said = one_line(" ".join(line.lstrip("% ") for line in lines))[:500]
    return said or "the source holds nothing but the mark %auto-ignore"


def _likeness(folder: Path, path: Path, text: str, inputs: set[Path]) -> tuple[int, int, str]:
    """Order candidates: points first, then size with inputs, then the name for a stable choice."""
    class_name = _CLASS.search(text)
    name = path.relative_to(folder.resolve())
    points = (
        4 * path.with_suffix(".bbl").is_file()
        + 2 * bool(_PAPER_NAME.search(path.stem))
        + 2 * bool(re.search(r"\\begin\s*\{abstract\}|\\abstract(?![A-Za-z])", text))
        + bool(re.search(r"\\title(?![A-Za-z])", text))
        + bool(re.search(r"\\bibliography(?![A-Za-z])|thebibliography|\\printbibliography", text))
        - 6 * bool(_NOT_A_PAPER.search(path.stem))
        - 6 * (class_name is not None and class_name[1].lower() in _OTHER_CLASSES)
        - 8 * (name.parts[0].lower() in ("anc", "ancillary", "supplement"))
        - len(name.parts)
    )
    size = len(text) + sum(target.stat().st_size for target in inputs)
    return points, size, str(name)


def _inputs_of(folder: Path, path: Path, text: str) -> set[Path]:
    found = set()
    for _, extra, name in input_commands(text):
        bases = (folder / extra, path.parent / extra)
        if target := find_input(folder, bases, name):
            found.add(target)
    return found


@dataclass(frozen=True)
class _Readme:
    """Files that a 00README names as the paper, in its order, and those it excludes."""

    toplevel: tuple[Path, ...] = ()
    ignored: frozenset[Path] = frozenset()


def _named_by_readme(folder: Path) -> _Readme:
    """Read whichever 00README there is; see https://info.arxiv.org/help/00README.html for the forms."""
    for path in sorted(folder.iterdir()):
        if not path.name.upper().startswith("00README") or not path.is_file() or path.is_symlink():
            continue
        with path.open("rb") as file:
            text = decode_tex(file.read(_MAX_README_BYTES))
        readme = _readme(folder, _usages(path.suffix.lower(), text))
        if readme.toplevel or readme.ignored:
            return readme
    return _Readme()


def _readme(folder: Path, usages: list[tuple[str, str]]) -> _Readme:
    found = [(target, usage) for name, usage in usages if (target := find_input(folder, (folder,), name))]
    toplevel = tuple(target for target, usage in found if usage in ("toplevel", "toplevelfile"))
    return _Readme(toplevel, frozenset(target for target, usage in found if usage == "ignore"))


def _usages(suffix: str, text: str) -> list[tuple[str, str]]:
    if suffix == ".json":
        return _usages_of_json(text)
    if suffix in (".yaml", ".yml"):
        return _usages_of_yaml(text)
    lines = (line.split() for line in text.splitlines())
    return [(words[0], words[1].lower()) for words in lines if len(words) == 2]


def _usages_of_json(text: str) -> list[tuple[str, str]]:
    try:
        sources = json.loads(text)["sources"]
        return [(str(source["filename"]), str(source.get("usage", "")).lower()) for source in sources]
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return []


def _usages_of_yaml(text: str) -> list[tuple[str, str]]:
    """Read the list of `usage` and `filename` pairs, the only part of the form that is of use here."""
    usages: list[tuple[str, str]] = []
    current: dict[str, str] = {}
    for line in [*text.splitlines(), "-"]:
        if line.lstrip().startswith("-"):
            if "filename" in current:
                usages.append((current["filename"], current.get("usage", "").lower()))
            current = {}
        key, colon, value = line.lstrip(" -").partition(":")
        if colon:
            current[key.strip()] = value.strip().strip("'\"")
    return usages
