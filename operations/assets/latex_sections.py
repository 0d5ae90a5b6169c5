r"""The parts of a LaTeX document: title, abstract, and the sections with their headings, still as TeX."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from operations.assets.braces import Command, commands, replace_commands
from operations.assets.latex_inputs import MARK

TITLE = "Title"
ABSTRACT = "Abstract"
_BEGIN = re.compile(r"\\begin\s*\{document\}")
_END = re.compile(r"\\end\s*\{document\}|\\bye(?![A-Za-z])")
_TITLE = re.compile(r"\\((?:icml|mlsys)?title|Title)(?![A-Za-z@])\*?")
_ABSTRACT_COMMAND = re.compile(r"\\(abstract|abst|Abstract)(?![A-Za-z@])")
_ABSTRACT = re.compile(r"\\begin\s*\{(\w*abstract\*?)\}(.*?)\\end\s*\{\1\}", re.DOTALL | re.IGNORECASE)
_HEADING = re.compile(r"\\(part|chapter|(?:sub){0,2}section)(?![A-Za-z@])\*?")
_LONGEST_HEADING = 2000
_LONGEST_ABSTRACT = 30_000
_REFERENCES = re.compile(r"\W*(?:references|bibliography|literature cited)\W*$", re.IGNORECASE)


@dataclass(frozen=True)
class TexSection:
    """A part of the document. `heading` and `tex` are TeX; `origin` is the file in which its text begins."""

    heading: str
    tex: str
    origin: str


def has_end(text: str) -> bool:
    """Tell whether the document's end was reached."""
    return bool(_END.search(text))


def split_sections(text: str, files: list[str]) -> list[TexSection]:
    """Split a document (with the marks of `latex_inputs`) into its parts, in order; lists of references are left out.

    A text without `document` environment (plain TeX) is taken whole.
    """
    preamble, body = _preamble_and_body(text)
    parts = [*_title(text, files), *_abstract_command(preamble, files)]
    if environment := _ABSTRACT.search(body):
        parts.append(TexSection(ABSTRACT, environment[2], _origin(text, environment[2], files)))
        body = body[: environment.start()] + _marks_in(environment[0]) + body[environment.end() :]
    elif command := _abstract_command(body, files):
        parts += command
        body = replace_commands(body, _abstracts(body), lambda found: _marks_in(found.arguments[0]))
    body = replace_commands(body, commands(body, _TITLE), lambda found: _marks_in(found.arguments[0]))
    return parts + [part for part in _sections(body, files) if not _REFERENCES.match(part.heading)]


def _preamble_and_body(text: str) -> tuple[str, str]:
    begin = _BEGIN.search(text)
    if not begin:
        end = _END.search(text)
        return "", text[: end.start()] if end else text
    end = _END.search(text, begin.end())
    # The marks of the preamble say in which file the body begins.
    return text[: begin.start()], _last_mark(text[: begin.start()]) + text[begin.end() : end.start() if end else None]


def _title(text: str, files: list[str]) -> list[TexSection]:
    found = [command for command in commands(text, _TITLE) if MARK.sub("", command.arguments[0]).strip()]
    return [TexSection(TITLE, command.arguments[0], _file_at(text, command.start, files)) for command in found[:1]]


def _abstracts(text: str) -> Iterator[Command]:
    return commands(text, _ABSTRACT_COMMAND, limit=_LONGEST_ABSTRACT)


def _abstract_command(text: str, files: list[str]) -> list[TexSection]:
    found = list(_abstracts(text))[:1]
    return [TexSection(ABSTRACT, command.arguments[0], _file_at(text, command.start, files)) for command in found]


def _sections(body: str, files: list[str]) -> Iterator[TexSection]:
    heading, start = "", 0
    for command in commands(body, _HEADING, limit=_LONGEST_HEADING):
        yield _section(body, heading, start, command.start, files)
        heading, start = MARK.sub("", command.arguments[0]), command.end
    yield _section(body, heading, start, len(body), files)


def _section(body: str, heading: str, start: int, end: int, files: list[str]) -> TexSection:
    tex = body[start:end]
    return TexSection(heading, tex, _file_at(body, start, files, _leading_mark(tex)))


def _leading_mark(tex: str) -> str:
    """Return the last of the marks that stand before the first word."""
    found = re.match("(?:\\s*\x01\\d+\x02)+", tex)
    return _last_mark(found[0]) if found else ""


def _last_mark(text: str) -> str:
    found = [match[0] for match in MARK.finditer(text)]
    return found[-1] if found else ""


def _marks_in(text: str) -> str:
    return "".join(match[0] for match in MARK.finditer(text))


def _origin(text: str, part: str, files: list[str]) -> str:
    return _file_at(text, text.find(part), files, _leading_mark(part))


def _file_at(text: str, position: int, files: list[str], mark: str = "") -> str:
    """Return the file that the text at `position` came from, or the one that `mark` announces."""
    start = text.rfind("\x01", 0, max(position, 0))
    found = MARK.match(mark) if mark else MARK.match(text, start) if start >= 0 else None
    number = int(found[1]) if found else 0
    return files[number] if number < len(files) else ""
