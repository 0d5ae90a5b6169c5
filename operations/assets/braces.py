"""Finding the arguments of TeX commands: groups in braces, that may be nested."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_BLANK = re.compile(r"[ \t]*\n?[ \t]*")
_OPTION = re.compile(r"\[[^\[\]]{0,2000}\]")


class Groups:
    """Where the groups of one text end, found in a single pass, so that unclosed braces cost no more than others."""

    def __init__(self, text: str) -> None:
        """Match the braces of `text`; those without a partner stay alone."""
        self.text = text
        self._ends: dict[int, int] = {}
        waiting: list[int] = []
        for match in _BRACE.finditer(text):
            if match[0] == "{":
                waiting.append(match.start())
            elif match[0] == "}" and waiting:
                self._ends[waiting.pop()] = match.end()

    def end(self, start: int, limit: int) -> int | None:
        """Return the position after the `}` that closes the `{` at `start`, if it comes within `limit` characters."""
        end = self._ends.get(start)
        return end if end is not None and end - start <= limit else None

    def arguments(self, position: int, count: int, limit: int) -> tuple[list[str], int]:
        """Return up to `count` braced arguments that follow `position`, and where the last of them ends.

        Blanks and options in brackets before an argument are passed over.
        """
        found: list[str] = []
        while len(found) < count:
            start = _skip_options(self.text, position)
            end = self.end(start, limit)
            if end is None:
                break
            found.append(self.text[start + 1 : end - 1])
            position = end
        return found, position


@dataclass(frozen=True)
class Command:
    """A command with its arguments: where it stands, its name, and what is inside the braces."""

    start: int
    end: int
    name: str
    arguments: tuple[str, ...]


def commands(text: str, pattern: re.Pattern[str], count: int = 1, limit: int = 20_000) -> Iterator[Command]:
    """Yield the commands that `pattern` matches (the name is its first group) and that have `count` braced arguments.

    Arguments longer than `limit` are none.
    """
    if not pattern.search(text):
        return
    groups = Groups(text)
    position = 0
    while match := pattern.search(text, position):
        position = match.end()
        arguments, end = groups.arguments(match.end(), count, limit)
        if len(arguments) == count:
            yield Command(match.start(), end, match[1], tuple(arguments))
            position = end


def _skip_options(text: str, position: int) -> int:
    position = _after_blanks(text, position)
    while option := _OPTION.match(text, position):
        position = _after_blanks(text, option.end())
    return position


def _after_blanks(text: str, position: int) -> int:
    blanks = _BLANK.match(text, position)
    return blanks.end() if blanks else position


def replace_commands(text: str, found: Iterator[Command], replacement: Callable[[Command], str]) -> str:
    """Return `text` with each command replaced."""
    pieces: list[str] = []
    position = 0
    for command in found:
        pieces += text[position : command.start], replacement(command)
        position = command.end
    return "".join([*pieces, text[position:]])
