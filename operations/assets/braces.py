"""Finding the arguments of TeX commands: groups in braces, that may be nested."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BLANK = re.compile(r"[ \t]*\n?[ \t]*")
_OPTION = re.compile(r"\[[^\[\]]{0,2000}\]")


def group_end(text: str, start: int, limit: int) -> int | None:
    """Return the position after the `}` that closes the `{` at `start`, if it comes within `limit` characters."""
    depth = 0
    for match in _BRACE.finditer(text, start, min(len(text), start + limit)):
        if match[0] == "{":
            depth += 1
        elif match[0] == "}":
            depth -= 1
            if depth == 0:
                return match.end()
    return None


@dataclass(frozen=True)
class Command:
    """A command with its arguments: where it stands, its name, and what is inside the braces."""

    start: int
    end: int
    name: str
    arguments: tuple[str, ...]


def commands(text: str, pattern: re.Pattern[str], count: int = 1, limit: int = 20_000) -> Iterator[Command]:
    """Yield the commands that `pattern` matches (the name is its first group) and that have `count` braced arguments.

    Blanks and options in brackets before an argument are passed over. Arguments longer than `limit` are none.
    """
    position = 0
    while match := pattern.search(text, position):
        position = match.end()
        arguments, end = arguments_at(text, match.end(), count, limit)
        if len(arguments) == count:
            yield Command(match.start(), end, match[1], tuple(arguments))
            position = end


def arguments_at(text: str, position: int, count: int, limit: int) -> tuple[list[str], int]:
    """Return up to `count` braced arguments that follow `position`, and where the last of them ends."""
    arguments: list[str] = []
    while len(arguments) < count:
        start = _skip_options(text, position)
        if text[start : start + 1] != "{" or (end := group_end(text, start, limit)) is None:
            break
        arguments.append(text[start + 1 : end - 1])
        position = end
    return arguments, position


def _skip_options(text: str, position: int) -> int:
    position = _BLANK.match(text, position).end()
    while option := _OPTION.match(text, position):
        position = _BLANK.match(text, option.end()).end()
    return position


def replace_commands(text: str, found: Iterator[Command], replacement: Callable[[Command], str]) -> str:
    """Return `text` with each command replaced."""
    pieces: list[str] = []
    position = 0
    for command in found:
        pieces += text[position : command.start], replacement(command)
        position = command.end
    return "".join([*pieces, text[position:]])
